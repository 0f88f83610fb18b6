-- +goose Up
-- What happens after the payment, as JSON; NULL while it is not paid, and for orders that were
-- paid before.
ALTER TABLE bookings ADD COLUMN fulfilment TEXT;
