-- +goose Up
-- Raised by each change of how an account is entered. Sessions of another number are void.
ALTER TABLE accounts ADD COLUMN credentials_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN kept_session TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN credentials_version INTEGER NOT NULL DEFAULT 0;
