-- +goose Up
-- What stands for the network address that a held booking came from.
ALTER TABLE bookings ADD COLUMN network TEXT NOT NULL DEFAULT '';
CREATE INDEX bookings_network ON bookings (network) WHERE status = 'held' AND network <> '';
