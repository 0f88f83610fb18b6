package market_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"secondring/market"
)

const day = 24 * time.Hour

func TestBookingsWithoutMoneyAreForgottenAfterAYear(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller(), w.buyer()
	paid, intent := w.order(buyer, w.phone(seller))
	w.bank.Confirm(intent)
	_, err := w.pay(buyer, paid, intent)
	w.must(err)
	cancelled, lapsed := w.booked(buyer, w.phone(seller)), w.booked(buyer, w.phone(seller))
	_, err = w.CancelBooking(w.ctx, buyer, cancelled.ID)
	w.must(err)
	w.clock.Pass(2 * time.Hour)
	w.must(w.janitor.Step(w.ctx))

	w.clock.Pass(market.BookingKept - 3*time.Hour)
	w.must(w.janitor.Step(w.ctx))
	for _, b := range []market.Booking{paid, cancelled, lapsed} {
		w.storedBooking(b)
	}
	w.clock.Pass(4 * time.Hour)
	w.must(w.janitor.Step(w.ctx))
	for _, b := range []market.Booking{cancelled, lapsed} {
		if _, err := w.store.Booking(w.ctx, b.ID); !errors.Is(err, market.ErrNotFound) {
			t.Errorf("%s after a year: %v", b.ID, err)
		}
	}
	if got := w.storedBooking(paid); got.Status != market.BookingPaid {
		t.Errorf("the paid one: %+v", got)
	}
}

// stray is somebody who signed up and is no user of the market.
func (w *env) stray(name string) market.Account {
	w.t.Helper()
	a := market.Account{UID: market.NewID(w.clock.Now()), Email: name + "@example.com", Version: 1, CreatedAt: w.clock.Now()}
	w.must(w.store.AddAccount(w.ctx, a))
	w.signIn(a)
	return a
}

func (w *env) signIn(a market.Account) {
	w.t.Helper()
	w.must(w.store.AddSession(w.ctx, market.Session{
		ID: market.NewID(w.clock.Now()), UID: a.UID, CreatedAt: w.clock.Now(), ExpiresAt: w.clock.Now().Add(365 * day),
	}))
}

func (w *env) hasAccount(a market.Account) bool {
	w.t.Helper()
	_, err := w.store.Account(w.ctx, a.UID)
	if err != nil && !errors.Is(err, market.ErrNotFound) {
		w.t.Fatal(err)
	}
	return err == nil
}

// look has the janitor look for strays once, and forget them.
func (w *env) look() {
	w.t.Helper()
	w.must(w.janitor.Step(w.ctx))
	w.clock.Pass(time.Minute)
	w.must(w.janitor.Step(w.ctx))
}

func TestAccountsOfNobodyAreForgottenAfterAMonth(t *testing.T) {
	w := newEnv(t)
	stray, banned, buyer := w.stray("stray"), w.stray("banned"), w.buyer()
	banned.Removed, banned.Version = true, 2
	w.must(w.store.SaveAccount(w.ctx, banned, nil))
	w.look()
	w.clock.Pass(market.StrayKept - time.Hour)
	young := w.stray("young")
	w.look()
	if !w.hasAccount(stray) {
		t.Error("forgotten within a month")
	}
	w.clock.Pass(day)
	w.drain()
	w.look()
	if w.hasAccount(stray) {
		t.Error("kept for longer than a month")
	}
	if told := w.told(); !slices.Contains(told, "control access.ended") {
		t.Errorf("its access did not end: %q", told)
	}
	if left, err := w.store.SessionsOf(w.ctx, stray.UID); err != nil || len(left) != 0 {
		t.Errorf("its sessions: %v, %v", left, err)
	}
	for _, a := range []market.Account{young, banned, {UID: buyer.User.UID}} {
		if !w.hasAccount(a) {
			t.Errorf("%s is gone", a.Email)
		}
	}
	w.clock.Pass(market.StrayKept)
	w.look()
	if w.hasAccount(young) || !w.hasAccount(banned) || !w.hasAccount(market.Account{UID: buyer.User.UID}) {
		t.Error("janitor does not look again")
	}
}

// An account that becomes a user, or signs in again, while it is being purged is kept.
func TestNobodyIsForgottenWhileTheyBecomeAUser(t *testing.T) {
	w := newEnv(t)
	user, back := w.stray("user"), w.stray("back")
	w.clock.Pass(market.StrayKept + time.Hour)
	w.must(w.janitor.Step(w.ctx))
	_, err := w.AddUser(w.ctx, user, market.NewUser{Name: "Uma", Email: user.Email, AccountType: market.AccountUser})
	w.must(err)
	w.signIn(back)
	w.clock.Pass(time.Minute)
	w.must(w.janitor.Step(w.ctx))
	if !w.hasAccount(user) || !w.hasAccount(back) {
		t.Errorf("user %v, back %v", w.hasAccount(user), w.hasAccount(back))
	}
	w.clock.Pass(time.Hour)
	w.look()
	if left, err := w.store.SessionsOf(w.ctx, back.UID); err != nil || len(left) != 1 {
		t.Errorf("signed out again within an hour: %v, %v", left, err)
	}
}

// Janitor looks at a batch of accounts in a step, however many there are.
func TestStraysAreFoundInBatches(t *testing.T) {
	w := newEnv(t)
	var all []market.Account
	for i := range 450 {
		a := market.Account{UID: market.NewID(w.clock.Now()), Email: market.NewID(w.clock.Now()) + "@example.com", Version: 1, CreatedAt: w.clock.Now()}
		w.must(w.store.AddAccount(w.ctx, a))
		if i%100 == 0 {
			all = append(all, a)
			continue
		}
		_, err := w.AddUser(w.ctx, a, market.NewUser{Name: "Uma", Email: a.Email, AccountType: market.AccountUser})
		w.must(err)
	}
	w.clock.Pass(market.StrayKept + time.Hour)
	for range 3 {
		w.look()
	}
	for _, a := range all {
		if w.hasAccount(a) {
			t.Errorf("%s is there still", a.UID)
		}
	}
}
