package market_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"secondring/market"
	"secondring/market/markettest"
)

// unreachableBank is a bank for a killed process: it receives the last call or does not.
type unreachableBank struct {
	market.Payments
	*markettest.Crash
}

func (s *unreachableBank) OpenIntent(ctx context.Context, r market.IntentRequest) (in market.Intent, err error) {
	err = s.Guard(func() error { in, err = s.Payments.OpenIntent(ctx, r); return err })
	return in, err
}

func (s *unreachableBank) CancelIntent(ctx context.Context, id string) (in market.Intent, err error) {
	err = s.Guard(func() error { in, err = s.Payments.CancelIntent(ctx, id); return err })
	return in, err
}

func (s *unreachableBank) Refund(ctx context.Context, id string, attempt int) error {
	return s.Guard(func() error { return s.Payments.Refund(ctx, id, attempt) })
}

// Users act in random order and processes are killed at any write. The janitor makes phones
// and bookings consistent.
func TestRandomActionsAndCrashesConverge(t *testing.T) {
	e := newEnv(t)
	turns := &turnChecker{Store: e.store, clock: e.clock, rules: defaultRules}
	e.store = turns
	rapid.Check(t, func(r *rapid.T) {
		e.reset()
		run := &randomRun{env: e, admin: e.admin(), seen: map[string]int64{}, returned: map[string]bool{}, changes: notifiedChanges{}}
		for range 3 {
			run.buyers = append(run.buyers, e.buyer())
		}
		run.sellers = []market.Actor{e.seller(), e.seller()}
		for i := range 6 {
			run.phones = append(run.phones, e.phone(run.sellers[i%2]))
		}
		for range rapid.IntRange(1, 25).Draw(r, "actions") {
			run.runRandomAction(r)
			run.readEvents(r)
		}
		run.runUntilIdle()
		run.readEvents(r)
		run.checkConsistency(r)
		run.checkNotifications(r)
		if len(turns.wrong) > 0 {
			r.Fatalf("turns: %q", turns.wrong)
		}
	})
}

// runUntilIdle runs the background work until every crash is repaired and every payment
// is decided.
func (run *randomRun) runUntilIdle() {
	run.bank.SetUnavailable(false)
	for _, in := range run.bank.All() {
		if in.Status == market.IntentProcessing {
			run.bank.Confirm(in.ID)
		}
	}
	for range 3 {
		run.clock.Pass(16 * time.Minute) // longer than the longest time between two checks of an intent
		run.step()
	}
}

type randomRun struct {
	*env
	admin           market.Actor
	buyers, sellers []market.Actor
	phones          []market.Product
	seen            map[string]int64 // the last version that was published, by topic and entity
	returned        map[string]bool  // intents that were refunded at the provider
	changes         notifiedChanges
}

func (run *randomRun) runRandomAction(r *rapid.T) {
	m := run.Market
	if rapid.IntRange(0, 2).Draw(r, "crash") == 0 {
		crash := &markettest.Crash{
			Writes: rapid.IntRange(0, 6).Draw(r, "writes"), Made: rapid.Bool().Draw(r, "made"),
			Die: func() error { return errCrash },
		}
		m = market.New(markettest.Guarded(run.store, crash.Guard), run.clock, defaultRules, &unreachableBank{run.bank, crash})
	}
	buyer := rapid.SampledFrom(run.buyers).Draw(r, "buyer")
	phone := rapid.SampledFrom(run.phones).Draw(r, "phone")
	if u, err := run.store.User(run.ctx, buyer.User.UID); errors.Is(err, market.ErrNotFound) || u.Removed && u.SweepUntil.IsZero() {
		return // the removed person is purged, or the closed one sealed, later than any of their calls can end
	}
	var err error
	switch rapid.SampledFrom([]string{
		"book", "book", "book", "join the waitlist", "join the waitlist", "join the waitlist", "join the waitlist", "leave the waitlist", "cancel", "cancel", "verify a seller", "remove a phone", "remove a user", "leave", "leave", "minutes pass", "background jobs", "change the price",
		"pay", "pay", "pay", "pay", "pay",
	}).Draw(r, "action") {
	case "book":
		_, err = m.Book(run.ctx, buyer, market.BookingRequest{ProductID: phone.ID, Phone: "01800000"})
	case "join the waitlist":
		_, err = m.JoinWaitlist(run.ctx, buyer, market.WaitlistRequest{ProductID: phone.ID, Phone: "01900000"})
	case "leave the waitlist":
		_, err = m.LeaveWaitlist(run.ctx, buyer, phone.ID)
	case "cancel":
		held, _ := run.store.HeldBookings(run.ctx, buyer.User.UID, 10)
		if len(held) > 0 {
			_, err = m.CancelBooking(run.ctx, buyer, held[0].ID)
		}
	case "verify a seller":
		_, err = m.VerifySeller(run.ctx, run.admin, run.sellers[0].User.ID, market.VerifyRequest{})
	case "remove a phone":
		_, err = m.RemoveProduct(run.ctx, run.sellers[0], phone.ID, market.RemovalReason{})
	case "remove a user":
		people := append(run.buyers[:1:1], run.sellers[1])
		_, err = m.RemoveUser(run.ctx, run.admin, rapid.SampledFrom(people).Draw(r, "person").User.ID, market.RemovalReason{})
	case "leave":
		people := append(run.buyers[1:2:2], run.sellers[1])
		err = m.DeleteAccount(run.ctx, market.Account{UID: rapid.SampledFrom(people).Draw(r, "person").User.UID})
	case "minutes pass":
		run.clock.Pass(time.Duration(rapid.IntRange(1, 90).Draw(r, "minutes")) * time.Minute)
	case "background jobs":
		err = errors.Join(run.janitorOf(m).Step(run.ctx), run.checkerOf(m).Step(run.ctx))
	case "change the price":
		price := rapid.IntRange(30, 32).Draw(r, "price")
		_, err = m.ChangeProduct(run.ctx, run.sellers[0], phone.ID, market.ProductChange{ResalePrice: &price})
	case "pay":
		err = run.actOnPayment(r, m, buyer)
	}
	if err != nil && market.CodeOf(err) == "" && !errors.Is(err, errCrash) && !errors.Is(err, market.ErrPaymentsUnavailable) {
		r.Fatalf("an unexpected error: %v", err)
	}
}

// actOnPayment performs one random action on one of a buyer's bookings.
func (run *randomRun) actOnPayment(r *rapid.T, m *market.Market, buyer market.Actor) error {
	list, err := run.store.BookingsOf(run.ctx, buyer.User.UID, market.Page{Limit: 20})
	if err != nil || len(list.Items) == 0 {
		return err
	}
	b := rapid.SampledFrom(list.Items).Draw(r, "booking")
	switch rapid.SampledFrom([]string{
		"open", "open", "confirm", "confirm", "confirm", "process", "report", "webhook", "refund", "cancel at the provider", "outage begins", "outage ends",
	}).Draw(r, "payment") {
	case "open":
		_, err = m.OpenPayment(run.ctx, buyer, market.OpenPaymentRequest{BookingID: b.ID, Price: &b.Price})
	case "confirm":
		run.bank.Confirm(b.Intent)
	case "process":
		run.bank.Process(b.Intent)
	case "report":
		_, err = m.Pay(run.ctx, buyer, market.PaymentRequest{
			BookingID: b.ID, Transaction: b.Intent, Email: buyer.User.Email, Price: &b.Price,
		})
	case "webhook":
		err = m.ApplyPayment(run.ctx, b.Intent)
	case "refund":
		if b.Status == market.BookingPaid && rapid.IntRange(0, 3).Draw(r, "refund is made") == 0 {
			run.bank.Change(b.Intent, func(in *market.Intent) { in.Returned = in.Status == market.IntentSucceeded })
			run.returned[b.Intent] = true
		}
	case "cancel at the provider":
		_, _ = run.bank.CancelIntent(run.ctx, b.Intent) // no effect if the bank is unavailable
	case "outage begins":
		run.bank.SetUnavailable(true)
	case "outage ends":
		run.bank.SetUnavailable(false)
	}
	return err
}

// readEvents fails the test if a topic has an older version after a newer one.
func (run *randomRun) readEvents(r *rapid.T) {
	for _, e := range run.drain() {
		if e.Topic == market.TopicControl {
			continue
		}
		key := e.Topic + " " + e.Entity
		if e.Version <= run.seen[key] {
			r.Fatalf("%s %s: version %d after %d", key, e.Type, e.Version, run.seen[key])
		}
		run.seen[key] = e.Version
		run.changes.add(r, e)
	}
}

// checkConsistency checks the data when no work is left: a phone is held if and only if one
// held booking holds it, it is sold if and only if a payment bought it, and a booking is
// paid if and only if one charge of its price was kept.
func (run *randomRun) checkConsistency(r *rapid.T) {
	run.returnedPayments()
	holder, charge := map[string]market.Booking{}, map[string]market.Intent{}
	for _, in := range run.bank.Charged() {
		if other, twice := charge[in.BookingID]; twice {
			r.Fatalf("booking %s was charged by %s and %s", in.BookingID, other.ID, in.ID)
		}
		charge[in.BookingID] = in
	}
	for _, buyer := range run.buyers {
		run.checkBuyer(r, buyer, holder, charge)
	}
	if len(charge) > 0 {
		r.Fatalf("charged without a paid booking: %v", charge)
	}
	for _, p := range run.phones {
		now, err := run.store.Product(run.ctx, p.ID)
		b, isHeld := holder[p.ID]
		if errors.Is(err, market.ErrNotFound) {
			if isHeld && b.Status == market.BookingHeld {
				r.Fatalf("a removed phone is held by %s", b.ID)
			}
			continue
		}
		run.must(err)
		if now.Booked() != isHeld || (isHeld && !now.HeldBy(b.ID)) || now.Sold != (isHeld && b.Status != market.BookingHeld) {
			r.Fatalf("phone %+v, sold %v; booking %+v", now.Hold, now.Sold, b)
		}
		if len(now.Waitlist) > 0 && (now.Hold == nil || now.Sold) {
			r.Fatalf("phone %+v, sold %v, has the waitlist %+v", now.Hold, now.Sold, now.Waitlist)
		}
		for _, w := range now.Waitlist {
			if u, err := run.store.User(run.ctx, w.UID); err != nil || u.Removed || w.UID == now.Hold.BuyerUID {
				r.Fatalf("%s is on the waitlist of %s: %+v, %v", w.UID, p.ID, u, err)
			}
		}
	}
}

// checkBuyer checks one buyer's bookings. It records the holder of each phone, and removes
// the charges that belong to a booking from the list.
func (run *randomRun) checkBuyer(r *rapid.T, buyer market.Actor, holder map[string]market.Booking, charge map[string]market.Intent) {
	list, err := run.store.BookingsOf(run.ctx, buyer.User.UID, market.Page{Limit: 1000})
	run.must(err)
	held := 0
	for _, b := range list.Items {
		run.checkSides(r, b)
		in, charged := charge[b.ID]
		if charged != (b.Status == market.BookingPaid) || (charged && (in.Cents != int64(b.Price)*100 || in.ID != b.Intent)) {
			r.Fatalf("booking %+v, charge %+v", b, in)
		}
		delete(charge, b.ID)
		if b.Status == market.BookingHeld {
			held++
		}
		if b.Status != market.BookingHeld && b.Status != market.BookingPaid && !run.returned[b.Intent] {
			continue
		}
		if other, twice := holder[b.ProductID]; twice {
			r.Fatalf("phone %s belongs to %s and %s", b.ProductID, other.ID, b.ID)
		}
		holder[b.ProductID] = b
	}
	if held > defaultRules.MaxHolds {
		r.Fatalf("%s holds %d phones", buyer.User.Name, held)
	}
}

// returnedPayments delivers the webhooks of refunds that were made at the provider.
func (run *randomRun) returnedPayments() {
	for id := range run.returned {
		run.must(run.ApplyPayment(run.ctx, id))
	}
}

// Concurrent actions on the same phones leave consistent data.
func TestConcurrentActionsConverge(t *testing.T) {
	e := newEnv(t)
	run := &randomRun{env: e, admin: e.admin(), seen: map[string]int64{}, returned: map[string]bool{}, changes: notifiedChanges{}}
	for range 8 {
		run.buyers = append(run.buyers, e.buyer())
	}
	run.sellers = []market.Actor{e.seller()}
	for range 5 {
		run.phones = append(run.phones, e.phone(run.sellers[0]))
	}
	done := make(chan error)
	for i, buyer := range run.buyers {
		go func() { done <- run.runBuyer(buyer, rand.New(rand.NewPCG(1, uint64(i)))) }()
	}
	for range run.buyers {
		e.must(<-done)
	}
	run.runUntilIdle()
	rapid.Check(t, func(r *rapid.T) {
		run.readEvents(r)
		run.checkConsistency(r)
		run.checkNotifications(r)
	})
}

// runBuyer books, cancels and pays at random, and tries to leave now and then.
func (run *randomRun) runBuyer(buyer market.Actor, random *rand.Rand) error {
	for i := range 40 {
		if i > 20 && random.IntN(8) == 0 {
			err := run.DeleteAccount(run.ctx, market.Account{UID: buyer.User.UID})
			if ignoreRefusals(err) != nil || err == nil {
				return err
			}
		}
		p := run.phones[random.IntN(len(run.phones))]
		b, err := run.book(buyer, p)
		if err != nil && market.CodeOf(err) == "" {
			return err
		}
		switch {
		case err != nil:
		case random.IntN(2) == 0:
			if _, err := run.CancelBooking(run.ctx, buyer, b.ID); err != nil && market.CodeOf(err) == "" {
				return err
			}
		case random.IntN(2) == 0:
			if err := run.checkOut(buyer, b, random); err != nil {
				return err
			}
		case random.IntN(3) == 0:
			run.clock.Pass(20 * time.Minute)
			err := errors.Join(run.janitorOf(run.Market).Step(run.ctx), run.checkerOf(run.Market).Step(run.ctx))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// checkOut pays for a booking, unless a concurrent action prevents it.
func (run *randomRun) checkOut(buyer market.Actor, b market.Booking, random *rand.Rand) error {
	if _, err := run.openPayment(buyer, b); err != nil {
		return ignoreRefusals(err)
	}
	b, err := run.store.Booking(run.ctx, b.ID)
	if err != nil {
		return err
	}
	if random.IntN(3) == 0 {
		run.bank.Process(b.Intent)
	} else {
		run.bank.Confirm(b.Intent)
	}
	if random.IntN(2) == 0 {
		return ignoreRefusals(run.ApplyPayment(run.ctx, b.Intent))
	}
	_, err = run.pay(buyer, b, b.Intent)
	return ignoreRefusals(err)
}

// ignoreRefusals returns nil for errors that users can get in normal use.
func ignoreRefusals(err error) error {
	if market.CodeOf(err) != "" {
		return nil
	}
	return err
}
