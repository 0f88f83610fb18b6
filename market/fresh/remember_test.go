package fresh_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
	"secondring/market/fresh"
)

const theBrand = "b"

// shop is a store with the phones of one brand. Meanwhile is what happens when a
// write is stored and its caller does not know yet, and when a list is read and
// not yet returned.
type shop struct {
	market.Store
	phones    map[string]market.Product
	outbox    []market.Event
	asked     int
	meanwhile func()
}

func (s *shop) AddProduct(_ context.Context, p market.Product, events []market.Event) error {
	if _, there := s.phones[p.ID]; there {
		return market.ErrExists
	}
	return s.put(p, events)
}

func (s *shop) SaveProduct(_ context.Context, p market.Product, events []market.Event) error {
	if s.phones[p.ID].Version != p.Version-1 {
		return market.ErrConflict
	}
	return s.put(p, events)
}

func (s *shop) RemoveProduct(_ context.Context, p market.Product, events []market.Event) error {
	if s.phones[p.ID].Version != p.Version-1 {
		return market.ErrConflict
	}
	delete(s.phones, p.ID)
	s.outbox = append(s.outbox, events...)
	s.meanwhile()
	return nil
}

func (s *shop) put(p market.Product, events []market.Event) error {
	if p.Hold != nil {
		hold := *p.Hold
		p.Hold = &hold
	}
	s.phones[p.ID] = p
	s.outbox = append(s.outbox, events...)
	s.meanwhile()
	return nil
}

func (s *shop) ProductsOfBrand(_ context.Context, _ string, page market.Page) (market.List[market.Product], error) {
	s.asked++
	list := s.list(page.Limit)
	s.meanwhile()
	return list, nil
}

func (s *shop) Product(_ context.Context, id string) (market.Product, error) {
	s.asked++
	p, there := s.phones[id]
	s.meanwhile()
	if !there {
		return p, market.ErrNotFound
	}
	return p, nil
}

// list is the true list.
func (s *shop) list(limit int) market.List[market.Product] {
	all := make([]market.Product, 0, len(s.phones))
	for _, p := range s.phones {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b market.Product) int { return strings.Compare(b.ID, a.ID) })
	shown := all[:min(limit, len(all))]
	return market.List[market.Product]{Items: shown, Total: len(all), More: len(all) > len(shown)}
}

func newShop(phones int) *shop {
	s := &shop{phones: map[string]market.Product{}, meanwhile: func() {}}
	for i := range phones {
		p := phone(i)
		s.phones[p.ID] = p
	}
	return s
}

func phone(i int) market.Product {
	return market.Product{ID: fmt.Sprintf("%06d", i), BrandID: theBrand, Version: 1}
}

func eventsOf(p market.Product) []market.Event {
	return []market.Event{{Topic: market.TopicBrand(theBrand), Entity: p.ID, Version: p.Version}}
}

// next is the phone's next version.
func next(p market.Product) market.Product {
	p.Version++
	p.Hold = &market.Hold{BookingID: fmt.Sprint("booked at version ", p.Version)}
	return p
}

// agrees looks whether what people are given is what is stored.
func agrees(t *testing.T, store market.Store, s *shop, limit int) {
	t.Helper()
	got, err := store.ProductsOfBrand(t.Context(), theBrand, market.Page{Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	if want := s.list(limit); !cmp.Equal(want, got) {
		t.Fatalf("the first %d (-want +got):\n%s", limit, cmp.Diff(want, got))
	}
}

// agreesOn looks whether each phone that is stored, and none that is not, is found.
func agreesOn(t *testing.T, store market.Store, s *shop, made int) {
	t.Helper()
	for i := range made + 1 {
		id := phone(i).ID
		got, err := store.Product(t.Context(), id)
		want, there := s.phones[id]
		if there != (err == nil) || there && !cmp.Equal(want, got) {
			t.Fatalf("phone %s is %v, %v, want %v", id, got, err, want)
		}
	}
}

// TestAPhoneTakesInWhatIsWritten: all who want the same phone look at it, and who
// comes after the first of them needs no read to hear that it is gone.
func TestAPhoneTakesInWhatIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := newShop(1)
		store := fresh.New().StoreAlone(engine)
		is := func(asked int) {
			t.Helper()
			agreesOn(t, store, engine, 0)
			if engine.asked != asked {
				t.Errorf("the store was asked %d times, want %d", engine.asked, asked)
			}
		}
		is(1)
		is(1)
		for range 2 {
			p := next(engine.phones["000000"])
			if err := store.SaveProduct(t.Context(), p, eventsOf(p)); err != nil {
				t.Fatal(err)
			}
			p.Hold.BookingID = "is the caller's own"
			is(1)
		}
		engine.phones["000000"] = next(engine.phones["000000"]) // by somebody else
		<-time.After(250 * time.Millisecond)
		is(2)
		p := next(engine.phones["000000"])
		if err := store.RemoveProduct(t.Context(), p, eventsOf(p)); err != nil {
			t.Fatal(err)
		}
		is(3)
	})
}

// TestAListTakesInWhatIsWritten looks at each kind of write, and how often the
// store is asked because of it.
func TestAListTakesInWhatIsWritten(t *testing.T) {
	for name, c := range map[string]struct {
		phones int
		write  func(ctx context.Context, s market.Store, at *shop) error
		asked  int
	}{
		"a new phone": {5, func(ctx context.Context, s market.Store, _ *shop) error {
			return s.AddProduct(ctx, phone(9), eventsOf(phone(9)))
		}, 0},
		"the first phone": {0, func(ctx context.Context, s market.Store, _ *shop) error {
			return s.AddProduct(ctx, phone(9), eventsOf(phone(9)))
		}, 0},
		"a phone that is in sight": {5, func(ctx context.Context, s market.Store, at *shop) error {
			p := next(at.phones["000003"])
			return s.SaveProduct(ctx, p, eventsOf(p))
		}, 0},
		"a phone further down": {5, func(ctx context.Context, s market.Store, at *shop) error {
			p := next(at.phones["000000"])
			return s.SaveProduct(ctx, p, eventsOf(p))
		}, 0},
		"the end of one": {5, func(ctx context.Context, s market.Store, at *shop) error {
			p := next(at.phones["000003"])
			return s.RemoveProduct(ctx, p, eventsOf(p))
		}, 1},
		"one that is refused": {5, func(ctx context.Context, s market.Store, _ *shop) error {
			if err := s.AddProduct(ctx, phone(3), eventsOf(phone(3))); !errors.Is(err, market.ErrExists) {
				return fmt.Errorf("it is taken: %w", err)
			}
			return nil
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			engine := newShop(c.phones)
			store := fresh.New().StoreAlone(engine)
			agrees(t, store, engine, 3)
			engine.asked = 0
			if err := c.write(t.Context(), store, engine); err != nil {
				t.Fatal(err)
			}
			agrees(t, store, engine, 3)
			agrees(t, store, engine, 2)
			if engine.asked != c.asked {
				t.Errorf("the store was asked %d times, want %d", engine.asked, c.asked)
			}
		})
	}
}

// TestNothingIsWrongForLong has everything happen at the worst moments: while
// a write is stored and not yet counted, while a list is being read; here, in
// another process, and on its way out. As soon as nothing is under way, what
// is remembered is what is stored.
func TestNothingIsWrongForLong(t *testing.T) {
	for seed := range uint64(800) {
		c := &confusion{
			shop: newShop(4), T: t, watch: fresh.New(), made: 10,
			chance: rand.New(rand.NewPCG(seed, 0)),
		}
		c.store = c.watch.StoreAlone(c.shop)
		c.out = c.watch.Publisher(broker(func() {}))
		c.shop.meanwhile = c.somethingElse
		for range 12 {
			c.something()
			c.publish(len(c.shop.outbox))
			depth := c.depth
			c.depth = deepest // nothing else happens
			agrees(t, c.store, c.shop, 3)
			agreesOn(t, c.store, c.shop, c.made)
			c.depth = depth
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
}

// confusion is a shop where things happen within each other.
type confusion struct {
	*testing.T
	shop   *shop
	store  market.Store
	watch  *fresh.Watch
	out    market.Publisher
	chance *rand.Rand
	made   int
	depth  int
}

const deepest = 3

func (c *confusion) somethingElse() {
	if c.depth == deepest {
		return
	}
	c.depth++
	defer func() { c.depth-- }()
	for range c.chance.IntN(4) {
		c.something()
	}
}

func (c *confusion) something() {
	store := c.store
	if c.chance.IntN(5) == 0 {
		store = c.shop // as another process does, which counts nothing here
	}
	switch c.chance.IntN(8) {
	case 0, 1:
		c.made++
		p := phone(c.made)
		_ = store.AddProduct(c.Context(), p, eventsOf(p))
	case 2, 3:
		p := next(c.any())
		_ = store.SaveProduct(c.Context(), p, eventsOf(p)) // may be gone, or another
	case 4:
		p := next(c.any())
		_ = store.RemoveProduct(c.Context(), p, eventsOf(p))
	case 5:
		c.publish(c.chance.IntN(1 + len(c.shop.outbox)))
	case 6:
		_, _ = c.store.Product(c.Context(), c.any().ID)
	default:
		_, _ = c.store.ProductsOfBrand(c.Context(), theBrand, market.Page{Limit: 1 + c.chance.IntN(4)})
	}
}

func (c *confusion) any() market.Product {
	all := c.shop.list(100).Items
	if len(all) == 0 {
		return phone(0)
	}
	return all[c.chance.IntN(len(all))]
}

// publish lets the oldest events go out.
func (c *confusion) publish(n int) {
	events := slices.Clone(c.shop.outbox[:n])
	c.shop.outbox = slices.Delete(c.shop.outbox, 0, n)
	if err := c.out.Publish(c.Context(), events); err != nil {
		c.Fatal(err)
	}
}
