-- +goose Up
-- shelf has the columns of phones by which searches filter and sort. Triggers update it in
-- the transaction that changes a phone. The functions search_… are in sql_functions.go and
-- facets.go.
CREATE TABLE shelf (
  seq      INTEGER NOT NULL PRIMARY KEY, -- the rowid of the full-text index; VACUUM does not change it, unlike a hidden rowid
  id       TEXT    NOT NULL,
  brand_id TEXT    NOT NULL,
  price    INTEGER NOT NULL,
  cheap    INTEGER NOT NULL, -- the negative price, so that every order is descending in key and id
  saving   INTEGER NOT NULL,
  facets   INTEGER NOT NULL  -- one bit for each value of each filter
) STRICT;
-- There are two indexes for each order: one of the whole market and one of each brand. Each
-- has price and facets, so that a query skips phones without reading their rows.
CREATE INDEX shelf_newest       ON shelf (id, price, facets);
CREATE INDEX shelf_cheap        ON shelf (cheap, id, price, facets);
CREATE INDEX shelf_dear         ON shelf (price, id, facets);
CREATE INDEX shelf_saving       ON shelf (saving, id, price, facets);
CREATE INDEX shelf_brand_newest ON shelf (brand_id, id, price, facets);
CREATE INDEX shelf_brand_cheap  ON shelf (brand_id, cheap, id, price, facets);
CREATE INDEX shelf_brand_dear   ON shelf (brand_id, price, id, facets);
CREATE INDEX shelf_brand_saving ON shelf (brand_id, saving, id, price, facets);

-- search_text has the words of each phone as ' word word @placeword '. It is a table of its
-- own so that the rows of shelf are short.
CREATE TABLE search_text (
  seq   INTEGER NOT NULL PRIMARY KEY,
  words TEXT    NOT NULL
) STRICT;

-- The words are normalized already, so the tokenizer only splits them at spaces. It treats
-- characters that are not ASCII, and the @ before words of a place, as letters.
CREATE VIRTUAL TABLE search USING fts5 (
  words, content = 'search_text', content_rowid = 'seq',
  tokenize = "ascii tokenchars '@'", detail = none, columnsize = 0, prefix = '1 2 3'
);

INSERT INTO shelf (id, brand_id, price, cheap, saving, facets)
SELECT id, brand_id, resale_price, -resale_price, search_saving(original_price, resale_price),
       search_facets(condition, verified, hold_booking IS NOT NULL)
FROM products ORDER BY id;
INSERT INTO search_text (seq, words)
SELECT s.seq, search_words(CAST(p.name AS BLOB), CAST(p.brand AS BLOB), CAST(p.description AS BLOB), CAST(p.location AS BLOB))
FROM shelf s JOIN products p ON p.id = s.id;
INSERT INTO search (search) VALUES ('rebuild');

-- +goose StatementBegin
CREATE TRIGGER shelf_enter AFTER INSERT ON products
BEGIN
  INSERT INTO shelf (id, brand_id, price, cheap, saving, facets) VALUES (
    NEW.id, NEW.brand_id, NEW.resale_price, -NEW.resale_price, search_saving(NEW.original_price, NEW.resale_price),
    search_facets(NEW.condition, NEW.verified, NEW.hold_booking IS NOT NULL));
  INSERT INTO search_text (seq, words) SELECT seq, search_words(
    CAST(NEW.name AS BLOB), CAST(NEW.brand AS BLOB), CAST(NEW.description AS BLOB), CAST(NEW.location AS BLOB))
  FROM shelf WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER shelf_leave AFTER DELETE ON products
BEGIN
  DELETE FROM search_text WHERE seq = (SELECT seq FROM shelf WHERE id = OLD.id);
  DELETE FROM shelf WHERE id = OLD.id;
END;
-- +goose StatementEnd

-- A booking changes only the facets.
-- +goose StatementBegin
CREATE TRIGGER shelf_facets AFTER UPDATE OF condition, verified, hold_booking ON products
WHEN (OLD.condition, OLD.verified, OLD.hold_booking) IS NOT (NEW.condition, NEW.verified, NEW.hold_booking)
BEGIN
  UPDATE shelf SET facets = search_facets(NEW.condition, NEW.verified, NEW.hold_booking IS NOT NULL) WHERE id = OLD.id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER shelf_order AFTER UPDATE OF brand_id, original_price, resale_price ON products
WHEN (OLD.brand_id, OLD.original_price, OLD.resale_price) IS NOT (NEW.brand_id, NEW.original_price, NEW.resale_price)
BEGIN
  UPDATE shelf SET brand_id = NEW.brand_id, price = NEW.resale_price, cheap = -NEW.resale_price,
    saving = search_saving(NEW.original_price, NEW.resale_price) WHERE id = OLD.id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER shelf_words AFTER UPDATE OF name, brand, description, location ON products
WHEN (OLD.name, OLD.brand, OLD.description, OLD.location) IS NOT (NEW.name, NEW.brand, NEW.description, NEW.location)
BEGIN
  UPDATE search_text SET words = search_words(
    CAST(NEW.name AS BLOB), CAST(NEW.brand AS BLOB), CAST(NEW.description AS BLOB), CAST(NEW.location AS BLOB))
  WHERE seq = (SELECT seq FROM shelf WHERE id = OLD.id);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER search_enter AFTER INSERT ON search_text
BEGIN
  INSERT INTO search (rowid, words) VALUES (NEW.seq, NEW.words);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER search_leave AFTER DELETE ON search_text
BEGIN
  INSERT INTO search (search, rowid, words) VALUES ('delete', OLD.seq, OLD.words);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER search_move AFTER UPDATE OF words ON search_text
WHEN OLD.words IS NOT NEW.words
BEGIN
  INSERT INTO search (search, rowid, words) VALUES ('delete', OLD.seq, OLD.words);
  INSERT INTO search (rowid, words) VALUES (NEW.seq, NEW.words);
END;
-- +goose StatementEnd

-- The number of all phones.
INSERT INTO counts (list, scope, n) SELECT 'products', '', count(*) FROM products;

-- +goose StatementBegin
CREATE TRIGGER products_enter AFTER INSERT ON products
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('products', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER products_leave AFTER DELETE ON products
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'products' AND scope = '';
END;
-- +goose StatementEnd
