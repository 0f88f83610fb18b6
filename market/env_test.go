package market_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
	"secondring/store/sqlite/sqlitetest"
)

var discard = slog.New(slog.DiscardHandler)

// env is a market with a real store and users.
type env struct {
	*market.Market
	t          testing.TB
	ctx        context.Context
	store      market.Store
	clock      *markettest.Clock
	janitor    *market.Runner
	rules      market.Rules
	bank       *markettest.Bank
	reconciler *market.Runner
	brand      market.Brand
	people     int
}

var defaultRules = market.Rules{BookingHold: time.Hour, TurnHold: turnHold, OfferHold: 12 * time.Hour, SendWithin: 120 * time.Hour, Transit: 168 * time.Hour, SettleAfter: 72 * time.Hour, MaxHolds: 3, Advertise: market.AdvertiseVerified}

func newEnv(tb testing.TB) *env { tb.Helper(); return newEnvWith(tb, defaultRules) }

func newEnvWith(tb testing.TB, rules market.Rules) *env {
	tb.Helper()
	store, err := sqlitetest.Open(tb.Context(), filepath.Join(tb.TempDir(), "market.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = store.Close() })
	return newEnvWithStore(tb, store, rules)
}

func newEnvWithStore(tb testing.TB, store market.Store, rules market.Rules) *env {
	tb.Helper()
	clock := markettest.NewClock(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))
	e := &env{t: tb, ctx: tb.Context(), store: store, clock: clock, rules: rules}
	e.reset()
	brand, err := e.AddBrand(e.ctx, "Nokia", "/photos/nokia.jpg")
	e.must(err)
	e.brand = brand
	return e
}

// reset replaces the market and its bank by new ones. The bank has no intents.
func (e *env) reset() {
	e.bank = markettest.NewBank()
	e.restart()
}

// restart replaces the market by a new one with the current rules and the same bank.
func (e *env) restart() {
	e.Market = market.New(e.store, e.clock, e.rules, e.bank)
	e.UsePayouts(e.bank)
	e.janitor, e.reconciler = e.janitorOf(e.Market), e.checkerOf(e.Market)
}

// beforeWrites restarts the market with a store that calls do before each write.
func (e *env) beforeWrites(do func(market.StoreCall)) {
	e.store = e.store.Hooked(func(_ context.Context, call market.StoreCall, write func() error) error {
		if call.Op != market.OpRead {
			do(call)
		}
		return write()
	})
	e.restart()
}

// countWrites counts the writes from now on.
func (e *env) countWrites() (writes *int) {
	writes = new(int)
	e.beforeWrites(func(market.StoreCall) { *writes++ })
	return writes
}

// janitorOf returns what ends holds, repeats cascades and deletes what has expired.
func (e *env) janitorOf(m *market.Market) *market.Runner {
	return markettest.Runner(e.clock, m.AddTransitions, m.AddPurges)
}

// checkerOf returns the checks of payments.
func (e *env) checkerOf(m *market.Market) *market.Runner {
	return markettest.Runner(e.clock, m.AddPaymentChecks)
}

func (e *env) announcerOf(m *market.Market) *market.Runner {
	return markettest.Runner(e.clock, m.AddAnnouncements)
}

// wrongField returns the errors of a decoder.
func wrongField(name, reason string) market.Fields {
	f := market.Fields{}
	f.Add(name, reason)
	return f
}

func (e *env) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

// person adds a user with an account and a session.
func (e *env) person(accountType string) market.Actor {
	e.t.Helper()
	e.people++
	name := fmt.Sprintf("Person %d", e.people)
	a := market.Account{
		UID: market.NewID(e.clock.Now()), Email: fmt.Sprintf("p%d@example.com", e.people),
		DisplayName: name, Version: 1, CreatedAt: e.clock.Now(),
	}
	e.must(e.store.AddAccount(e.ctx, a, nil))
	u, err := e.AddUser(e.ctx, a, market.UserRequest{Name: name, Email: a.Email, AccountType: accountType})
	e.must(err)
	session := market.Session{ID: "s" + a.UID, UID: a.UID, CreatedAt: e.clock.Now(), ExpiresAt: e.clock.Now().Add(24 * 365 * time.Hour)}
	e.must(e.store.AddSession(e.ctx, session))
	return market.Actor{User: u, Session: session.ID}
}

func (e *env) buyer() market.Actor { return e.person(market.AccountUser) }

func (e *env) seller() market.Actor { return e.person(market.AccountSeller) }

func (e *env) admin() market.Actor {
	e.t.Helper()
	who := e.buyer()
	a, err := e.store.Account(e.ctx, who.User.UID)
	e.must(err)
	e.must(e.MakeAdmin(e.ctx, a))
	return e.reload(who)
}

// moderator adds an admin who does not handle money.
func (e *env) moderator() market.Actor {
	e.t.Helper()
	who := e.buyer()
	e.setRole(who, market.Moderator)
	return e.reload(who)
}

// setRole gives a person a role as an admin.
func (e *env) setRole(who market.Actor, role market.AdminRole) {
	e.t.Helper()
	a, err := e.store.Account(e.ctx, who.User.UID)
	e.must(err)
	_, err = e.GrantAdmin(e.ctx, a, role)
	e.must(err)
}

// reload returns the actor with the user's current data, as the next call's token does.
func (e *env) reload(who market.Actor) market.Actor {
	e.t.Helper()
	actor, err := e.Actor(e.ctx, who.User.UID, who.Session)
	e.must(err)
	return actor
}

func (e *env) productRequest(who market.Actor) market.ProductRequest {
	return market.ProductRequest{
		Name: "3310", Brand: e.brand.Name, BrandID: e.brand.ID, Img: "/images/a.jpg",
		OriginalPrice: 129, ResalePrice: 40, Condition: "Good", UsedTime: "4 years",
		Description: "Still rings.", SellerName: who.User.Name, Email: who.User.Email,
		Location: "Dhaka", Phone: "01700", PostedOn: "2026-10-31",
	}
}

func (e *env) phone(seller market.Actor) market.Product {
	e.t.Helper()
	p, err := e.AddProduct(e.ctx, seller, e.productRequest(seller))
	e.must(err)
	return p
}

func (e *env) book(buyer market.Actor, p market.Product) (market.Booking, error) {
	return e.Book(e.ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", Location: "Sylhet"})
}

// mustBook books a phone, and fails the test if that is refused.
func (e *env) mustBook(buyer market.Actor, p market.Product) market.Booking {
	e.t.Helper()
	b, err := e.book(buyer, p)
	e.must(err)
	return b
}

func (e *env) stored(p market.Product) market.Product {
	e.t.Helper()
	p, err := e.store.Product(e.ctx, p.ID)
	e.must(err)
	return p
}

func (e *env) storedBooking(b market.Booking) market.Booking {
	e.t.Helper()
	b, err := e.store.Booking(e.ctx, b.ID)
	e.must(err)
	return b
}

// drain returns the events since the last drain, oldest first.
func (e *env) drain() []market.Event {
	e.t.Helper()
	events, err := e.store.PendingEvents(e.ctx, 10_000)
	e.must(err)
	e.must(e.store.EventsPublished(e.ctx, events))
	return events
}

// publishedEvents returns "topic type" of the events since the last drain, without the
// visitors' topics of brands, which TestVisitorEventsHaveNoContactData checks.
func (e *env) publishedEvents() []string {
	var published []string
	for _, event := range e.drain() {
		if strings.HasPrefix(event.Topic, "visitor:") {
			continue
		}
		published = append(published, event.Topic+" "+event.Type)
	}
	return published
}

// wantEvents fails the test unless these events were published since the last drain.
func (e *env) wantEvents(want ...string) {
	e.t.Helper()
	published := e.publishedEvents()
	for _, event := range want {
		if !slices.Contains(published, event) {
			e.t.Errorf("the event %q was not published: %q", event, published)
		}
	}
}

// wantCode fails the test unless the error has this code.
func (e *env) wantCode(err error, code market.Code) {
	e.t.Helper()
	if market.CodeOf(err) != code {
		e.t.Fatalf("the error is %v, want the code %q", err, code)
	}
}
