-- +goose Up
-- Bookings that ended without money, by when: they are forgotten after a year.
CREATE INDEX bookings_ended ON bookings (ended_at)
  WHERE status IN ('expired', 'cancelled') AND due IS NULL AND ended_at IS NOT NULL;
