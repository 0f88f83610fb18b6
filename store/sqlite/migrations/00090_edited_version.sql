-- +goose Up
-- The version in which the seller last changed texts, prices or photos: only such a change
-- is a conflict for another edit.
ALTER TABLE products ADD COLUMN edited_version INTEGER NOT NULL DEFAULT 0;
