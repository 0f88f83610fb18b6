package storetest

import (
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// Bench measures the cost of waitlists and saved searches on an engine: the end of a hold
// with nobody and with 50 people on the waitlist, and a new phone without saved searches and
// with 10,000. It reports the number of writes beside the time. Open opens an empty store.
func Bench(b *testing.B, open func(b *testing.B) market.Store) {
	b.Run("release/none_waits", func(b *testing.B) { benchRelease(b, open(b), 0) })
	b.Run("release/50_wait", func(b *testing.B) { benchRelease(b, open(b), 50) })
	b.Run("phone/no_searches", func(b *testing.B) { benchNewPhone(b, open(b), 0, "") })
	b.Run("phone/10000_searches_of_others", func(b *testing.B) { benchNewPhone(b, open(b), 10_000, "other") })
	b.Run("phone/10000_searches_of_its_brand", func(b *testing.B) { benchNewPhone(b, open(b), 10_000, benchBrand.ID) })
}

var benchBrand = market.Brand{ID: "nokia", Name: "Nokia", Img: "/photos/nokia.jpg", Version: 1}

// benchMarket is a market whose writes are counted.
type benchMarket struct {
	*market.Market
	b      *testing.B
	store  market.Store
	seller market.Actor
	people int
	writes atomic.Int64
}

func newBenchMarket(b *testing.B, store market.Store) *benchMarket {
	b.Helper()
	m := &benchMarket{b: b, store: store}
	counted := markettest.Guarded{Store: store, Guard: func(write func() error) error {
		m.writes.Add(1)
		return write()
	}}
	rules := market.Rules{BookingHold: time.Hour, TurnHold: time.Hour, MaxHolds: 1000, Advertise: market.AdvertiseVerified}
	m.Market = market.New(counted, markettest.NewClock(noon), rules, markettest.NewBank())
	m.ok(store.AddBrand(b.Context(), benchBrand))
	m.seller = m.person(market.AccountSeller)
	return m
}

func (m *benchMarket) ok(err error) {
	m.b.Helper()
	if err != nil {
		m.b.Fatal(err)
	}
}

func (m *benchMarket) person(accountType string) market.Actor {
	m.b.Helper()
	m.people++
	name := fmt.Sprint("Person ", m.people)
	a := market.Account{UID: newID(), Email: fmt.Sprintf("p%d@example.com", m.people), DisplayName: name, Version: 1, CreatedAt: noon}
	m.ok(m.store.AddAccount(m.b.Context(), a, nil))
	u, err := m.AddUser(m.b.Context(), a, market.UserRequest{Name: name, Email: a.Email, AccountType: accountType})
	m.ok(err)
	return market.Actor{User: u}
}

func (m *benchMarket) phone() market.Product {
	m.b.Helper()
	p, err := m.AddProduct(m.b.Context(), m.seller, market.ProductRequest{
		Name: "3310", Brand: benchBrand.Name, BrandID: benchBrand.ID, Img: "/images/a.jpg",
		OriginalPrice: 129, ResalePrice: 40, Condition: "Good", UsedTime: "4 years", Description: "Still rings.",
		SellerName: m.seller.User.Name, Email: m.seller.User.Email, Location: "Dhaka", Phone: "01700", PostedOn: "2026-10-31",
	})
	m.ok(err)
	return p
}

// publish empties the outbox, as the relay does beside the calls.
func (m *benchMarket) publish() {
	m.b.Helper()
	for {
		pending, err := m.store.PendingEvents(m.b.Context(), 1000)
		m.ok(err)
		m.ok(m.store.EventsPublished(m.b.Context(), pending))
		if len(pending) == 0 {
			return
		}
	}
}

// benchRelease ends holds by cancelling them.
func benchRelease(b *testing.B, store market.Store, waiting int) {
	m := newBenchMarket(b, store)
	holder := m.person(market.AccountUser)
	var line []market.Waiter
	for range waiting {
		line = append(line, market.Waiter{ID: newID(), UID: m.person(market.AccountUser).User.UID, Phone: "01900000", At: noon})
	}
	var took []time.Duration
	var writes int64
	for i := range b.N {
		held := m.phone()
		booking, err := m.Book(b.Context(), holder, market.BookingRequest{ProductID: held.ID, Phone: "01800000"})
		m.ok(err)
		if waiting > 0 {
			held, err = store.Product(b.Context(), held.ID)
			m.ok(err)
			held.Version++
			for k := range line { // another person each time: nobody holds all phones
				held.Waitlist = append(held.Waitlist, line[(i+k)%waiting])
			}
			m.ok(store.SaveProduct(b.Context(), held, nil))
		}
		m.publish()
		before, began := m.writes.Load(), time.Now()
		_, err = m.CancelBooking(b.Context(), holder, booking.ID)
		took, writes = append(took, time.Since(began)), writes+m.writes.Load()-before
		m.ok(err)
	}
	m.report(took, writes)
}

// benchNewPhone adds phones beside saved searches, none of which matches.
func benchNewPhone(b *testing.B, store market.Store, searches int, brand string) {
	m := newBenchMarket(b, store)
	for i := range searches {
		query := market.Query{Text: "pixel", MaxPrice: 300, Brands: []string{brand}}
		m.ok(store.AddWatching(b.Context(), market.Watching{
			ID: newID(), UID: fmt.Sprint("searcher", i), Version: 1,
			Searches: []market.SavedSearch{{ID: fmt.Sprint(i), Name: "Mine", Query: query, At: noon}},
		}, nil))
	}
	announcer := market.NewAnnouncer(m.Market, slog.New(slog.DiscardHandler))
	var took, announced []time.Duration
	var writes int64
	for range b.N {
		before, began := m.writes.Load(), time.Now()
		m.phone()
		took, writes = append(took, time.Since(began)), writes+m.writes.Load()-before
		m.publish()
		began = time.Now()
		m.ok(announcer.Step(b.Context()))
		announced = append(announced, time.Since(began))
	}
	m.report(took, writes)
	b.ReportMetric(medianOf(announced), "told-µs")
}

// report reports the median of one operation.
func (m *benchMarket) report(took []time.Duration, writes int64) {
	m.b.ReportMetric(medianOf(took), "call-µs")
	m.b.ReportMetric(float64(writes)/float64(m.b.N), "writes")
}

// medianOf is in microseconds.
func medianOf(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2].Microseconds())
}
