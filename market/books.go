package market

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Books are the sums of all orders whose money is still due to somebody: orders that are
// not settled, not paid out, or owed by their seller. All money is in cents.
type Books struct {
	Waiting    int64    // the market has it and owes it to sellers or buyers
	Debts      int64    // sellers owe it: they were paid out, and then the buyer was refunded
	Unbalanced []string // IDs of bookings whose ledger entries contradict the order
}

const (
	booksTask  = "books"
	booksEvery = time.Hour
	// maxSettledChecked is how many of the newest settled orders are checked.
	maxSettledChecked = 1000
)

// AddBooksCheck adds the check of the books and the search for forgotten payouts, once an hour. An
// order that changes during the check may be reported as unbalanced once.
func (m *Market) AddBooksCheck(r *Runner) {
	r.AddTask(m.store, booksTask, booksEvery, func(ctx context.Context, job *Job) error {
		books, err := m.Books(ctx)
		if err != nil {
			return err
		}
		for _, id := range books.Unbalanced {
			r.log.ErrorContext(ctx, "the ledger of an order does not balance", "booking", id)
		}
		job.Data = encode(books)
		return nil
	})
	r.AddTask(m.store, "forgotten-payouts", booksEvery, func(ctx context.Context, _ *Job) error { return m.checkForgottenPayouts(ctx) })
}

// LastBooks returns the result of the last check of the books, of any node. It returns ErrNotFound if
// there was none.
func (m *Market) LastBooks(ctx context.Context) (books Books, err error) {
	job, err := m.store.Record(ctx, TaskKind(booksTask), booksTask)
	if err == nil && len(job.Data) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return books, err
	}
	return books, json.Unmarshal(job.Data, &books)
}

// Books adds up the orders whose money is still due to somebody, and compares each of them
// and the newest settled orders with the ledger. The cost grows with the number of these
// orders, not of all orders. Reconcile compares all.
func (m *Market) Books(ctx context.Context) (Books, error) {
	var books Books
	seen := map[string]bool{}
	for _, f := range []OrderFilter{
		{State: FulfilmentWaiting},
		{State: FulfilmentSent},
		{State: FulfilmentReceived},
		{State: FulfilmentProblem},
		{State: FulfilmentReturning},
		{State: FulfilmentSentBack},
		{Payout: EarningDue},
		{Payout: EarningDebt},
		{State: FulfilmentSettled},
	} {
		limit := 0
		if f.State == FulfilmentSettled {
			limit = maxSettledChecked
		}
		if err := m.addOrders(ctx, &books, f, limit, seen); err != nil {
			return Books{}, err
		}
	}
	return books, nil
}

// addOrders adds the orders of a filter that are not in seen: the newest ones up to limit,
// or all if limit is 0.
func (m *Market) addOrders(ctx context.Context, books *Books, f OrderFilter, limit int, seen map[string]bool) error {
	read := 0
	for page, err := range eachPage(reconcilePage, func(page Page) ([]Booking, error) { return items(m.store.Orders(ctx, f, page)) }, bookingID) {
		if err != nil {
			return err
		}
		orders, err := m.withBalances(ctx, page)
		if err != nil {
			return err
		}
		for _, o := range orders {
			if seen[o.ID] || o.Fulfilment == nil { // its payment bought no phone
				continue
			}
			seen[o.ID] = true
			if err := m.addOrder(ctx, books, o); err != nil {
				return err
			}
		}
		if read += len(page); limit > 0 && read >= limit {
			return nil
		}
	}
	return nil
}

// addOrder adds one order. If the ledger contradicts the order, it reads both again,
// because the order may have changed between the two reads.
func (m *Market) addOrder(ctx context.Context, books *Books, o Order) error {
	if !o.agrees(o.Balance) {
		b, err := m.store.Booking(ctx, o.ID)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		entries, err := m.store.LedgerOfOrder(ctx, o.ID)
		if err != nil {
			return err
		}
		if o = (Order{Booking: b, Balance: BalanceOf(entries)}); !o.agrees(o.Balance) {
			books.Unbalanced = append(books.Unbalanced, o.ID)
		}
	}
	if waiting := o.Balance.Waiting(); waiting > 0 {
		books.Waiting += waiting
	} else {
		books.Debts -= waiting
	}
	return nil
}

// agrees returns whether the ledger agrees with the order. Charges that bought nothing are
// in the ledger only, and were refunded.
func (b Booking) agrees(ledger Balance) bool {
	expected := b.Balance()
	return ledger.Commission == expected.Commission && ledger.PaidOut == expected.PaidOut && ledger.Waiting() == expected.Waiting()
}
