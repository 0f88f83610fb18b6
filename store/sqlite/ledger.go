package sqlite

import (
	"cmp"
	"context"
	"encoding/json"

	"secondring/market"
)

// ledgerColumns are the columns of ledger in the order of ledgerFields.
const ledgerColumns = "id, booking_id, seller_uid, buyer_uid, kind, cents, reference, at"

var (
	ledgerTable     = newTable("ledger", ledgerColumns)
	qAddLedgerEntry = ledgerTable.insert()
	qLedgerEntry    = query("SELECT " + ledgerColumns + " FROM ledger WHERE id = ?")
	qLedgerOfOrder  = query("SELECT " + ledgerColumns + " FROM ledger WHERE booking_id = ? ORDER BY id")
	qLedgerOfOrders = query("SELECT " + ledgerColumns + " FROM ledger WHERE booking_id IN (SELECT value FROM json_each(?))")
	qLedgerOfSeller = query("SELECT " + ledgerColumns + " FROM ledger WHERE seller_uid = ? ORDER BY id")
	qLedger         = query("SELECT " + ledgerColumns + " FROM ledger WHERE id < ? ORDER BY id DESC LIMIT 0 + ?")
)

func ledgerFields(e *market.LedgerEntry) []any {
	return []any{&e.ID, &e.BookingID, &e.SellerUID, &e.BuyerUID, &e.Kind, &e.Cents, &e.Reference, timeColumn{&e.At}}
}

// addLedgerEntries stores the ledger entries that are contained in the events, in the
// transaction of the change.
func (c *conn) addLedgerEntries(events []market.Event) error {
	entries, err := market.LedgerEntriesIn(events)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, err := c.exec(qAddLedgerEntry, ledgerFields(&e)...); err != nil {
			return err
		}
	}
	return nil
}

// LedgerOfOrder returns all entries of an order, by ID.
func (s *Store) LedgerOfOrder(ctx context.Context, bookingID string) ([]market.LedgerEntry, error) {
	return collect(ctx, s, "ledger of an order", qLedgerOfOrder, ledgerFields, bookingID)
}

// LedgerOfOrders returns all entries of several orders, in any order.
func (s *Store) LedgerOfOrders(ctx context.Context, bookingIDs []string) ([]market.LedgerEntry, error) {
	ids, err := json.Marshal(bookingIDs)
	if err != nil {
		return nil, err
	}
	return collect(ctx, s, "ledger of orders", qLedgerOfOrders, ledgerFields, string(ids))
}

// LedgerOfSeller returns all entries of a seller's orders, by ID.
func (s *Store) LedgerOfSeller(ctx context.Context, sellerUID string) ([]market.LedgerEntry, error) {
	return collect(ctx, s, "ledger of a seller", qLedgerOfSeller, ledgerFields, sellerUID)
}

// Ledger returns a page of all entries, newest first.
func (s *Store) Ledger(ctx context.Context, page market.Page) ([]market.LedgerEntry, error) {
	return collect(ctx, s, "ledger", qLedger, ledgerFields, cmp.Or(page.After, newest), max(page.Limit, 1))
}
