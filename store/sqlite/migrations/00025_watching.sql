-- +goose Up
-- What one person watches is one row. Triggers copy it to the tables watched_phones and
-- watched_brands, in which the people who watch a phone, or have a search of a brand, are
-- found. A search without a brand has the brand ''.
CREATE TABLE watching (
  id         TEXT    NOT NULL PRIMARY KEY,
  uid        TEXT    NOT NULL UNIQUE,
  phones     TEXT,
  searches   TEXT,
  brands     TEXT,
  version    INTEGER NOT NULL,
  created_at INTEGER
) STRICT;

CREATE TABLE watched_phones (
  product  TEXT NOT NULL,
  watching TEXT NOT NULL,
  PRIMARY KEY (product, watching)
) STRICT, WITHOUT ROWID;
CREATE INDEX watched_phones_of ON watched_phones (watching);

CREATE TABLE watched_brands (
  brand    TEXT NOT NULL,
  watching TEXT NOT NULL,
  PRIMARY KEY (brand, watching)
) STRICT, WITHOUT ROWID;
CREATE INDEX watched_brands_of ON watched_brands (watching);

-- +goose StatementBegin
CREATE TRIGGER watching_enter AFTER INSERT ON watching
BEGIN
  INSERT INTO watched_phones (product, watching) SELECT value ->> 'productID', NEW.id FROM json_each(NEW.phones);
  INSERT INTO watched_brands (brand, watching) SELECT value, NEW.id FROM json_each(NEW.brands);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER watching_phones AFTER UPDATE OF phones ON watching WHEN OLD.phones IS NOT NEW.phones
BEGIN
  DELETE FROM watched_phones WHERE watching = OLD.id
    AND product NOT IN (SELECT value ->> 'productID' FROM json_each(NEW.phones));
  INSERT INTO watched_phones (product, watching) SELECT value ->> 'productID', NEW.id FROM json_each(NEW.phones)
    WHERE true ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER watching_brands AFTER UPDATE OF brands ON watching WHEN OLD.brands IS NOT NEW.brands
BEGIN
  DELETE FROM watched_brands WHERE watching = OLD.id;
  INSERT INTO watched_brands (brand, watching) SELECT value, NEW.id FROM json_each(NEW.brands);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER watching_leave AFTER DELETE ON watching
BEGIN
  DELETE FROM watched_phones WHERE watching = OLD.id;
  DELETE FROM watched_brands WHERE watching = OLD.id;
END;
-- +goose StatementEnd
