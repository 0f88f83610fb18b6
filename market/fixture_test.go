package market_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
	"secondring/store/sqlite/sqlitetest"
)

// env is a market with a real store and people in it.
type env struct {
	*market.Market
	t       *testing.T
	ctx     context.Context
	store   market.Store
	clock   *markettest.Clock
	janitor *market.Janitor
	rules   market.Rules
	bank    *markettest.Bank
	till    *market.PaymentReconciler
	brand   market.Brand
	people  int
}

var plainRules = market.Rules{BookingHold: time.Hour, MaxHolds: 3, Advertise: market.AdvertiseVerified}

func newEnv(t *testing.T) *env { return newEnvWith(t, plainRules) }

func newEnvWith(t *testing.T, rules market.Rules) *env {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "market.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return envOver(t, store, rules)
}

func envOver(t *testing.T, store market.Store, rules market.Rules) *env {
	t.Helper()
	c := markettest.NewClock(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))
	w := &env{t: t, ctx: t.Context(), store: store, clock: c, rules: rules}
	w.begin()
	brand, err := w.AddBrand(w.ctx, "Nokia", "/photos/nokia.jpg")
	w.must(err)
	w.brand = brand
	return w
}

// begin opens the market anew, with a bank that has no intents.
func (w *env) begin() {
	w.bank = markettest.NewBank()
	w.Market = market.New(w.store, w.clock, w.rules, w.bank)
	w.janitor, w.till = market.NewJanitor(w.Market, discard), market.NewPaymentReconciler(w.Market, discard)
}

func (w *env) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *env) person(accountType string) market.Actor {
	w.t.Helper()
	w.people++
	name := fmt.Sprintf("Person %d", w.people)
	a := market.Account{
		UID: market.NewID(w.clock.Now()), Email: fmt.Sprintf("p%d@example.com", w.people),
		DisplayName: name, Version: 1, CreatedAt: w.clock.Now(),
	}
	w.must(w.store.AddAccount(w.ctx, a))
	u, err := w.AddUser(w.ctx, a, market.NewUser{Name: name, Email: a.Email, AccountType: accountType})
	w.must(err)
	session := market.Session{ID: "s" + a.UID, UID: a.UID, CreatedAt: w.clock.Now(), ExpiresAt: w.clock.Now().Add(24 * 365 * time.Hour)}
	w.must(w.store.AddSession(w.ctx, session))
	return market.Actor{User: u, Session: session.ID}
}

func (w *env) buyer() market.Actor  { return w.person(market.AccountUser) }
func (w *env) seller() market.Actor { return w.person(market.AccountSeller) }

func (w *env) admin() market.Actor {
	w.t.Helper()
	who := w.buyer()
	a, err := w.store.Account(w.ctx, who.User.UID)
	w.must(err)
	w.must(w.MakeAdmin(w.ctx, a))
	return w.again(who)
}

// again is the person as the next call's token finds them.
func (w *env) again(who market.Actor) market.Actor {
	w.t.Helper()
	actor, err := w.Actor(w.ctx, who.User.UID, who.Session)
	w.must(err)
	return actor
}

func (w *env) offer(who market.Actor) market.NewProduct {
	return market.NewProduct{
		Name: "3310", Brand: w.brand.Name, BrandID: w.brand.ID, Img: "/images/a.jpg",
		OriginalPrice: 129, ResalePrice: 40, Condition: "Good", UsedTime: "4 years",
		Description: "Still rings.", SellerName: who.User.Name, Email: who.User.Email,
		Location: "Dhaka", Phone: "01700", PostedOn: "2026-10-31",
	}
}

func (w *env) phone(seller market.Actor) market.Product {
	w.t.Helper()
	p, err := w.AddProduct(w.ctx, seller, w.offer(seller))
	w.must(err)
	return p
}

func (w *env) book(buyer market.Actor, p market.Product) (market.Booking, error) {
	return w.Book(w.ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", Location: "Sylhet"})
}

func (w *env) booked(buyer market.Actor, p market.Product) market.Booking {
	w.t.Helper()
	b, err := w.book(buyer, p)
	w.must(err)
	return b
}

func (w *env) stored(p market.Product) market.Product {
	w.t.Helper()
	p, err := w.store.Product(w.ctx, p.ID)
	w.must(err)
	return p
}

func (w *env) storedBooking(b market.Booking) market.Booking {
	w.t.Helper()
	b, err := w.store.Booking(w.ctx, b.ID)
	w.must(err)
	return b
}

// drain returns the events since the last drain, oldest first.
func (w *env) drain() []market.Event {
	w.t.Helper()
	events, err := w.store.PendingEvents(w.ctx, 10_000)
	w.must(err)
	w.must(w.store.EventsPublished(w.ctx, events))
	return events
}

// told lists "topic type" of the events since the last drain. What visitors are told
// of a brand is left out: TestVisitorsHearABrandWithoutContacts looks at that.
func (w *env) told() []string {
	var lines []string
	for _, e := range w.drain() {
		if strings.HasPrefix(e.Topic, "visitor:") {
			continue
		}
		lines = append(lines, e.Topic+" "+e.Type)
	}
	return lines
}

func (w *env) refused(err error, code market.Code) {
	w.t.Helper()
	if market.CodeOf(err) != code {
		w.t.Fatalf("want a refusal with code %q, got %v", code, err)
	}
}
