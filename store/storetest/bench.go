package storetest

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
	"secondring/market/search"
)

// A PlainTable adds a row to a table of the same database product that has an index of the
// threads, and nothing else.
type PlainTable func(id, thread, text string) error

// Bench measures the cost of waitlists, saved searches and messages with a store: the end of a hold
// with nobody and with 50 people on the waitlist, a new phone without saved searches and
// with 10,000, a message beside a row of a plain table, and the first page of ten and of 1,000
// threads. It reports the number of writes beside the time. Open opens an empty store.
func Bench(b *testing.B, open func(b *testing.B) market.Store, plain func(b *testing.B) PlainTable) {
	b.Run("release/none_waits", func(b *testing.B) { benchRelease(b, open(b), 0) })
	b.Run("release/50_wait", func(b *testing.B) { benchRelease(b, open(b), 50) })
	b.Run("phone/no_searches", func(b *testing.B) { benchNewPhone(b, open(b), 0, "") })
	b.Run("phone/10000_searches_of_others", func(b *testing.B) { benchNewPhone(b, open(b), 10_000, "other") })
	b.Run("phone/10000_searches_of_its_brand", func(b *testing.B) { benchNewPhone(b, open(b), 10_000, benchBrand.ID) })
	b.Run("message/plain_row", func(b *testing.B) { benchPlainRow(b, plain(b)) })
	b.Run("message/sent", func(b *testing.B) { benchMessage(b, open(b)) })
	b.Run("threads/10", func(b *testing.B) { benchThreads(b, open(b), 10) })
	b.Run("threads/1000", func(b *testing.B) { benchThreads(b, open(b), 1000) })
}

var benchBrand = market.Brand{ID: "nokia", Name: "Nokia", Img: "/photos/nokia.jpg", Version: 1}

// benchMarket is a market whose writes are counted.
type benchMarket struct {
	*market.Market
	b      *testing.B
	store  market.Store
	clock  market.Clock
	seller market.Actor
	people int
	writes atomic.Int64
}

func newBenchMarket(b *testing.B, store market.Store) *benchMarket {
	b.Helper()
	m := &benchMarket{b: b, store: store, clock: markettest.NewClock(noon)}
	counted := markettest.Guarded(store, func(write func() error) error {
		m.writes.Add(1)
		return write()
	})
	rules := market.Rules{BookingHold: time.Hour, TurnHold: time.Hour, MaxHolds: 1000, Advertise: market.AdvertiseVerified}
	m.Market = market.New(counted, m.clock, rules, markettest.NewBank())
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

// publish empties the outbox, as the relay does concurrently with the calls.
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
func benchRelease(b *testing.B, store market.Store, waiters int) {
	m := newBenchMarket(b, store)
	holder := m.person(market.AccountUser)
	var waitlist []market.Waiter
	for range waiters {
		waitlist = append(waitlist, market.Waiter{ID: newID(), UID: m.person(market.AccountUser).User.UID, Phone: "01900000", At: noon})
	}
	var durations []time.Duration
	var writes int64
	for i := range b.N {
		held := m.phone()
		booking, err := m.Book(b.Context(), holder, market.BookingRequest{ProductID: held.ID, Phone: "01800000"})
		m.ok(err)
		if waiters > 0 {
			held, err = store.Product(b.Context(), held.ID)
			m.ok(err)
			held.Version++
			for k := range waitlist { // rotated, so that no person holds all phones
				held.Waitlist = append(held.Waitlist, waitlist[(i+k)%waiters])
			}
			m.ok(store.SaveProduct(b.Context(), held, nil))
		}
		m.publish()
		before, start := m.writes.Load(), time.Now()
		_, err = m.CancelBooking(b.Context(), holder, booking.ID)
		durations, writes = append(durations, time.Since(start)), writes+m.writes.Load()-before
		m.ok(err)
	}
	m.report(durations, writes)
}

// benchNewPhone adds phones in a market with saved searches that do not match.
func benchNewPhone(b *testing.B, store market.Store, searches int, brand string) {
	m := newBenchMarket(b, store)
	for i := range searches {
		query := search.Query{Text: "pixel", MaxPrice: 300, Brands: []string{brand}}
		m.ok(store.AddWatching(b.Context(), market.Watching{
			ID: newID(), UID: fmt.Sprint("searcher", i), Version: 1,
			Searches: []market.SavedSearch{{ID: fmt.Sprint(i), Name: "Mine", Query: query, At: noon}},
		}, nil))
	}
	var durations, announced []time.Duration
	var writes int64
	for range b.N {
		before, start := m.writes.Load(), time.Now()
		m.phone()
		durations, writes = append(durations, time.Since(start)), writes+m.writes.Load()-before
		m.publish()
		announcer := markettest.Runner(m.clock, m.AddAnnouncements) // has the seller's whole budget
		start = time.Now()
		m.ok(announcer.Step(b.Context()))
		announced = append(announced, time.Since(start))
	}
	m.report(durations, writes)
	b.ReportMetric(medianOf(announced), "announce-µs")
}

const benchText = "Is it still available? I can come to Mirpur today."

func benchPlainRow(b *testing.B, add PlainTable) {
	var durations []time.Duration
	for range b.N {
		start := time.Now()
		err := add(newID(), "thread", benchText)
		durations = append(durations, time.Since(start))
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(medianOf(durations), "call-µs")
	b.ReportMetric(1, "writes")
}

// benchMessage sends messages to a seller who does not read them. The background is what follows from one.
func benchMessage(b *testing.B, store market.Store) {
	m := newBenchMarket(b, store)
	buyer := m.person(market.AccountUser)
	t, err := m.StartThread(b.Context(), buyer, market.MessageRequest{ProductID: m.phone().ID, Text: benchText})
	m.ok(err)
	m.publish()
	var durations, followed []time.Duration
	var writes int64
	for range b.N {
		before, start := m.writes.Load(), time.Now()
		_, err := m.SendMessage(b.Context(), buyer, t.ID, market.MessageRequest{Text: benchText})
		durations, writes = append(durations, time.Since(start)), writes+m.writes.Load()-before
		m.ok(err)
		start = time.Now()
		m.publish()
		followed = append(followed, time.Since(start))
	}
	m.report(durations, writes)
	b.ReportMetric(medianOf(followed), "announce-µs")
}

// benchThreads opens the first page of a seller's threads.
func benchThreads(b *testing.B, store market.Store, threads int) {
	m := newBenchMarket(b, store)
	phone := m.phone()
	for i := range threads {
		t := thread(fmt.Sprint("buyer", i), m.seller.User.UID, phone.ID)
		m.ok(store.AddThread(b.Context(), t, effects(message(t, ""))))
	}
	m.publish()
	var durations []time.Duration
	for range b.N {
		start := time.Now()
		list, err := m.Threads(b.Context(), m.seller, "", market.Page{Limit: 10})
		durations = append(durations, time.Since(start))
		m.ok(err)
		if len(list.Items) != 10 || list.Total != threads {
			b.Fatalf("%d of %d threads", len(list.Items), list.Total)
		}
	}
	m.report(durations, 0)
}

// report reports the median duration and the writes of one operation.
func (m *benchMarket) report(durations []time.Duration, writes int64) {
	m.b.ReportMetric(medianOf(durations), "call-µs")
	m.b.ReportMetric(float64(writes)/float64(m.b.N), "writes")
}

// medianOf returns the median in microseconds.
func medianOf(durations []time.Duration) float64 {
	slices.Sort(durations)
	return float64(durations[len(durations)/2].Microseconds())
}
