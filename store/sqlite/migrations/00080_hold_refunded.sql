-- +goose Up
-- Whether the buyer of the sold phone has the money back.
ALTER TABLE products ADD COLUMN hold_refunded INTEGER;
