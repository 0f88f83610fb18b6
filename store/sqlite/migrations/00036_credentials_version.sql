-- +goose Up
-- Raised by each change of how an account is entered. Sessions of another number are void.
ALTER TABLE accounts ADD COLUMN credentials_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN kept_session TEXT NOT NULL DEFAULT '';
-- When the oldest change of the address was made that its owner has undone.
ALTER TABLE accounts ADD COLUMN restored_from INTEGER;
ALTER TABLE sessions ADD COLUMN credentials_version INTEGER NOT NULL DEFAULT 0;
