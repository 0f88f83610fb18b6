-- +goose Up
-- The search index is updated in batches (see search_index.go). shelf_late has the IDs of the
-- phones that have changed since the last update. A search updates the index first.
DROP TRIGGER shelf_enter;
DROP TRIGGER shelf_leave;
DROP TRIGGER shelf_facets;
DROP TRIGGER shelf_order;
DROP TRIGGER shelf_words;
DROP TRIGGER search_enter;
DROP TRIGGER search_leave;
DROP TRIGGER search_move;

CREATE TABLE shelf_late (id TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER late_enter AFTER INSERT ON products
BEGIN
  INSERT INTO shelf_late (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER late_leave AFTER DELETE ON products
BEGIN
  INSERT INTO shelf_late (id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER late_move AFTER UPDATE OF brand_id, brand, name, description, location,
  original_price, resale_price, condition, verified, hold_booking ON products
WHEN (OLD.hold_booking, OLD.resale_price, OLD.original_price, OLD.verified, OLD.condition, OLD.name, OLD.description,
      OLD.location, OLD.brand_id, OLD.brand)
  IS NOT (NEW.hold_booking, NEW.resale_price, NEW.original_price, NEW.verified, NEW.condition, NEW.name, NEW.description,
      NEW.location, NEW.brand_id, NEW.brand)
BEGIN
  INSERT INTO shelf_late (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd
