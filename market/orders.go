package market

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// The use cases of an order after its payment. Each is one compare-and-set of the booking,
// with the notifications of both sides. The payment check does what is due later: it
// settles the order, and it requests a refund that was decided.

// maxProblem is the length of a reported problem and of a reason, in characters.
const maxProblem = 1000

// maxCorrections is how often the seller can correct the carrier and its number: the buyer is
// notified of each correction.
const maxCorrections = 5

// FulfilmentRequest is the payload of PUT /bookings/{id}/fulfilment.
type FulfilmentRequest struct {
	Action            string // a fulfilmentStep that a person takes
	Carrier, Tracking string // of "send"
	Code              string // of "handed"
	Outcome           string // of "settle"
	Reason            string // of "problem" and "settle"
	Wrong             Fields
}

// Fulfil takes a step of a paid order. It returns 0 if the order is in that state already.
// The seller may send the phone, correct its tracking number, or enter the buyer's code.
// The buyer may confirm the receipt or report a problem. An admin may settle the order.
func (m *Market) Fulfil(ctx context.Context, who Actor, id string, in FulfilmentRequest) (int, error) {
	b, err := m.Booking(ctx, who, id)
	if err != nil {
		return 0, err
	}
	step := fulfilmentStep(in.Action)
	if err := mayTakeStep(who, b, step); err != nil {
		return 0, err
	}
	if err := in.check(step); err != nil {
		return 0, err
	}
	if step == stepHandOver {
		if err := m.enterCode(ctx, b, in.Code); err != nil {
			return 0, err
		}
	}
	return m.takeStep(ctx, b, step, &who.User, func(f *Fulfilment, now time.Time) {
		switch step {
		case stepSend:
			f.send(in.Carrier, in.Tracking, m.rules, now)
		case stepHandOver:
			f.Method, f.ReceivedAt = MethodMet, now
			f.Deadline, f.RemindAt, f.RemindedAt = now, time.Time{}, time.Time{} // both have seen the phone
		case stepReceive:
			f.ReceivedAt = now
			f.begin(m.rules, now)
		case stepReportProblem:
			f.Problem, f.ProblemAt = in.Reason, now
			f.begin(m.rules, now)
		case stepWait:
			f.Waited = true
			f.endAt(f.Deadline.Add(m.rules.SendWithin), m.rules.SendWithin/2)
		case stepSellerCancel:
			f.Problem = in.Reason
			f.settle(OutcomeRefund, ReasonSellerCancelled, now)
		case stepAdminSettle:
			f.settle(FulfilmentOutcome(in.Outcome), in.Reason, now)
		}
	})
}

// send enters or corrects the carrier and its number. A correction keeps both times.
func (f *Fulfilment) send(carrier, tracking string, rules Rules, now time.Time) {
	switch {
	case f.SentAt.IsZero():
		f.SentAt = now
		f.begin(rules, now)
	case f.Carrier != carrier || f.Tracking != tracking:
		f.Corrections++
	}
	f.Method, f.Carrier, f.Tracking = MethodPosted, carrier, tracking
}

// mayTakeStep returns an error if this person may not take the step. check refuses unknown
// steps.
func mayTakeStep(who Actor, b Booking, step fulfilmentStep) error {
	switch step {
	case stepSend, stepHandOver, stepSellerCancel:
		if !who.User.IsSeller() || b.SellerUID != who.User.UID {
			return forbidden("Only the seller can hand the phone over")
		}
	case stepReceive, stepReportProblem, stepWait:
		if !b.isBuyer(who) {
			return forbidden("Only the buyer can say whether the phone has arrived")
		}
	case stepAdminSettle:
		return mayDecide(who, b)
	}
	return nil
}

// mayDecide returns an error unless the person is an admin who is neither the buyer nor the
// seller of the order.
func mayDecide(who Actor, b Booking) error {
	if err := mustAdmin(who); err != nil {
		return err
	}
	if who.User.UID == b.BuyerUID || who.User.UID == b.SellerUID {
		return forbidden("You cannot decide about your own order")
	}
	return nil
}

func (in FulfilmentRequest) check(step fulfilmentStep) error {
	f := FieldsOf(in.Wrong)
	switch step {
	case stepSend:
		f.words("carrier", in.Carrier, maxShort)
		f.words("tracking", in.Tracking, maxShort)
	case stepHandOver:
		f.text("code", in.Code, handoverDigits)
	case stepReportProblem, stepSellerCancel:
		f.multiline("reason", in.Reason, maxProblem)
	case stepAdminSettle:
		f.multiline("reason", in.Reason, maxProblem)
		if o := FulfilmentOutcome(in.Outcome); o != OutcomeRelease && o != OutcomeRefund {
			f.Add("outcome", "must be release or refund")
		}
	case stepReceive, stepWait:
	default:
		f.Add("action", "must be send, handed, cancel, received, wait, problem or settle")
	}
	return f.Err()
}

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

// Orders lists the bookings of all people, newest first, for admins.
func (m *Market) Orders(ctx context.Context, who Actor, q OrderQuery, page Page) (List[Order], error) {
	if err := mustAdmin(who); err != nil {
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
		wrong.Add("state", "must be waiting, sent, received, problem or settled")
	}
	switch f.Payout {
	case "", EarningDue, EarningPaidOut, EarningDebt, EarningRepaid:
	default:
		wrong.Add("payout", "must be due, paidOut, debt or repaid")
	}
	switch f.Tab {
	case "", TabProblem, TabPayout, TabLate:
	default:
		wrong.Add("tab", "must be problem, payout or late")
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

// takeStep takes a step of a paid order and notifies both sides. who is the person who takes
// it; nil for the market. It returns 0 if the order is in that state already.
func (m *Market) takeStep(ctx context.Context, b Booking, step fulfilmentStep, who *User, change func(*Fulfilment, time.Time)) (int, error) {
	return m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		f, err := b.next(step)
		if err != nil || f == nil {
			return false, nil, err
		}
		before := *b
		change(f, now)
		if *f == *before.Fulfilment { // the same number was sent again
			return false, nil, errHandedOver()
		}
		if f.Outcome == OutcomeRelease && before.isDisputed() {
			return false, nil, errDisputed()
		}
		if who == nil && (before.isDisputed() || now.Before(before.Fulfilment.dueAt(now))) {
			return false, nil, nil // a person has changed the order since it was read
		}
		f.Handover = nil
		b.Fulfilment, b.Due = f, f.dueAt(now)
		if b.Due.IsZero() && m.payoutStep(*b) != payoutNothing {
			b.Due = now
		}
		m.checkDisputeInTime(b)
		effects, err := m.stepEffects(ctx, *b, step, who, now)
		return true, append(effects, b.ledgerEntries(before, now)...), err
	})
}

// stepEffects returns the events of a step of a paid order. who is the person who took it.
// Only an admin's decision is entered in the audit log.
func (m *Market) stepEffects(ctx context.Context, b Booking, step fulfilmentStep, who *User, at time.Time) ([]Effect, error) {
	notices, err := m.stepNotices(ctx, b, step, at)
	if err != nil {
		return nil, err
	}
	effects := append(m.bookingEvents(b, at), notices...)
	if step != stepAdminSettle && step != stepAdminRefund {
		return effects, nil
	}
	seller, err := m.idOf(ctx, b.SellerUID)
	if err != nil {
		return nil, err
	}
	action := ActionReleaseOrder
	if b.Fulfilment.Outcome == OutcomeRefund {
		action = ActionRefundOrder
	}
	return append(effects, NewAuditEntry(at, who, action).of(b.ID, b.title(), seller)), nil
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

// next returns the order's fulfilment in the state after the step; nil if the same step has
// led to the current state.
func (b Booking) next(step fulfilmentStep) (*Fulfilment, error) {
	if b.Fulfilment == nil || b.Status != BookingPaid {
		return nil, refuse(CodeClosed, "This order is not paid")
	}
	f := *b.Fulfilment
	state, ok := f.State.after(step)
	switch {
	case step == stepAdminRefund && f.Outcome == OutcomeRefund:
		return nil, refuse(CodeRefunded, "This order is being refunded already")
	case step == stepSend && f.State == FulfilmentSent && f.Corrections >= maxCorrections:
		return nil, refuse(CodeTooMany, fmt.Sprintf("The carrier and the tracking number can be corrected %d times. Please write to us", maxCorrections))
	case step == stepWait && f.Waited:
		return nil, refuse(CodeConflict, "You have given the seller more time already")
	case ok:
		f.State = state
		return &f, nil
	case step == stepReceive && f.State == FulfilmentReceived, step == stepReportProblem && f.State == FulfilmentProblem,
		step == stepSellerCancel && f.Reason == ReasonSellerCancelled:
		return nil, nil
	case f.State == FulfilmentSettled:
		return nil, refuse(CodeClosed, "This order is completed")
	case f.State == FulfilmentProblem:
		return nil, refuse(CodeConflict, "The buyer has reported a problem with this order. An admin decides about it")
	}
	return nil, errHandedOver()
}

func errHandedOver() error { return refuse(CodeConflict, "The phone has been handed over already") }

// settle settles the order.
func (f *Fulfilment) settle(outcome FulfilmentOutcome, reason string, at time.Time) {
	f.Outcome, f.Reason, f.SettledAt = outcome, reason, at
	f.Deadline, f.RemindAt, f.RemindedAt = time.Time{}, time.Time{}, time.Time{}
}
