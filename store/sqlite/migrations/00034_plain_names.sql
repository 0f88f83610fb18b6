-- +goose Up
-- Tables and columns get the names of what they contain. SQLite cannot rename an index or a
-- trigger, so those with the old names are made again.

-- lines is the audit log.
DROP TRIGGER lines_enter;
DROP TRIGGER lines_leave;
DROP INDEX lines_actor;
DROP INDEX lines_at;
DROP INDEX lines_concern;
DROP INDEX lines_target;
ALTER TABLE lines RENAME TO audit_log;
CREATE INDEX audit_log_actor   ON audit_log (actor_id) WHERE actor_id <> '';
CREATE INDEX audit_log_at      ON audit_log (at);
CREATE INDEX audit_log_concern ON audit_log (concern_id, id);
CREATE INDEX audit_log_target  ON audit_log (target_id);
UPDATE counts SET list = 'audit_log' WHERE list = 'lines';

-- +goose StatementBegin
CREATE TRIGGER audit_log_enter AFTER INSERT ON audit_log
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('audit_log', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER audit_log_leave AFTER DELETE ON audit_log
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'audit_log' AND scope = '';
END;
-- +goose StatementEnd

-- shelf has the columns of phones by which searches filter and sort.
DROP INDEX shelf_newest;
DROP INDEX shelf_cheap;
DROP INDEX shelf_dear;
DROP INDEX shelf_saving;
DROP INDEX shelf_brand_newest;
DROP INDEX shelf_brand_cheap;
DROP INDEX shelf_brand_dear;
DROP INDEX shelf_brand_saving;
ALTER TABLE shelf RENAME COLUMN cheap TO negative_price;
ALTER TABLE shelf RENAME TO search_entries;
CREATE INDEX search_entries_newest           ON search_entries (id, price, facets);
CREATE INDEX search_entries_price_up         ON search_entries (negative_price, id, price, facets);
CREATE INDEX search_entries_price_down       ON search_entries (price, id, facets);
CREATE INDEX search_entries_saving           ON search_entries (saving, id, price, facets);
CREATE INDEX search_entries_brand_newest     ON search_entries (brand_id, id, price, facets);
CREATE INDEX search_entries_brand_price_up   ON search_entries (brand_id, negative_price, id, price, facets);
CREATE INDEX search_entries_brand_price_down ON search_entries (brand_id, price, id, facets);
CREATE INDEX search_entries_brand_saving     ON search_entries (brand_id, saving, id, price, facets);

-- shelf_late has the phones that have changed since the last update of the search index.
DROP TRIGGER late_enter;
DROP TRIGGER late_leave;
DROP TRIGGER late_move;
ALTER TABLE shelf_late RENAME TO search_stale;

-- +goose StatementBegin
CREATE TRIGGER search_stale_enter AFTER INSERT ON products
BEGIN
  INSERT INTO search_stale (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER search_stale_leave AFTER DELETE ON products
BEGIN
  INSERT INTO search_stale (id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER search_stale_change AFTER UPDATE OF brand_id, brand, name, description, location,
  original_price, resale_price, storage, condition, verified, hold_booking ON products
WHEN (OLD.hold_booking, OLD.resale_price, OLD.original_price, OLD.verified, OLD.condition, OLD.storage, OLD.name,
      OLD.description, OLD.location, OLD.brand_id, OLD.brand)
  IS NOT (NEW.hold_booking, NEW.resale_price, NEW.original_price, NEW.verified, NEW.condition, NEW.storage, NEW.name,
      NEW.description, NEW.location, NEW.brand_id, NEW.brand)
BEGIN
  INSERT INTO search_stale (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd

-- brands.free is the number of a brand's phones that are neither booked nor sold.
DROP TRIGGER free_enter;
DROP TRIGGER free_leave;
DROP TRIGGER free_move_in;
DROP TRIGGER free_move_out;
DROP INDEX brands_free;
ALTER TABLE brands RENAME COLUMN free TO available;
CREATE INDEX brands_available ON brands (available DESC, name_key);

-- +goose StatementBegin
CREATE TRIGGER available_enter AFTER INSERT ON products
WHEN NEW.hold_booking IS NULL AND NEW.sold = 0
BEGIN
  UPDATE brands SET available = available + 1 WHERE id = NEW.brand_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER available_leave AFTER DELETE ON products
WHEN OLD.hold_booking IS NULL AND OLD.sold = 0
BEGIN
  UPDATE brands SET available = available - 1 WHERE id = OLD.brand_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER available_move_in AFTER UPDATE OF brand_id, hold_booking, sold ON products
WHEN NEW.hold_booking IS NULL AND NEW.sold = 0
  AND (OLD.brand_id, OLD.hold_booking, OLD.sold) IS NOT (NEW.brand_id, NEW.hold_booking, NEW.sold)
BEGIN
  UPDATE brands SET available = available + 1 WHERE id = NEW.brand_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER available_move_out AFTER UPDATE OF brand_id, hold_booking, sold ON products
WHEN OLD.hold_booking IS NULL AND OLD.sold = 0
  AND (OLD.brand_id, OLD.hold_booking, OLD.sold) IS NOT (NEW.brand_id, NEW.hold_booking, NEW.sold)
BEGIN
  UPDATE brands SET available = available - 1 WHERE id = OLD.brand_id;
END;
-- +goose StatementEnd
