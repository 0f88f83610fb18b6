package sqlite

import (
	"cmp"
	"context"

	"secondring/market"
)

// paymentColumns are the columns of payments in the order of paymentFields.
const paymentColumns = "id, transaction_id, booking_id, product_id, buyer_uid, email, price, outcome, refunded_at, " +
	"version, created_at, seller_uid, in_ledger"

var (
	paymentTable          = newTable("payments", paymentColumns)
	paymentSwap           = paymentTable.swap("payment")
	qPaymentByTransaction = query("SELECT " + paymentColumns + " FROM payments WHERE transaction_id = ?")
	qPayments             = query("SELECT " + paymentColumns + " FROM payments WHERE id < ? ORDER BY id DESC LIMIT 0 + ?")
	qPaymentsOf           = query("SELECT " + paymentColumns + " FROM payments WHERE buyer_uid = ? AND id < ? ORDER BY id DESC LIMIT 0 + ?")
)

func paymentFields(p *market.Payment) []any {
	return []any{
		&p.ID, &p.Transaction, &p.BookingID, &p.ProductID, &p.BuyerUID, &p.Email, &p.Price, &p.Outcome,
		timeColumn{&p.RefundedAt},
		&p.Version,
		timeColumn{&p.CreatedAt},
		&p.SellerUID, &p.InLedger,
	}
}

// AddPayment stores a new payment. It returns ErrExists if another payment has the transaction
// or the ID.
func (s *Store) AddPayment(ctx context.Context, p market.Payment, events []market.Event) error {
	return paymentSwap.add(ctx, s, paymentFields(&p), events)
}

// SavePayment replaces the payment with the same ID if the version is one above the stored
// one. Otherwise it returns ErrConflict, or ErrNotFound if none is stored with this ID.
func (s *Store) SavePayment(ctx context.Context, p market.Payment, events []market.Event) error {
	return paymentSwap.save(ctx, s, paymentFields(&p), p.ID, p.Version, events)
}

// PaymentOf returns the payment of a transaction.
func (s *Store) PaymentOf(ctx context.Context, transaction string) (market.Payment, error) {
	return find(ctx, s, "payment", qPaymentByTransaction, paymentFields, transaction)
}

// Payments returns a page of all payments, newest first.
func (s *Store) Payments(ctx context.Context, page market.Page) ([]market.Payment, error) {
	return collect(ctx, s, "payments", qPayments, paymentFields, cmp.Or(page.After, newest), max(page.Limit, 1))
}

// PaymentsOf returns a page of a buyer's payments, newest first.
func (s *Store) PaymentsOf(ctx context.Context, buyerUID string, page market.Page) ([]market.Payment, error) {
	return findPage(ctx, s, "payments of a buyer", qPaymentsOf, paymentFields, buyerUID, page)
}
