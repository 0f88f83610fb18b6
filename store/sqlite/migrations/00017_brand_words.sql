-- +goose Up
-- Each phone is found by its brand in the full-text index too (brandWord).
UPDATE search_text SET words = words || '@@' || (SELECT lower(hex(brand_id)) FROM shelf WHERE shelf.seq = search_text.seq) || ' '
WHERE seq IN (SELECT seq FROM shelf);
INSERT INTO search (search) VALUES ('rebuild');
