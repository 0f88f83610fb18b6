-- +goose Up
-- Whether the buyer got the phone from its waitlist.
ALTER TABLE bookings ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
