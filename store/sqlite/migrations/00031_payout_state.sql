-- +goose Up
-- The result of market.Booking.PayoutState, which the list of due payouts filters by.
ALTER TABLE bookings ADD COLUMN payout_state TEXT NOT NULL DEFAULT '';
UPDATE bookings SET payout_state = CASE
  WHEN payout IS NOT NULL THEN iif(status = 'refunded', 'debt', 'paidOut')
  WHEN status = 'paid' AND fulfilment ->> 'outcome' = 'release' AND commission < 100 THEN 'due'
  ELSE '' END
WHERE fulfilment IS NOT NULL;
CREATE INDEX bookings_payout ON bookings (payout_state, id) WHERE payout_state <> '';
