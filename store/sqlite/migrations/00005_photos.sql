-- +goose Up
-- A JSON array; NULL of a phone that has its img alone.
ALTER TABLE products ADD COLUMN photos TEXT;
