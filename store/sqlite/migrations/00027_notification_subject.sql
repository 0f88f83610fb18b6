-- +goose Up
-- What the notification is about: the name of the saved search for a match.
ALTER TABLE notifications ADD COLUMN subject TEXT NOT NULL DEFAULT '';
