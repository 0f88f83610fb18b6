package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

var ledger = kind[market.LedgerEntry]{
	name: "ledger", singular: "ledger entry",
	id:      func(e market.LedgerEntry) any { return e.ID },
	version: func(market.LedgerEntry) int64 { return 1 },
	keys: func(e market.LedgerEntry) bson.D {
		return bson.D{field("new", e.ID), field("booking", e.BookingID), field("seller", e.SellerUID)}
	},
}

// LedgerOfOrder returns all entries of an order, by ID.
func (s *Store) LedgerOfOrder(ctx context.Context, bookingID string) ([]market.LedgerEntry, error) {
	return ledger.collect(ctx, s, bson.D{field("keys.booking", bookingID)}, bson.D{field("keys.new", 1)}, 0)
}

// LedgerOfOrders returns all entries of several orders, in any order.
func (s *Store) LedgerOfOrders(ctx context.Context, bookingIDs []string) ([]market.LedgerEntry, error) {
	return ledger.collect(ctx, s, bson.D{field("keys.booking", bson.D{field("$in", bookingIDs)})}, nil, 0)
}

// LedgerOfSeller returns all entries of a seller's orders, by ID.
func (s *Store) LedgerOfSeller(ctx context.Context, sellerUID string) ([]market.LedgerEntry, error) {
	return ledger.collect(ctx, s, bson.D{field("keys.seller", sellerUID)}, bson.D{field("keys.new", 1)}, 0)
}

// Ledger returns a page of all entries, by ID, descending.
func (s *Store) Ledger(ctx context.Context, page market.Page) ([]market.LedgerEntry, error) {
	ids := bson.D{field("$gt", "")}
	if page.After != "" {
		ids = append(ids, field("$lt", page.After))
	}
	return ledger.collect(ctx, s, bson.D{field("keys.new", ids)}, newestFirst, max(page.Limit, 1))
}
