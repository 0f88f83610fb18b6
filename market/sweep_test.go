package market_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"secondring/market"
	"secondring/store/sqlite/sqlitetest"
)

// stockCounter counts how often a seller's whole stock is read.
type stockCounter struct {
	market.Store
	reads int
}

func (c *stockCounter) ProductsOfSeller(ctx context.Context, uid string, page market.Page) (market.List[market.Product], error) {
	if page.After == "" {
		c.reads++
	}
	return c.Store.ProductsOfSeller(ctx, uid, page)
}

func newCountedEnv(t *testing.T) (*env, *stockCounter) {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "market.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	counter := &stockCounter{Store: store}
	return envOver(t, counter, plainRules), counter
}

// steps lets the janitor work for a while, as it does when it runs.
func (w *env) steps(lasting time.Duration) {
	w.t.Helper()
	for end := w.clock.Now().Add(lasting); w.clock.Now().Before(end); w.clock.Pass(250 * time.Millisecond) {
		w.must(w.janitor.Step(w.ctx))
	}
}

func TestAStockIsReadAFewTimesAfterARemoval(t *testing.T) {
	for name, begin := range map[string]func(w *env, seller market.Actor) error{
		"removed": func(w *env, seller market.Actor) error {
			_, err := w.RemoveUser(w.ctx, w.admin(), seller.User.ID)
			return err
		},
		"verified": func(w *env, seller market.Actor) error {
			_, err := w.VerifySeller(w.ctx, w.admin(), seller.User.ID)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, counter := newCountedEnv(t)
			seller := w.seller()
			w.phone(seller)
			w.must(begin(w, seller))
			counter.reads = 0
			w.steps(41 * time.Second)
			if counter.reads > 12 || counter.reads < 5 {
				t.Errorf("its stock was read %d times", counter.reads)
			}
			if left, err := w.store.UsersToSweep(w.ctx, 9); err != nil || len(left) != 0 {
				t.Errorf("it goes on after 40 seconds: %v, %v", left, err)
			}
		})
	}
}

// However late a call that was under way adds its phone, it does not stay.
func TestAPhoneAddedLateAfterARemovalGoes(t *testing.T) {
	for _, late := range []time.Duration{time.Second, 9 * time.Second, 39 * time.Second} {
		w, _ := newCountedEnv(t)
		seller := w.seller()
		_, err := w.RemoveUser(w.ctx, w.admin(), seller.User.ID)
		w.must(err)
		w.steps(late)
		p := w.phone(seller)
		w.steps(11 * time.Second)
		if _, err := w.store.Product(w.ctx, p.ID); !errors.Is(err, market.ErrNotFound) {
			t.Errorf("one that was added after %s is on sale 11 s later: %v", late, err)
		}
	}
}

// A cascade that begins while another one of the same person is repeated is
// repeated at once, and as long as any.
func TestANewCascadeIsRepeatedFromItsBeginning(t *testing.T) {
	w, _ := newCountedEnv(t)
	seller := w.seller()
	_, err := w.VerifySeller(w.ctx, w.admin(), seller.User.ID)
	w.must(err)
	w.steps(30 * time.Second)
	_, err = w.RemoveUser(w.ctx, w.admin(), seller.User.ID)
	w.must(err)
	p := w.phone(seller)
	w.must(w.janitor.Step(w.ctx))
	if _, err := w.store.Product(w.ctx, p.ID); !errors.Is(err, market.ErrNotFound) {
		t.Errorf("a phone added at once after the removal: %v", err)
	}
	w.steps(35 * time.Second)
	if _, err := w.store.User(w.ctx, seller.User.UID); err != nil {
		t.Errorf("forgotten before 40 seconds: %v", err)
	}
}
