-- +goose Up
-- A phone's storage in GB; 0 if it is unknown. shelf.facets has it above the other bits.
ALTER TABLE products ADD COLUMN storage INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER late_move;
-- +goose StatementBegin
CREATE TRIGGER late_move AFTER UPDATE OF brand_id, brand, name, description, location,
  original_price, resale_price, storage, condition, verified, hold_booking ON products
WHEN (OLD.hold_booking, OLD.resale_price, OLD.original_price, OLD.verified, OLD.condition, OLD.storage, OLD.name,
      OLD.description, OLD.location, OLD.brand_id, OLD.brand)
  IS NOT (NEW.hold_booking, NEW.resale_price, NEW.original_price, NEW.verified, NEW.condition, NEW.storage, NEW.name,
      NEW.description, NEW.location, NEW.brand_id, NEW.brand)
BEGIN
  INSERT INTO shelf_late (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd
