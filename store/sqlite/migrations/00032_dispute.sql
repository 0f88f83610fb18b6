-- +goose Up
-- The dispute of the order's payment, as JSON; NULL without.
ALTER TABLE bookings ADD COLUMN dispute TEXT;
