-- +goose Up
-- The movements of orders' money: an entry is never changed. What is taken back is an entry
-- with negative cents.
CREATE TABLE ledger (
  id         TEXT NOT NULL PRIMARY KEY,
  booking_id TEXT NOT NULL,
  seller_uid TEXT NOT NULL,
  buyer_uid  TEXT NOT NULL,
  kind       TEXT NOT NULL,
  cents      INTEGER NOT NULL,
  reference  TEXT NOT NULL,
  at         INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_booking ON ledger (booking_id, id);
CREATE INDEX ledger_seller ON ledger (seller_uid, id);

-- Payments from before are not in the ledger.
ALTER TABLE payments ADD COLUMN seller_uid TEXT NOT NULL DEFAULT '';
ALTER TABLE payments ADD COLUMN in_ledger INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bookings ADD COLUMN commission INTEGER NOT NULL DEFAULT 0;
-- How the seller got the money, as JSON; NULL before.
ALTER TABLE bookings ADD COLUMN payout TEXT;
