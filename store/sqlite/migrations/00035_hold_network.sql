-- +goose Up
-- A keyed hash of the network address from which the phone was booked, while it is held.
ALTER TABLE products ADD COLUMN hold_network TEXT;
