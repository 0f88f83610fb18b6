-- +goose Up
-- The lowest price of a brand's available phones is the first entry of the brand in this index.
CREATE INDEX products_available ON products (brand_id, resale_price) WHERE hold_booking IS NULL AND sold = 0;
