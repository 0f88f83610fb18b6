-- +goose Up
-- The phone that a notification is about, and the matches of a saved search.
ALTER TABLE notifications ADD COLUMN product_id TEXT NOT NULL DEFAULT '';
ALTER TABLE notifications ADD COLUMN matches TEXT;
