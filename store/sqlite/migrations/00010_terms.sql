-- +goose Up
-- The version in which a phone's price, name, condition or description last
-- changed, and the same of the phone that was booked: 0 for those before.
ALTER TABLE products ADD COLUMN terms_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bookings ADD COLUMN terms_version INTEGER NOT NULL DEFAULT 0;
