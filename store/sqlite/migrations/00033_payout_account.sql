-- +goose Up
-- Where a seller is paid out to, as JSON; NULL if there is no such account.
ALTER TABLE users ADD COLUMN payout_account TEXT;
