-- +goose Up
-- The full-text index has a word for the brand of each phone, too (brandWord).
UPDATE search_text SET words = words || '@@' || (SELECT lower(hex(brand_id)) FROM shelf WHERE shelf.seq = search_text.seq) || ' '
WHERE seq IN (SELECT seq FROM shelf);
INSERT INTO search (search) VALUES ('rebuild');
