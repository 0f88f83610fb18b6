-- +goose Up
-- The version in which a phone's price, name, condition or description last changed; of a
-- booking, that of its phone. 0 for phones and bookings from before this schema.
ALTER TABLE products ADD COLUMN terms_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bookings ADD COLUMN terms_version INTEGER NOT NULL DEFAULT 0;
