-- +goose Up
-- The search index is made again, because its words are other ones: see sql_functions.go. All
-- phones are indexed before the next search.
DROP TABLE search_spellings;
DROP TABLE search;
DELETE FROM search_text;
DELETE FROM search_entries;

-- 2 for a phone that can be bought, 1 for a held one, 0 for a sold one.
ALTER TABLE search_entries ADD COLUMN availability INTEGER NOT NULL DEFAULT 2;
CREATE INDEX search_entries_available       ON search_entries (availability, id, price, facets);
CREATE INDEX search_entries_brand_available ON search_entries (brand_id, availability, id, price, facets);

CREATE VIRTUAL TABLE search USING fts5 (
  words, content = 'search_text', content_rowid = 'seq',
  tokenize = "ascii tokenchars '@='", detail = none, columnsize = 0, prefix = '1 2 3'
);
CREATE VIRTUAL TABLE search_spellings USING fts5vocab('search', 'instance');

INSERT INTO search_stale (id) SELECT id FROM products WHERE true ON CONFLICT DO NOTHING;

DROP TRIGGER search_stale_change;
-- +goose StatementBegin
CREATE TRIGGER search_stale_change AFTER UPDATE OF brand_id, brand, name, description, location,
  original_price, resale_price, storage, condition, verified, hold_booking, sold ON products
WHEN (OLD.hold_booking, OLD.sold, OLD.resale_price, OLD.original_price, OLD.verified, OLD.condition, OLD.storage, OLD.name,
      OLD.description, OLD.location, OLD.brand_id, OLD.brand)
  IS NOT (NEW.hold_booking, NEW.sold, NEW.resale_price, NEW.original_price, NEW.verified, NEW.condition, NEW.storage, NEW.name,
      NEW.description, NEW.location, NEW.brand_id, NEW.brand)
BEGIN
  INSERT INTO search_stale (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd
