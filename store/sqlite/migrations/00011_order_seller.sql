-- +goose Up
-- How to reach the seller of a paid order, as JSON; NULL while it is not paid.
ALTER TABLE bookings ADD COLUMN seller TEXT;
