package market

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Every state of a paid order has a deadline, which is fixed when it begins. Before a deadline
// moves money, the side that would lose is reminded, and the deadline is not met before the
// reminder has stood for its time. If it could not be met in time, because the server was off or the
// order was not paid for a while, the side is reminded once more. So a server that was off decides
// nothing when it starts. A problem has a deadline too: from then on the admins are reminded daily.
//
// While a dispute is open at the buyer's bank, nothing is decided. Its end moves the deadline by
// the time that the dispute took.

// decideWithin is how long an admin may take to decide about a problem, and adminReminder is the
// time between two reminders afterwards.
const (
	decideWithin  = 7 * 24 * time.Hour
	adminReminder = 24 * time.Hour
)

// Reasons of outcomes that no admin decided, in Fulfilment.Reason.
const (
	ReasonNotSent         = "not_sent"         // the seller did not send the phone in time
	ReasonSellerCancelled = "seller_cancelled" // the seller cannot send it
	ReasonNotReturned     = "not_returned"     // the buyer did not return the phone in time: the seller gets the money
)

// begin begins the deadline of the state that the order has entered.
func (f *Fulfilment) begin(rules Rules, now time.Time) {
	f.AnswerBy, f.Late = time.Time{}, false
	switch f.State {
	case FulfilmentWaiting, FulfilmentReturning:
		f.endAt(now.Add(rules.SendWithin), rules.SendWithin/2)
	case FulfilmentSent, FulfilmentSentBack:
		f.endAt(now.Add(rules.Transit+rules.SettleAfter), rules.SettleAfter)
	case FulfilmentReceived:
		f.Deadline, f.RemindAt, f.RemindedAt = now.Add(rules.SettleAfter), time.Time{}, now // by the notice of the receipt
	case FulfilmentProblem:
		f.endAt(now.Add(decideWithin), 0)
	case FulfilmentSettled: // by settle
	}
}

// awaitAnswer gives the seller time to answer the buyer's problem. Afterwards the admins are reminded.
func (f *Fulfilment) awaitAnswer(rules Rules, now time.Time) {
	f.AnswerBy = now.Add(rules.SettleAfter)
	if f.AnswerBy.Before(f.Deadline) {
		f.RemindAt = f.AnswerBy
	}
}

// answered ends the time to answer.
func (f *Fulfilment) answered() {
	f.AnswerBy, f.Late = time.Time{}, false
	if f.RemindAt.Before(f.Deadline) {
		f.RemindAt = f.Deadline
	}
}

// endAt sets the deadline, and the reminder so long before it.
func (f *Fulfilment) endAt(deadline time.Time, reminder time.Duration) {
	f.Deadline, f.RemindAt, f.RemindedAt = deadline, deadline.Add(-reminder), time.Time{}
}

// reminded records that the reminder was sent. The deadline is never sooner than the time that
// the reminder must stand.
func (f *Fulfilment) reminded(now time.Time) {
	due := f.RemindAt
	if due.IsZero() { // once more
		due = f.RemindedAt
	}
	if stands := now.Add(f.Deadline.Sub(due)); stands.After(f.Deadline) {
		f.Deadline = stands
	}
	f.RemindAt, f.RemindedAt = time.Time{}, now
}

// minLate is how late a deadline may be met on a busy server.
const minLate = 5 * time.Second

// isLate returns whether the deadline is met so late that the side that loses must be reminded once
// more: a quarter of the time that its reminder stood.
func (f *Fulfilment) isLate(now time.Time) bool {
	return !f.RemindedAt.IsZero() && now.Sub(f.Deadline) > max(minLate, f.Deadline.Sub(f.RemindedAt)/4)
}

// resume moves the deadline by the time of the dispute that has ended, as far as it ran in this
// state.
func (b *Booking) resume() {
	if b.Fulfilment == nil {
		return
	}
	f, from := *b.Fulfilment, b.Dispute.OpenedAt
	for _, began := range f.began() {
		if began.After(from) {
			from = began
		}
	}
	for _, at := range []*time.Time{&f.Deadline, &f.RemindAt, &f.RemindedAt, &f.AnswerBy} {
		if !at.IsZero() {
			*at = at.Add(b.Dispute.ClosedAt.Sub(from))
		}
	}
	b.Fulfilment = &f
}

// began returns when each state began; zero for one that did not.
func (f Fulfilment) began() []time.Time {
	all := []time.Time{f.PaidAt, f.SentAt, f.ReceivedAt, f.ProblemAt, f.ReturningAt}
	if f.Return != nil {
		all = append(all, f.Return.At)
	}
	if f.Objection != nil {
		all = append(all, f.Objection.At)
	}
	return all
}

// dueAt returns when the order is checked next; zero for never.
func (f Fulfilment) dueAt(now time.Time) time.Time {
	switch {
	case f.Outcome == OutcomeRefund:
		return now
	case !f.RemindAt.IsZero():
		return f.RemindAt
	}
	return f.Deadline
}

// needsAdmin returns whether only an admin can end the order's state.
func (b Booking) needsAdmin() bool {
	return b.Fulfilment.State == FulfilmentProblem || b.isPartLost()
}

// meetDeadline does what is due of a paid order: a reminder, or the end of its state.
func (m *Market) meetDeadline(ctx context.Context, b Booking) (Booking, error) {
	due := b.Fulfilment.dueAt(m.clock.Now())
	if b.isDisputed() {
		due = m.nextDisputeCheck(b)
	}
	if due.IsZero() || m.clock.Now().Before(due) {
		if b.Due.Equal(due) {
			return b, nil
		}
		b.Due = due
		return m.saveIfUnchanged(ctx, b)
	}
	var err error
	switch f := b.Fulfilment; {
	case b.needsAdmin():
		err = m.remindAdmins(ctx, b)
	case !f.RemindAt.IsZero(), f.isLate(m.clock.Now()):
		err = m.remindSide(ctx, b)
	default:
		err = m.endByTime(ctx, b)
	}
	if CodeOf(err) != "" { // a person took a step at the same time
		err = nil
	}
	if err != nil {
		return b, err
	}
	return m.store.Booking(ctx, b.ID)
}

// endByTime ends the state of an order whose deadline has passed.
func (m *Market) endByTime(ctx context.Context, b Booking) error {
	outcome, reason := b.Fulfilment.byTime()
	if !b.Fulfilment.RemindedAt.IsZero() { // otherwise both sides have confirmed the handover
		if isLeft, err := m.endWithoutSide(ctx, b); err != nil || isLeft {
			return err
		}
	}
	_, err := m.takeStep(ctx, b, stepTimeout, nil, func(f *Fulfilment, now time.Time) { f.settle(outcome, reason, now) })
	return err
}

// byTime returns what the deadline of the state leads to.
func (f Fulfilment) byTime() (outcome FulfilmentOutcome, reason string) {
	switch f.State {
	case FulfilmentWaiting:
		return OutcomeRefund, ReasonNotSent
	case FulfilmentReturning:
		return OutcomeRelease, ReasonNotReturned
	case FulfilmentSentBack:
		return OutcomeRefund, f.Reason
	}
	return OutcomeRelease, ""
}

// loser returns the side that loses by the deadline.
func (b Booking) loser() (uid, side string) {
	if outcome, _ := b.Fulfilment.byTime(); outcome == OutcomeRefund {
		return b.SellerUID, "seller"
	}
	return b.BuyerUID, "buyer"
}

// endWithoutSide makes an order a problem, about which an admin decides, if the side that loses by the
// deadline has no account any more: nobody can answer.
func (m *Market) endWithoutSide(ctx context.Context, b Booking) (isLeft bool, err error) {
	uid, side := b.loser()
	u, err := m.store.User(ctx, uid)
	if err == nil && !u.Removed || ignoreNotFound(err) != nil {
		return false, err
	}
	_, err = m.takeStep(ctx, b, stepSideLeft, nil, func(f *Fulfilment, now time.Time) {
		f.Problem, f.ProblemAt = strings.TrimSpace(f.Problem+" The "+side+" has no account any more."), now
		f.begin(m.rules, now)
	})
	return true, err
}

// remindSide reminds the side that loses by the deadline.
func (m *Market) remindSide(ctx context.Context, b Booking) error {
	if isLeft, err := m.endWithoutSide(ctx, b); err != nil || isLeft {
		return err
	}
	uid, _ := b.loser()
	return m.remind(ctx, b, func(b *Booking, f *Fulfilment, now time.Time) ([]Effect, error) {
		f.reminded(now)
		return []Effect{reminder(*b, uid, f.Deadline, now)}, nil
	})
}

// reminder reminds a side of a deadline.
func reminder(b Booking, uid string, deadline, at time.Time) Notification {
	text := map[FulfilmentState]string{
		FulfilmentWaiting:   "Please send your %s. If you have not sent it by %s, the buyer gets the money back.",
		FulfilmentSent:      "Has your %s come? On %s the money goes to the seller, unless you report a problem.",
		FulfilmentReceived:  "Has your %s come? On %s the money goes to the seller, unless you report a problem.",
		FulfilmentReturning: "Please return your %s. If you have not sent it back by %s, the money goes to the seller.",
		FulfilmentSentBack:  "Has your %s come back? On %s the buyer gets the money back, unless you say what is wrong.",
	}[b.Fulfilment.State]
	return notify(uid, NotifyOrder, b.ProductID, fmt.Sprintf(text, b.title(), inFull(deadline)), linkOrder+b.ID, at)
}

// inFull returns a time for a text: "5 December at 14:05 UTC".
func inFull(t time.Time) string { return t.UTC().Format("2 January at 15:04 UTC") }

// OnDay returns the day of a time that may be in another year: "27 November 2026".
func OnDay(t time.Time) string { return t.UTC().Format("2 January 2006") }

// remindAdmins reminds every admin of an order about which one of them must decide: when the seller has
// not answered in time, and daily from the deadline on.
func (m *Market) remindAdmins(ctx context.Context, b Booking) error {
	return m.remind(ctx, b, func(b *Booking, f *Fulfilment, now time.Time) ([]Effect, error) {
		text := "The order of " + b.title() + " still waits for your decision."
		f.RemindAt = now.Add(adminReminder)
		if f.Late = f.isUnanswered(now); f.Late && now.Before(f.Deadline) {
			text = "The seller of " + b.title() + " has not answered the problem in time. Please decide."
			f.RemindAt = f.Deadline
		}
		return m.notifyAdmins(ctx, NotifyOrder, b.ProductID, text, linkOrder+b.ID, now)
	})
}

// isUnanswered returns whether the seller has not answered the problem in time.
func (f Fulfilment) isUnanswered(now time.Time) bool {
	return f.State == FulfilmentProblem && !f.AnswerBy.IsZero() && !now.Before(f.AnswerBy)
}

// remind stores a reminder with its notifications, unless the order has changed since it was read.
func (m *Market) remind(ctx context.Context, read Booking, change func(*Booking, *Fulfilment, time.Time) ([]Effect, error)) error {
	_, err := m.changeBooking(ctx, read, func(b *Booking, now time.Time) (bool, []Effect, error) {
		if b.Version != read.Version+1 {
			return false, nil, nil
		}
		f := *b.Fulfilment
		effects, err := change(b, &f, now)
		b.Fulfilment, b.Due = &f, f.dueAt(now)
		return true, append(m.bookingEvents(*b, now), effects...), err
	})
	return err
}
