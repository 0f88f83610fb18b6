-- +goose Up
-- watched_searches replaces watched_brands: people are found by the brand of a saved search
-- together with one of its conditions (market.Watching.SearchKeys), so that an edit of a phone
-- reads only the searches with a condition that the edit concerns.
DROP TRIGGER watching_enter;
DROP TRIGGER watching_brands;
DROP TRIGGER watching_leave;
DROP TABLE watched_brands;
ALTER TABLE watching RENAME COLUMN brands TO search_keys;

CREATE TABLE watched_searches (
  search_key TEXT NOT NULL,
  watching   TEXT NOT NULL,
  PRIMARY KEY (search_key, watching)
) STRICT, WITHOUT ROWID;
CREATE INDEX watched_searches_of ON watched_searches (watching);

-- +goose StatementBegin
CREATE TRIGGER watching_enter AFTER INSERT ON watching
BEGIN
  INSERT INTO watched_phones (product, watching) SELECT value ->> 'productID', NEW.id FROM json_each(NEW.phones);
  INSERT INTO watched_searches (search_key, watching) SELECT value, NEW.id FROM json_each(NEW.search_keys);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER watching_searches AFTER UPDATE OF search_keys ON watching WHEN OLD.search_keys IS NOT NEW.search_keys
BEGIN
  DELETE FROM watched_searches WHERE watching = OLD.id;
  INSERT INTO watched_searches (search_key, watching) SELECT value, NEW.id FROM json_each(NEW.search_keys);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER watching_leave AFTER DELETE ON watching
BEGIN
  DELETE FROM watched_phones WHERE watching = OLD.id;
  DELETE FROM watched_searches WHERE watching = OLD.id;
END;
-- +goose StatementEnd
