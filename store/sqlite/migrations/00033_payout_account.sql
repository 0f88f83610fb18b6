-- +goose Up
-- The seller's payout account, as JSON; NULL if there is none.
ALTER TABLE users ADD COLUMN payout_account TEXT;
