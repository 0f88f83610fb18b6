-- +goose Up
-- A JSON array; NULL if the phone has no photo except img.
ALTER TABLE products ADD COLUMN photos TEXT;
