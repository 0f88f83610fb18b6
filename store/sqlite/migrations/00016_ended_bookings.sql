-- +goose Up
-- Bookings that ended without a payment, by time. They are deleted after a year.
CREATE INDEX bookings_ended ON bookings (ended_at)
  WHERE status IN ('expired', 'cancelled') AND due IS NULL AND ended_at IS NOT NULL;
