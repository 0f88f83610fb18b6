-- +goose Up
-- Email addresses of accounts from before this schema count as confirmed: unproven is 0.
ALTER TABLE accounts ADD COLUMN unproven INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN links TEXT;
ALTER TABLE accounts ADD COLUMN devices TEXT;
ALTER TABLE accounts ADD COLUMN restored_at INTEGER;
ALTER TABLE accounts ADD COLUMN second_factor TEXT;
ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN network TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN seen_at INTEGER;
