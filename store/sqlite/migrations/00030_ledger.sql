-- +goose Up
-- The movements of orders' money. An entry is never changed. Money that is returned is an entry
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

-- Payments from before this schema are not in the ledger.
ALTER TABLE payments ADD COLUMN seller_uid TEXT NOT NULL DEFAULT '';
ALTER TABLE payments ADD COLUMN in_ledger INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bookings ADD COLUMN commission INTEGER NOT NULL DEFAULT 0;
-- How the seller was paid, as JSON; NULL if the seller is not paid yet.
ALTER TABLE bookings ADD COLUMN payout TEXT;
