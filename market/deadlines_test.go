package market_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

const hour = time.Hour

// pass lets time pass, and then does what is due.
func (e *env) pass(d time.Duration) {
	e.t.Helper()
	e.clock.Pass(d)
	e.step()
}

// countNotified returns how many notifications of the person contain the text.
func (e *env) countNotified(who market.Actor, text string) (n int) {
	e.t.Helper()
	for _, got := range e.notificationTexts(who) {
		if strings.Contains(got, text) {
			n++
		}
	}
	return n
}

func TestBuyerIsRefundedIfThePhoneIsNotSent(t *testing.T) {
	e, seller, buyer, p, b := paidOrder(t)
	sendBy := e.clock.Now().Add(120 * hour)
	if v := e.storedBooking(b).View().Fulfilment; !v.SendBy.Equal(sendBy) || v.SettlesAt != nil || v.DecideBy != nil {
		t.Errorf("the order is shown as %+v", v)
	}
	e.pass(60*hour - time.Second)
	if n := e.countNotified(seller, "Please send"); n != 0 {
		t.Errorf("the seller was reminded %d times before half of the time", n)
	}
	e.pass(time.Second)
	if n := e.countNotified(seller, "Please send your Nokia 3310. If you have not sent it by 6 November at 12:00 UTC, the buyer gets the money back."); n != 1 {
		t.Errorf("the seller was reminded %d times, want once: %q", n, e.notificationTexts(seller))
	}
	e.pass(60*hour - time.Second)
	e.wantState(b, market.FulfilmentWaiting, "")
	e.pass(time.Second)
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRefund)
	e.stepEvery(time.Minute, 3)
	got := e.storedBooking(b)
	if got.Status != market.BookingRefunded || got.Fulfilment.Reason != "not_sent" || e.bank.Refunds(got.Intent) != 1 {
		t.Errorf("the order is %s, %+v, refunded %d times", got.Status, got.Fulfilment, e.bank.Refunds(got.Intent))
	}
	if !slices.Contains(e.notificationTexts(buyer), "order: The seller has not sent your Nokia 3310 in time. Your money is refunded.") ||
		!slices.Contains(e.notificationTexts(seller), "order: You have not sent your Nokia 3310 in time. The buyer gets the money back.") {
		t.Errorf("the sides were notified: %q, %q", e.notificationTexts(buyer), e.notificationTexts(seller))
	}
	if p := e.stored(p); !p.Sold {
		t.Error("the phone is for sale again")
	}
}

// A reminder must stand for its time before money moves, however late it is.
func TestServerThatWasOffDecidesNothingWhenItStarts(t *testing.T) {
	for name, c := range map[string]struct {
		begin           func(e *env, seller market.Actor, b market.Booking)
		reminder        time.Duration
		before, outcome string
	}{
		"waiting": {func(*env, market.Actor, market.Booking) {}, 60 * hour, "waiting", "refund"},
		"sent":    {func(e *env, seller market.Actor, b market.Booking) { e.fulfil(seller, b, sent) }, 72 * hour, "sent", "release"},
	} {
		t.Run(name, func(t *testing.T) {
			e, seller, _, _, b := paidOrder(t)
			c.begin(e, seller, b)
			e.pass(30 * day)
			e.step()
			e.pass(c.reminder - time.Second)
			e.wantState(b, market.FulfilmentState(c.before), "")
			if due := e.storedBooking(b).Fulfilment.Deadline; !due.Equal(e.clock.Now().Add(time.Second)) {
				t.Errorf("the deadline is shown as %v, want %v", due, e.clock.Now().Add(time.Second))
			}
			e.pass(time.Second)
			e.wantState(b, market.FulfilmentSettled, market.FulfilmentOutcome(c.outcome))
		})
	}
}

// The server was off when a deadline should have been met, after its reminder.
func TestServerThatWasOffAtTheDeadlineRemindsOnceMore(t *testing.T) {
	for name, c := range map[string]struct {
		begin           func(e *env, seller, buyer market.Actor, b market.Booking)
		deadline        time.Duration
		reminder        time.Duration
		before, outcome string
	}{
		"waiting":  {func(*env, market.Actor, market.Actor, market.Booking) {}, 120 * hour, 60 * hour, "waiting", "refund"},
		"sent":     {func(e *env, seller, _ market.Actor, b market.Booking) { e.fulfil(seller, b, sent) }, 240 * hour, 72 * hour, "sent", "release"},
		"received": {func(e *env, _, buyer market.Actor, b market.Booking) { e.fulfil(buyer, b, received) }, 72 * hour, 72 * hour, "received", "release"},
	} {
		t.Run(name, func(t *testing.T) {
			e, seller, buyer, _, b := paidOrder(t)
			c.begin(e, seller, buyer, b)
			e.pass(c.deadline - c.reminder) // the reminder
			e.pass(c.reminder + 30*hour)
			e.step()
			e.pass(c.reminder - time.Second)
			e.wantState(b, market.FulfilmentState(c.before), "")
			e.pass(time.Second)
			e.wantState(b, market.FulfilmentSettled, market.FulfilmentOutcome(c.outcome))
		})
	}
}

// The buyer has no account any more when the deadline passes, after the reminder.
func TestAdminDecidesIfTheReminderCannotBeAnswered(t *testing.T) {
	for name, begin := range map[string]func(e *env, seller, buyer market.Actor, b market.Booking){
		"sent": func(e *env, seller, _ market.Actor, b market.Booking) {
			e.fulfil(seller, b, sent)
			e.pass(200 * hour)
		},
		"received": func(e *env, _, buyer market.Actor, b market.Booking) { e.fulfil(buyer, b, received) },
	} {
		t.Run(name, func(t *testing.T) {
			e, seller, buyer, _, b := paidOrder(t)
			begin(e, seller, buyer, b)
			if _, err := e.RemoveUser(e.ctx, e.admin(), buyer.User.ID, market.RemovalReason{}); err != nil {
				t.Fatal(err)
			}
			e.pass(72 * hour)
			e.wantState(b, market.FulfilmentProblem, "")
		})
	}
}

// For a moment the server has the keys of another account at the provider.
func TestDeadlineOutlivesAPaymentThatTheProviderDoesNotKnow(t *testing.T) {
	e, seller, _, _, _ := paidOrder(t)
	other := market.New(e.store, e.clock, e.rules, markettest.NewBank())
	e.clock.Pass(60 * hour)
	e.must(e.checkerOf(other).Step(e.ctx))
	e.stepEvery(10*time.Minute, 2)
	if n := e.countNotified(seller, "Please send"); n != 1 {
		t.Errorf("the seller was reminded %d times, want once", n)
	}
}

func TestBuyerGivesTheSellerMoreTimeOnce(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	wait := market.FulfilmentRequest{Action: "wait"}
	e.pass(100 * hour)
	e.fulfil(buyer, b, wait)
	if v := e.storedBooking(b).View().Fulfilment; !v.Waited || !v.SendBy.Equal(b.CreatedAt.Add(280*hour)) {
		t.Errorf("the order is shown as %+v, want more time until %v", v, b.CreatedAt.Add(280*hour)) // the late reminder of 60 h, and 120 h more
	}
	_, err := e.Fulfil(e.ctx, buyer, b.ID, wait)
	e.wantCode(err, market.CodeConflict)
	_, err = e.Fulfil(e.ctx, seller, b.ID, wait)
	e.wantCode(err, market.CodeForbidden)
	e.pass(120 * hour)
	if n := e.countNotified(seller, "Please send"); n != 2 {
		t.Errorf("the seller was reminded %d times, want once before and once after", n)
	}
	e.pass(60*hour - time.Second)
	e.wantState(b, market.FulfilmentWaiting, "")
	e.pass(time.Second)
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRefund)
}

func TestSellerCancelsAnOrderThatIsNotSent(t *testing.T) {
	e, seller, buyer, p, b := paidOrder(t)
	cancel := market.FulfilmentRequest{Action: "cancel", Reason: "It fell into the sea."}
	_, err := e.Fulfil(e.ctx, buyer, b.ID, cancel)
	e.wantCode(err, market.CodeForbidden)
	_, err = e.Fulfil(e.ctx, seller, b.ID, market.FulfilmentRequest{Action: "cancel"})
	e.wantInvalid(err, "reason")
	e.fulfil(seller, b, cancel)
	e.stepEvery(time.Minute, 3)
	got := e.storedBooking(b)
	if got.Status != market.BookingRefunded || got.Fulfilment.Reason != "seller_cancelled" {
		t.Errorf("the order is %s, %+v", got.Status, got.Fulfilment)
	}
	if n := e.countNotified(buyer, "The seller cannot send your Nokia 3310: It fell into the sea. Your money is refunded."); n != 1 {
		t.Errorf("the buyer was notified: %q", e.notificationTexts(buyer))
	}
	if n := e.countNotified(seller, "You have cancelled the sale of your Nokia 3310. The buyer gets the money back."); n != 1 {
		t.Errorf("the seller was notified: %q", e.notificationTexts(seller))
	}
	if phone := e.stored(p); !phone.Sold || !phone.ViewForSeller().Refunded { // as one that was not sent
		t.Errorf("the phone is %+v", phone)
	}
	for who, want := range map[string]int{seller.User.UID: 1, buyer.User.UID: 0} {
		if n, err := e.store.CountCancelledSales(e.ctx, who); err != nil || n != want {
			t.Errorf("%d cancelled sales are counted, want %d, error %v", n, want, err)
		}
	}
	e2, seller2, _, _, b2 := paidOrder(t)
	e2.fulfil(seller2, b2, sent)
	_, err = e2.Fulfil(e2.ctx, seller2, b2.ID, cancel)
	e2.wantCode(err, market.CodeConflict)
}

// The two sides may be together when the time to send the phone ends.
func TestHandoverCodeIsValidUntilItsEnd(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	e.pass(60 * hour)
	e.pass(60*hour - time.Minute)
	h, err := e.OpenHandover(e.ctx, buyer, b.ID)
	e.must(err)
	e.pass(9 * time.Minute)
	e.fulfil(seller, b, market.FulfilmentRequest{Action: "handed", Code: h.Code})
	e.step()
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRelease)
}

func TestDisputeStopsTheDeadline(t *testing.T) {
	e, _, _, _, b := paidOrder(t)
	intent := e.storedBooking(b).Intent
	e.pass(100 * hour)
	e.bank.Change(intent, func(in *market.Intent) { in.Dispute, in.DisputedAt = market.DisputeOpen, e.clock.Now() })
	e.must(e.ApplyPayment(e.ctx, intent))
	e.pass(50 * day)
	e.wantState(b, market.FulfilmentWaiting, "")
	e.bank.EndDispute(intent, market.DisputeWon)
	e.must(e.ApplyPayment(e.ctx, intent))
	// The reminder came after 100 hours and must stand for 60; the dispute ran for none of them.
	e.pass(60*hour - time.Second)
	e.wantState(b, market.FulfilmentWaiting, "")
	e.pass(time.Second)
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRefund)
}

func TestAdminsAreRemindedOfAProblemDaily(t *testing.T) {
	e, _, buyer, _, b := paidOrder(t)
	admins := []market.Actor{e.admin(), e.admin()}
	e.fulfil(buyer, b, problem)
	if v := e.storedBooking(b).View().Fulfilment; v.DecideBy == nil || !v.DecideBy.Equal(e.clock.Now().Add(7*day)) || v.SendBy != nil {
		t.Errorf("the order is shown as %+v", v)
	}
	e.pass(7*day - time.Second)
	e.pass(time.Second)
	e.stepEvery(day, 4)
	for _, admin := range admins {
		if n := e.countNotified(admin, "The order of Nokia 3310 still waits for your decision."); n != 4 {
			t.Errorf("an admin was reminded %d times, want 4", n)
		}
	}
	e.wantState(b, market.FulfilmentProblem, "")
	e.fulfil(admins[0], b, release)
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRelease)
}

// Nobody can answer the reminder, so an admin decides.
func TestOrderOfARemovedSideIsAProblem(t *testing.T) {
	e, seller, _, _, b := paidOrder(t)
	admin := e.admin()
	_, err := e.RemoveUser(e.ctx, admin, e.reload(seller).User.ID, market.RemovalReason{})
	e.must(err)
	e.pass(60 * hour)
	e.wantState(b, market.FulfilmentProblem, "")
	if n := e.countNotified(admin, "The seller has no account any more. Please decide about the order of Nokia 3310."); n != 1 {
		t.Errorf("the admin was notified: %q", e.notificationTexts(admin))
	}
	e.fulfil(admin, b, refund)
}

func TestChangedSettingMovesNoDeadline(t *testing.T) {
	e, _, _, _, b := paidOrder(t)
	e.rules.SendWithin = hour
	e.restart()
	e.pass(2 * hour)
	e.step()
	e.wantState(b, market.FulfilmentWaiting, "")
}
