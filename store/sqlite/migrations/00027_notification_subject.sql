-- +goose Up
-- The name of the saved search, if the notification is about a match.
ALTER TABLE notifications ADD COLUMN subject TEXT NOT NULL DEFAULT '';
