-- +goose Up
-- Identifies the network address from which a held booking was made.
ALTER TABLE bookings ADD COLUMN network TEXT NOT NULL DEFAULT '';
CREATE INDEX bookings_network ON bookings (network) WHERE status = 'held' AND network <> '';
