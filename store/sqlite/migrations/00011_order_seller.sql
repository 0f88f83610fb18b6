-- +goose Up
-- The contact data of a paid order's seller, as JSON; NULL if the order is not paid.
ALTER TABLE bookings ADD COLUMN seller TEXT;
