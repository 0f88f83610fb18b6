package api

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"secondring/market"
)

// herd asks together for one thing, of which each reading waits to be let on.
type herd struct {
	together *together
	on       chan error // lets one reading on, which ends so
	mu       sync.Mutex
	readings int
	got      map[any]int // how many got which reading, or which error
	all      sync.WaitGroup
}

func newHerd() *herd {
	return &herd{together: newTogether(), on: make(chan error), got: map[any]int{}}
}

func (c *herd) ask(ctx context.Context, n int) {
	for range n {
		c.all.Go(func() {
			value, err := c.together.read(ctx, "k", func(context.Context) (any, error) {
				c.mu.Lock()
				c.readings++
				mine := c.readings
				c.mu.Unlock()
				err := <-c.on
				if errors.Is(err, errPanic) {
					panic("in a reading")
				}
				return mine, err
			})
			c.mu.Lock()
			defer c.mu.Unlock()
			if err != nil {
				value = err
				if errors.As(err, new(panicked)) {
					value = errPanic
				}
			}
			c.got[value]++
		})
	}
	synctest.Wait()
}

var errPanic = errors.New("panic")

func (c *herd) want(t *testing.T, readings int, got map[any]int) {
	t.Helper()
	c.all.Wait()
	synctest.Wait()
	c.together.mu.Lock()
	defer c.together.mu.Unlock()
	if c.readings != readings || len(c.got) != len(got) {
		t.Errorf("%d readings, %v; want %d, %v", c.readings, c.got, readings, got)
	}
	for value, n := range got {
		if c.got[value] != n {
			t.Errorf("%v got %v, want %v", c.got, value, n)
		}
	}
	if len(c.together.next) != 0 {
		t.Error("something is left")
	}
}

// Who comes during a reading gets the next one, with all others who have come.
func TestAReadingIsSharedByThoseWhoCameBeforeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newHerd()
		c.ask(t.Context(), 1)
		c.ask(t.Context(), 100)
		c.on <- nil
		synctest.Wait()
		c.ask(t.Context(), 10)
		c.on <- nil
		c.on <- nil
		c.want(t, 3, map[any]int{1: 1, 2: 100, 3: 10})
	})
}

func TestWhoWaitsForAStoreThatIsAwayLearnsItAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newHerd()
		c.ask(t.Context(), 1)
		c.ask(t.Context(), 5)
		c.on <- market.ErrAway
		c.want(t, 1, map[any]int{market.ErrAway: 6})
	})
}

// Any other failure may be over by now: it is theirs alone who came before.
func TestAnotherFailureIsNotHandedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newHerd()
		c.ask(t.Context(), 1)
		c.ask(t.Context(), 5)
		c.on <- market.ErrNotFound
		c.on <- errPanic
		c.want(t, 2, map[any]int{market.ErrNotFound: 1, errPanic: 5})
	})
}

func TestWhoHasHadEnoughLeavesTheReadingToTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newHerd()
		ctx, cancel := context.WithCancel(t.Context())
		c.ask(ctx, 1)
		c.ask(ctx, 1)
		c.ask(t.Context(), 2)
		cancel()
		synctest.Wait()
		c.on <- nil
		c.on <- nil
		c.want(t, 2, map[any]int{context.Canceled: 2, 2: 2})
	})
}
