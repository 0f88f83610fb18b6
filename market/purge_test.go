package market_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"secondring/market"
)

const day = 24 * time.Hour

func TestUnpaidBookingsArePurgedAfterAYear(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	paid, intent := e.bookWithIntent(buyer, e.phone(seller))
	e.bank.Confirm(intent)
	_, err := e.pay(buyer, paid, intent)
	e.must(err)
	cancelled, expired := e.mustBook(buyer, e.phone(seller)), e.mustBook(buyer, e.phone(seller))
	_, err = e.CancelBooking(e.ctx, buyer, cancelled.ID)
	e.must(err)
	e.clock.Pass(2 * time.Hour)
	e.must(e.janitor.Step(e.ctx))

	e.clock.Pass(market.BookingRetention - 3*time.Hour)
	e.must(e.janitor.Step(e.ctx))
	for _, b := range []market.Booking{paid, cancelled, expired} {
		e.storedBooking(b)
	}
	e.clock.Pass(4 * time.Hour)
	e.must(e.janitor.Step(e.ctx))
	for _, b := range []market.Booking{cancelled, expired} {
		if _, err := e.store.Booking(e.ctx, b.ID); !errors.Is(err, market.ErrNotFound) {
			t.Errorf("the booking %s is still stored after a year: %v", b.ID, err)
		}
	}
	if got := e.storedBooking(paid); got.Status != market.BookingPaid {
		t.Errorf("the paid booking is %+v", got)
	}
}

// accountWithoutUser signs up an account without a user.
func (e *env) accountWithoutUser(name string) market.Account {
	e.t.Helper()
	a := market.Account{UID: market.NewID(e.clock.Now()), Email: name + "@example.com", Version: 1, CreatedAt: e.clock.Now()}
	e.must(e.store.AddAccount(e.ctx, a, nil))
	e.signIn(a)
	return a
}

func (e *env) signIn(a market.Account) {
	e.t.Helper()
	e.must(e.store.AddSession(e.ctx, market.Session{
		ID: market.NewID(e.clock.Now()), UID: a.UID, CreatedAt: e.clock.Now(), ExpiresAt: e.clock.Now().Add(365 * day),
	}))
}

func (e *env) hasAccount(a market.Account) bool {
	e.t.Helper()
	_, err := e.store.Account(e.ctx, a.UID)
	if err != nil && !errors.Is(err, market.ErrNotFound) {
		e.t.Fatal(err)
	}
	return err == nil
}

// stepTwice runs a step of the janitor, and another one a minute later.
func (e *env) stepTwice() {
	e.t.Helper()
	e.must(e.janitor.Step(e.ctx))
	e.clock.Pass(time.Minute)
	e.must(e.janitor.Step(e.ctx))
}

func TestAccountsWithoutUserArePurgedAfterAMonth(t *testing.T) {
	e := newEnv(t)
	accountWithoutUser, banned, buyer := e.accountWithoutUser("unused"), e.accountWithoutUser("banned"), e.buyer()
	banned.Removed, banned.Version = true, 2
	e.must(e.store.SaveAccount(e.ctx, banned, nil))
	e.stepTwice()
	e.clock.Pass(market.OrphanedAccountTTL - time.Hour)
	newer := e.accountWithoutUser("newer")
	e.stepTwice()
	if !e.hasAccount(accountWithoutUser) {
		t.Error("the account was purged within a month")
	}
	e.clock.Pass(day)
	e.drain()
	e.stepTwice()
	if e.hasAccount(accountWithoutUser) {
		t.Error("the account is still stored after a month")
	}
	if publishedEvents := e.publishedEvents(); !slices.Contains(publishedEvents, "control access.ended") {
		t.Errorf("no event ends the access: %q", publishedEvents)
	}
	if remaining, err := e.store.SessionsOf(e.ctx, accountWithoutUser.UID); err != nil || len(remaining) != 0 {
		t.Errorf("the purged account has the sessions %v, %v", remaining, err)
	}
	for _, a := range []market.Account{newer, banned, {UID: buyer.User.UID}} {
		if !e.hasAccount(a) {
			t.Errorf("the account %s was purged", a.UID)
		}
	}
	e.clock.Pass(market.OrphanedAccountTTL)
	e.stepTwice()
	if e.hasAccount(newer) || !e.hasAccount(banned) || !e.hasAccount(market.Account{UID: buyer.User.UID}) {
		t.Error("the janitor did not purge the newer account, or purged another one")
	}
}

// An account that becomes a user, or signs in again, during the purge is kept.
func TestAccountInUseIsNotPurged(t *testing.T) {
	e := newEnv(t)
	user, active := e.accountWithoutUser("user"), e.accountWithoutUser("active")
	e.clock.Pass(market.OrphanedAccountTTL + time.Hour)
	e.must(e.janitor.Step(e.ctx))
	_, err := e.AddUser(e.ctx, user, market.UserRequest{Name: "Uma", Email: user.Email, AccountType: market.AccountUser})
	e.must(err)
	e.signIn(active)
	e.clock.Pass(time.Minute)
	e.must(e.janitor.Step(e.ctx))
	if !e.hasAccount(user) || !e.hasAccount(active) {
		t.Errorf("the account of the user is stored: %v; the one that signed in again: %v", e.hasAccount(user), e.hasAccount(active))
	}
	e.clock.Pass(time.Hour)
	e.stepTwice()
	if remaining, err := e.store.SessionsOf(e.ctx, active.UID); err != nil || len(remaining) != 1 {
		t.Errorf("the sessions an hour later are %v, %v, want one", remaining, err)
	}
}

// The janitor reads one batch of accounts in a step.
func TestAccountsWithoutUserAreReadInBatches(t *testing.T) {
	e := newEnv(t)
	var all []market.Account
	for i := range 450 {
		a := market.Account{UID: market.NewID(e.clock.Now()), Email: market.NewID(e.clock.Now()) + "@example.com", Version: 1, CreatedAt: e.clock.Now()}
		e.must(e.store.AddAccount(e.ctx, a, nil))
		if i%100 == 0 {
			all = append(all, a)
			continue
		}
		_, err := e.AddUser(e.ctx, a, market.UserRequest{Name: "Uma", Email: a.Email, AccountType: market.AccountUser})
		e.must(err)
	}
	e.clock.Pass(market.OrphanedAccountTTL + time.Hour)
	for range 3 {
		e.stepTwice()
	}
	for _, a := range all {
		if e.hasAccount(a) {
			t.Errorf("the account %s is still stored", a.UID)
		}
	}
}
