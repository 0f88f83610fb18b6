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

// productReadCounter counts reads of all phones of a seller.
type productReadCounter struct {
	market.Store
	reads int
}

func (c *productReadCounter) ProductsOfSeller(ctx context.Context, uid string, page market.Page) (market.List[market.Product], error) {
	if page.After == "" {
		c.reads++
	}
	return c.Store.ProductsOfSeller(ctx, uid, page)
}

func newCountedEnv(t *testing.T) (*env, *productReadCounter) {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "market.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	counter := &productReadCounter{Store: store}
	return newEnvWithStore(t, counter, defaultRules), counter
}

// stepJanitorFor runs the janitor for this time, at its usual interval.
func (e *env) stepJanitorFor(lasting time.Duration) {
	e.t.Helper()
	for end := e.clock.Now().Add(lasting); e.clock.Now().Before(end); e.clock.Pass(250 * time.Millisecond) {
		e.must(e.janitor.Step(e.ctx))
	}
}

func TestSellerCascadeReadsPhonesFewTimes(t *testing.T) {
	for name, cascade := range map[string]func(e *env, seller market.Actor) error{
		"removed": func(e *env, seller market.Actor) error {
			_, err := e.RemoveUser(e.ctx, e.admin(), seller.User.ID, market.RemovalReason{})
			return err
		},
		"verified": func(e *env, seller market.Actor) error {
			_, err := e.VerifySeller(e.ctx, e.admin(), seller.User.ID, market.VerifyRequest{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			e, counter := newCountedEnv(t)
			seller := e.seller()
			e.phone(seller)
			e.must(cascade(e, seller))
			counter.reads = 0
			e.stepJanitorFor(41 * time.Second)
			if counter.reads > 12 || counter.reads < 5 {
				t.Errorf("the seller's phones were read %d times, want 5 to 12", counter.reads)
			}
			if left, err := e.store.UsersToSweep(e.ctx, 9); err != nil || len(left) != 0 {
				t.Errorf("users to sweep after 40 seconds: %v, %v", left, err)
			}
		})
	}
}

// A call in progress adds a phone after the seller's removal. The phone is removed too.
func TestPhoneAddedAfterSellerRemovalIsRemoved(t *testing.T) {
	for _, late := range []time.Duration{time.Second, 9 * time.Second, 39 * time.Second} {
		e, _ := newCountedEnv(t)
		seller := e.seller()
		_, err := e.RemoveUser(e.ctx, e.admin(), seller.User.ID, market.RemovalReason{})
		e.must(err)
		e.stepJanitorFor(late)
		p := e.phone(seller)
		e.stepJanitorFor(11 * time.Second)
		if _, err := e.store.Product(e.ctx, p.ID); !errors.Is(err, market.ErrNotFound) {
			t.Errorf("a phone that was added after %s is on sale 11 s later: %v", late, err)
		}
	}
}

// A second cascade of the same user begins while the first is being repeated. It is
// repeated at once and for the full time.
func TestRepeatedCascadeStartsOver(t *testing.T) {
	e, _ := newCountedEnv(t)
	seller := e.seller()
	_, err := e.VerifySeller(e.ctx, e.admin(), seller.User.ID, market.VerifyRequest{})
	e.must(err)
	e.stepJanitorFor(30 * time.Second)
	_, err = e.RemoveUser(e.ctx, e.admin(), seller.User.ID, market.RemovalReason{})
	e.must(err)
	p := e.phone(seller)
	e.must(e.janitor.Step(e.ctx))
	if _, err := e.store.Product(e.ctx, p.ID); !errors.Is(err, market.ErrNotFound) {
		t.Errorf("a phone added after the removal is still on sale: %v", err)
	}
	e.stepJanitorFor(35 * time.Second)
	if _, err := e.store.User(e.ctx, seller.User.UID); err != nil {
		t.Errorf("the removed user is purged before 40 seconds: %v", err)
	}
}
