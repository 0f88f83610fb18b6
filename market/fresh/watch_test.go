package fresh_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"secondring/market"
	"secondring/market/fresh"
)

// engine is a store that does nothing but what a test wants it to.
type engine struct {
	market.Store
	save func() error
}

func (e *engine) SaveProduct(context.Context, market.Product, []market.Event) error { return e.save() }

// broker is a publisher that does nothing but what a test wants it to.
type broker func()

func (b broker) Publish(context.Context, []market.Event) error {
	b()
	return nil
}

func told(topic string) []market.Event {
	return []market.Event{{Topic: topic, Entity: "phone", Version: 2}}
}

func TestAWriteCountsWhenItReturns(t *testing.T) {
	for name, failure := range map[string]error{"done": nil, "failed, or so it seems": errors.New("cut off")} {
		t.Run(name, func(t *testing.T) {
			w := fresh.New()
			before := w.Mark("brand:1")
			store := w.Store(&engine{save: func() error {
				if !before.Holds() {
					t.Error("it counts before it is done")
				}
				return failure
			}})
			if err := store.SaveProduct(t.Context(), market.Product{}, told("brand:1")); !errors.Is(err, failure) {
				t.Fatal(err)
			}
			if before.Holds() {
				t.Error("it does not count")
			}
			if !w.Mark("brand:1").Holds() {
				t.Error("a mark made after it does not hold")
			}
		})
	}
}

// An answer that was read after an acknowledged write need not be read again
// because the write is told of; one of a write whose end nobody knows must be.
func TestAnEventCountsOnce(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		holds bool
	}{"acknowledged": {nil, true}, "unknown": {errors.New("cut off"), false}} {
		t.Run(name, func(t *testing.T) {
			w := fresh.New()
			store := w.Store(&engine{save: func() error { return c.err }})
			if err := store.SaveProduct(t.Context(), market.Product{}, told("brand:1")); !errors.Is(err, c.err) {
				t.Fatal(err)
			}
			mark := w.Mark("brand:1")
			out := w.Publisher(broker(func() {
				if mark.Holds() != c.holds {
					t.Errorf("when it goes out the mark holds: %v", mark.Holds())
				}
			}))
			if err := out.Publish(t.Context(), told("brand:1")); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Where events cannot leave for long, what is known of them stays bounded, and
// nothing is missed.
func TestMoreEventsThanAreRemembered(t *testing.T) {
	w := fresh.New()
	store := w.Store(&engine{save: func() error { return nil }})
	for i := range 20_000 {
		e := market.Event{Topic: fmt.Sprint("brand:", i), Entity: "phone", Version: int64(i)}
		if err := store.SaveProduct(t.Context(), market.Product{}, []market.Event{e}); err != nil {
			t.Fatal(err)
		}
	}
	if n := fresh.Told(w); n > 5000 {
		t.Errorf("%d events are remembered", n)
	}
}

func TestWhatAnAnswerDependsOn(t *testing.T) {
	w := fresh.New()
	both, none, zero := w.Mark("a", "b"), w.Mark("c", "d"), fresh.Mark{}
	w.Heard(market.Event{Topic: "b"})
	if both.Holds() || !none.Holds() || zero.Holds() {
		t.Error(both.Holds(), none.Holds(), zero.Holds())
	}
	w.Heard(market.Event{Topic: market.TopicControl, Data: []byte("no control")})
	if none.Holds() {
		t.Error("an end of nobody knows whose access passes unnoticed")
	}
}

func BenchmarkHolds(b *testing.B) {
	w := fresh.New()
	mark := w.Mark("a", "b")
	for b.Loop() {
		if !mark.Holds() {
			b.Fatal("it does not hold")
		}
	}
}

// shelf is a store with brands, which counts who asks.
type shelf struct {
	market.Store
	brands map[string]market.Brand
	asked  int
}

func (s *shelf) Brand(_ context.Context, id string) (market.Brand, error) {
	s.asked++
	if b, ok := s.brands[id]; ok {
		return b, nil
	}
	return market.Brand{}, market.ErrNotFound
}

func (s *shelf) RemoveBrand(_ context.Context, id string) error {
	delete(s.brands, id)
	return nil
}

// TestABrandIsRememberedWhileItIsThere looks at what is told at once, and at
// what another process has done.
func TestABrandIsRememberedWhileItIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := &shelf{brands: map[string]market.Brand{"1": {ID: "1"}, "2": {ID: "2"}}}
		store := fresh.New().StoreAlone(engine)
		is := func(id string, there bool, asked int) {
			t.Helper()
			b, err := store.Brand(t.Context(), id)
			if there != (b.ID == id) || there != (err == nil) || !there && !errors.Is(err, market.ErrNotFound) {
				t.Errorf("brand %s: %v, %v", id, b, err)
			}
			if engine.asked != asked {
				t.Errorf("the store was asked %d times, want %d", engine.asked, asked)
			}
		}
		is("1", true, 1)
		is("2", true, 2)
		is("1", true, 2)
		is("nope", false, 3)
		is("nope", false, 4)
		if err := store.RemoveBrand(t.Context(), "1"); err != nil {
			t.Fatal(err)
		}
		is("1", false, 5)
		is("2", true, 6)
		delete(engine.brands, "2") // by somebody else
		<-time.After(250 * time.Millisecond)
		is("2", false, 7)
	})
}

// TestASureWatchAsksNoMore lets an hour pass in which somebody looks for others'
// writes, then somebody stops looking.
func TestASureWatchAsksNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine, watch := &shelf{brands: map[string]market.Brand{"1": {ID: "1"}}}, fresh.New()
		store := watch.StoreAlone(engine)
		asked := func(want int) {
			t.Helper()
			if _, err := store.Brand(t.Context(), "1"); err != nil || engine.asked != want {
				t.Errorf("the store was asked %d times, want %d; %v", engine.asked, want, err)
			}
		}
		asked(1)
		for began := time.Now(); time.Since(began) < time.Hour; <-time.After(time.Second) {
			watch.Sure(market.Monotonic())
			asked(1)
		}
		<-time.After(time.Second)
		asked(2)
		watch.Lost()
		watch.Sure(market.Monotonic())
		asked(3)
	})
}
