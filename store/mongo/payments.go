package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

var payments = kind[market.Payment]{
	name: "payments", singular: "payment",
	id:      func(p market.Payment) any { return p.ID },
	version: func(p market.Payment) int64 { return p.Version },
	keys:    func(p market.Payment) bson.D { return bson.D{field("transaction", p.Transaction)} },
}

// AddPayment stores a new payment. It returns ErrExists if its ID or its transaction exists.
func (s *Store) AddPayment(ctx context.Context, p market.Payment, events []market.Event) error {
	return payments.add(ctx, s, p, events)
}

// SavePayment replaces the payment with the ID of p. The version of p must be one above the
// stored version.
func (s *Store) SavePayment(ctx context.Context, p market.Payment, events []market.Event) error {
	return payments.save(ctx, s, p, events)
}

// PaymentOf returns the payment of a transaction.
func (s *Store) PaymentOf(ctx context.Context, transaction string) (market.Payment, error) {
	return payments.findOne(ctx, s, bson.D{field("keys.transaction", transaction)}, nil)
}

// Payments returns a page of all payments, newest first.
func (s *Store) Payments(ctx context.Context, page market.Page) ([]market.Payment, error) {
	ids := bson.D{field("$gt", "")}
	if page.After != "" {
		ids = append(ids, field("$lt", page.After))
	}
	return payments.collect(ctx, s, bson.D{field("_id", ids)}, bson.D{field("_id", -1)}, max(page.Limit, 1))
}

// PaymentsOf returns a page of a buyer's payments, newest first. It filters
// by a field of the entity, because earlier versions stored payments without a key for the
// buyer.
func (s *Store) PaymentsOf(ctx context.Context, buyerUID string, page market.Page) ([]market.Payment, error) {
	return payments.collectBy(ctx, s, "entity.buyeruid", buyerUID, "_id", page)
}
