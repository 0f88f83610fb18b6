package market

import (
	"context"
	"errors"
	"strings"
	"time"
)

// OrderFilter selects orders. An empty field selects all.
type OrderFilter struct {
	Status              BookingStatus
	State               FulfilmentState // of Fulfilment
	Payout              EarningState    // of PayoutState
	Tab                 OrderTab        // of Tabs
	Terms               []string        // one of Terms
	SellerUID, BuyerUID string
}

// OrderQuery is the query of GET /orders.
type OrderQuery struct {
	Status, State, Payout, Tab string
	Text                       string // see Booking.Terms
	Seller, Buyer              string // each a UID or an email address
}

// Order is a booking with its balance from the ledger.
type Order struct {
	Booking

	Balance Balance
}

// MaxOrdersCounted is the number up to which the orders of a filter are counted exactly.
const MaxOrdersCounted = 10_000

// Orders lists the bookings of all people, newest first, for admins who handle money.
func (m *Market) Orders(ctx context.Context, who Actor, q OrderQuery, page Page) (List[Order], error) {
	if err := mustHandleMoney(who); err != nil {
		return List[Order]{}, err
	}
	f, err := q.filter()
	if err != nil {
		return List[Order]{}, err
	}
	for _, side := range []struct {
		person string
		uid    *string
	}{{q.Seller, &f.SellerUID}, {q.Buyer, &f.BuyerUID}} {
		if *side.uid, err = m.uidOf(ctx, side.person); err != nil {
			return List[Order]{}, ignoreNotFound(err) // an unknown person has no orders
		}
	}
	list, err := m.store.Orders(ctx, f, page)
	if err != nil {
		return List[Order]{}, err
	}
	all, err := m.withBalances(ctx, list.Items)
	return List[Order]{Items: all, Total: list.Total, More: list.More}, err
}

// uidOf returns the UID of a person, given by UID or email address.
func (m *Market) uidOf(ctx context.Context, person string) (string, error) {
	if !strings.Contains(person, "@") {
		return person, nil
	}
	u, err := m.store.UserByEmail(ctx, person)
	return u.UID, err
}

// filter returns the filter of the query without Seller and Buyer, whose UIDs must be
// looked up.
func (q OrderQuery) filter() (OrderFilter, error) {
	f := OrderFilter{
		Status: BookingStatus(q.Status), State: FulfilmentState(q.State), Payout: EarningState(q.Payout),
		Tab: OrderTab(q.Tab), Terms: wantedTerms(q.Text),
	}
	wrong := Fields{}
	if _, exists := bookingSteps[f.Status]; q.Status != "" && !exists {
		wrong.Add("status", "must be held, paid, expired, cancelled or refunded")
	}
	if _, exists := fulfilmentSteps[f.State]; q.State != "" && !exists {
		wrong.Add("state", "must be waiting, sent, received, problem, returning, sentBack or settled")
	}
	switch f.Payout {
	case "", EarningDue, EarningPaidOut, EarningDebt, EarningRepaid:
	default:
		wrong.Add("payout", "must be due, paidOut, debt or repaid")
	}
	switch f.Tab {
	case "", TabProblem, TabPayout, TabDispute, TabLate:
	default:
		wrong.Add("tab", "must be problem, payout, dispute or late")
	}
	return f, wrong.Err()
}

// withBalances adds the balances of orders. It reads all of them at once.
func (m *Market) withBalances(ctx context.Context, bookings []Booking) ([]Order, error) {
	ids := make([]string, 0, len(bookings))
	for _, b := range bookings {
		ids = append(ids, b.ID)
	}
	entries, err := m.store.LedgerOfOrders(ctx, ids)
	if err != nil {
		return nil, err
	}
	ofOrder := byOrder(entries)
	all := make([]Order, 0, len(bookings))
	for _, b := range bookings {
		all = append(all, Order{Booking: b, Balance: BalanceOf(ofOrder[b.ID])})
	}
	return all, nil
}

// RefundOrder refunds the whole charge of an order, once, for admins. The phone stays
// withdrawn.
func (m *Market) RefundOrder(ctx context.Context, who Actor, id, reason string, wrong Fields) (int, error) {
	b, err := m.orderForAdmin(ctx, who, id, func(f Fields) { f.multiline("reason", reason, maxProblem) }, wrong)
	if err != nil {
		return 0, err
	}
	return m.takeStep(ctx, b, stepAdminRefund, &who.User, func(f *Fulfilment, now time.Time) {
		f.settle(OutcomeRefund, reason, now)
	})
}

// orderForAdmin returns an order that an admin acts on with a text, such as a reason.
func (m *Market) orderForAdmin(ctx context.Context, who Actor, id string, check func(Fields), wrong Fields) (Booking, error) {
	b, err := m.booking(ctx, id)
	if err != nil {
		return Booking{}, err
	}
	if err := mayDecide(who, b); err != nil {
		return Booking{}, err
	}
	f := FieldsOf(wrong)
	check(f)
	return b, f.Err()
}

// changeBooking applies a change to a booking, whose version is already raised, and stores it
// with the events that change returns, except notifications of removed people. After a
// conflict it applies the change to the current booking. It returns 0 if change returns
// false.
func (m *Market) changeBooking(ctx context.Context, b Booking, change func(b *Booking, at time.Time) (bool, []Effect, error)) (int, error) {
	for {
		next := b
		next.Version++
		isChanged, effects, err := change(&next, m.clock.Now())
		if err != nil || !isChanged {
			return 0, err
		}
		if effects, err = m.withoutRemoved(ctx, effects); err != nil {
			return 0, err
		}
		err = m.store.SaveBooking(ctx, next, effects)
		if err == nil {
			if next.Status != b.Status {
				m.counters.CountBooking(next.Status)
			}
			return 1, nil
		}
		if !errors.Is(err, ErrConflict) {
			return 0, err
		}
		if b, err = m.store.Booking(ctx, b.ID); err != nil {
			return 0, err
		}
	}
}
