-- +goose Up
-- The delivery of a paid order, as JSON; NULL if the order is not paid, or was paid before this
-- schema. Such paid orders are settled.
ALTER TABLE bookings ADD COLUMN fulfilment TEXT;
ALTER TABLE bookings ADD COLUMN state TEXT AS (
  CASE WHEN fulfilment IS NOT NULL THEN fulfilment ->> 'state' WHEN status = 'paid' THEN 'settled' ELSE '' END);

CREATE INDEX bookings_state ON bookings (state, id);
CREATE INDEX bookings_status ON bookings (status, id);
CREATE INDEX bookings_seller ON bookings (seller_uid, id);
