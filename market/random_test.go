package market_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"secondring/market"
	"secondring/store/sqlite"
)

// crashing is a store that dies, for good, after a number of writes: the write
// is made or not, and the caller never hears.
type crashing struct {
	market.Store
	left  int
	after bool // the last write is made before the crash
}

func (c *crashing) write(do func() error) error {
	if c.left < 0 {
		return errCrash
	}
	c.left--
	if c.left >= 0 {
		return do()
	}
	if c.after {
		_ = do() // its answer is lost with the process
	}
	return errCrash
}

func (c *crashing) SaveProduct(ctx context.Context, p market.Product, e []market.Event) error {
	return c.write(func() error { return c.Store.SaveProduct(ctx, p, e) })
}

func (c *crashing) RemoveProduct(ctx context.Context, p market.Product, e []market.Event) error {
	return c.write(func() error { return c.Store.RemoveProduct(ctx, p, e) })
}

func (c *crashing) AddBooking(ctx context.Context, b market.Booking, n int, e []market.Event) error {
	return c.write(func() error { return c.Store.AddBooking(ctx, b, n, e) })
}

func (c *crashing) SaveBooking(ctx context.Context, b market.Booking, e []market.Event) error {
	return c.write(func() error { return c.Store.SaveBooking(ctx, b, e) })
}

func (c *crashing) SaveUser(ctx context.Context, u market.User, e []market.Event) error {
	return c.write(func() error { return c.Store.SaveUser(ctx, u, e) })
}

func (c *crashing) SaveAccount(ctx context.Context, a market.Account) error {
	return c.write(func() error { return c.Store.SaveAccount(ctx, a) })
}

// Whatever people do, in whatever order, and wherever a process dies, the
// upkeep brings the market to where every phone and booking agree.
func TestAnyOrderOfDoingsAndCrashesHeals(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		store, err := sqlite.Open(t.Context(), filepath.Join(dir, market.NewID(time.Now())+".db"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = store.Close() }()
		w := townOver(t, store, plainRules)
		run := &randomRun{town: w, admin: w.admin(), seen: map[string]int64{}}
		for range 3 {
			run.buyers = append(run.buyers, w.buyer())
		}
		run.sellers = []market.Actor{w.seller(), w.seller()}
		for i := range 6 {
			run.phones = append(run.phones, w.phone(run.sellers[i%2]))
		}
		for range rapid.IntRange(1, 25).Draw(r, "doings") {
			run.doSomething(r)
			run.readEvents(r)
		}
		for range 3 {
			w.clock.Pass(5 * time.Second)
			w.must(w.upkeep.Step(w.ctx))
		}
		run.readEvents(r)
		run.agree(r)
	})
}

type randomRun struct {
	*town
	admin           market.Actor
	buyers, sellers []market.Actor
	phones          []market.Product
	seen            map[string]int64 // last version told, by topic and entity
}

func (run *randomRun) doSomething(r *rapid.T) {
	m := run.Market
	if rapid.IntRange(0, 2).Draw(r, "crash") == 0 {
		m = market.New(&crashing{
			Store: run.store, left: rapid.IntRange(0, 3).Draw(r, "writes"), after: rapid.Bool().Draw(r, "made"),
		}, run.clock, plainRules, run.bank)
	}
	buyer := rapid.SampledFrom(run.buyers).Draw(r, "buyer")
	phone := rapid.SampledFrom(run.phones).Draw(r, "phone")
	var err error
	switch rapid.SampledFrom([]string{"book", "book", "book", "cancel", "verify", "remove", "delete", "pass", "lapse"}).Draw(r, "doing") {
	case "book":
		_, err = m.Book(run.ctx, buyer, market.BookingRequest{ProductID: phone.ID, Phone: "1"})
	case "cancel":
		held, _ := run.store.HeldBookings(run.ctx, buyer.User.UID, 10)
		if len(held) > 0 {
			_, err = m.CancelBooking(run.ctx, buyer, held[0].ID)
		}
	case "verify":
		_, err = m.VerifySeller(run.ctx, run.admin, run.sellers[0].User.ID)
	case "remove":
		_, err = m.RemoveProduct(run.ctx, run.sellers[0], phone.ID)
	case "delete":
		people := append(run.buyers[:1:1], run.sellers[1])
		_, err = m.RemoveUser(run.ctx, run.admin, rapid.SampledFrom(people).Draw(r, "person").User.ID)
	case "pass":
		run.clock.Pass(time.Duration(rapid.IntRange(1, 90).Draw(r, "minutes")) * time.Minute)
	case "lapse":
		err = market.NewUpkeep(m, discard).Step(run.ctx)
	}
	if err != nil && market.CodeOf(err) == "" && !errors.Is(err, errCrash) {
		r.Fatalf("an error nobody planned: %v", err)
	}
}

// readEvents checks that no topic ever hears an older version after a newer.
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
	}
}

// agree checks that a phone is held if and only if one held booking holds it.
func (run *randomRun) agree(r *rapid.T) {
	holder := map[string]string{}
	for _, buyer := range run.buyers {
		held, err := run.store.HeldBookings(run.ctx, buyer.User.UID, 100)
		run.must(err)
		if len(held) > plainRules.MaxHolds {
			r.Fatalf("%s holds %d phones", buyer.User.Name, len(held))
		}
		for _, b := range held {
			if other := holder[b.ProductID]; other != "" {
				r.Fatalf("phone %s is held by %s and %s", b.ProductID, other, b.ID)
			}
			holder[b.ProductID] = b.ID
		}
	}
	for _, p := range run.phones {
		now, err := run.store.Product(run.ctx, p.ID)
		if errors.Is(err, market.ErrNotFound) {
			if holder[p.ID] != "" {
				r.Fatalf("a withdrawn phone is held by %s", holder[p.ID])
			}
			continue
		}
		run.must(err)
		if now.Booked() != (holder[p.ID] != "") || (now.Booked() && !now.HeldBy(holder[p.ID])) {
			r.Fatalf("phone %+v, held booking %q", now.Hold, holder[p.ID])
		}
	}
}

// Real concurrency over the same phones, then quiet: the same agreement.
func TestConcurrentDoingsAgreeInTheEnd(t *testing.T) {
	w := newTown(t)
	run := &randomRun{town: w, admin: w.admin(), seen: map[string]int64{}}
	for range 8 {
		run.buyers = append(run.buyers, w.buyer())
	}
	run.sellers = []market.Actor{w.seller()}
	for range 5 {
		run.phones = append(run.phones, w.phone(run.sellers[0]))
	}
	done := make(chan error)
	for i, buyer := range run.buyers {
		go func() { done <- run.shop(buyer, rand.New(rand.NewPCG(1, uint64(i)))) }()
	}
	for range run.buyers {
		w.must(<-done)
	}
	for range 2 {
		w.clock.Pass(5 * time.Second)
		w.must(w.upkeep.Step(w.ctx))
	}
	rapid.Check(t, func(r *rapid.T) {
		run.readEvents(r)
		run.agree(r)
	})
}

func (run *randomRun) shop(buyer market.Actor, dice *rand.Rand) error {
	for range 40 {
		p := run.phones[dice.IntN(len(run.phones))]
		b, err := run.book(buyer, p)
		if err != nil && market.CodeOf(err) == "" {
			return err
		}
		switch {
		case err != nil:
		case dice.IntN(2) == 0:
			if _, err := run.CancelBooking(run.ctx, buyer, b.ID); err != nil && market.CodeOf(err) == "" {
				return err
			}
		case dice.IntN(3) == 0:
			run.clock.Pass(20 * time.Minute)
			if err := market.NewUpkeep(run.Market, discard).Step(run.ctx); err != nil {
				return err
			}
		}
	}
	return nil
}
