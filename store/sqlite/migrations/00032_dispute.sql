-- +goose Up
-- The dispute of the order's payment, as JSON; NULL if there is none.
ALTER TABLE bookings ADD COLUMN dispute TEXT;
