package storetest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"secondring/market"
)

// Open returns an empty store for one test, and registers a cleanup that closes it when the test
// ends. The test may close it earlier.
type Open func(t *testing.T) market.Store

// Run runs the suite.
func Run(t *testing.T, open Open) {
	t.Run("Fields", func(t *testing.T) { run(t, open, fieldCases) })
	t.Run("Users", func(t *testing.T) { run(t, open, userCases) })
	t.Run("Accounts", func(t *testing.T) { run(t, open, accountCases) })
	t.Run("Sessions", func(t *testing.T) { run(t, open, sessionCases) })
	t.Run("Brands", func(t *testing.T) { run(t, open, brandCases) })
	t.Run("BrandStock", func(t *testing.T) { run(t, open, brandStockCases) })
	t.Run("Products", func(t *testing.T) { run(t, open, productCases) })
	t.Run("Search", func(t *testing.T) { Search(t, open) })
	t.Run("Bookings", func(t *testing.T) { run(t, open, bookingCases) })
	t.Run("Threads", func(t *testing.T) { run(t, open, threadCases) })
	t.Run("Evidence", func(t *testing.T) { run(t, open, evidenceCases) })
	t.Run("Payments", func(t *testing.T) { run(t, open, paymentCases) })
	t.Run("Records", func(t *testing.T) { run(t, open, recordCases) })
	t.Run("Pictures", func(t *testing.T) { run(t, open, pictureCases) })
	t.Run("Watching", func(t *testing.T) { run(t, open, watchingCases) })
	t.Run("Reports", func(t *testing.T) { run(t, open, reportCases) })
	t.Run("Cases", func(t *testing.T) { run(t, open, caseCases) })
	t.Run("Ledger", func(t *testing.T) { run(t, open, ledgerCases) })
	t.Run("AuditLog", func(t *testing.T) { run(t, open, auditLogCases) })
	t.Run("Notifications", func(t *testing.T) { run(t, open, notificationCases) })
	t.Run("PersonalData", func(t *testing.T) { run(t, open, personalDataCases) })
	t.Run("General", func(t *testing.T) { run(t, open, generalCases) })
	t.Run("Races", func(t *testing.T) { run(t, open, raceCases) })
	t.Run("Model", func(t *testing.T) { model(t, open) })
}

// cases has the test cases by the rule that they test.
type cases map[string]func(s env)

func run(t *testing.T, open Open, all cases) {
	for name, check := range all {
		t.Run(name, func(t *testing.T) { check(env{t, open(t)}) })
	}
}

// env is a store under test with helpers for the cases.
type env struct {
	*testing.T
	market.Store
}

// ok fails the test, and ends it, if err is not nil.
func (s env) ok(err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("unexpected error: %v", err)
	}
}

// wantError fails the test unless err is want, as errors.Is compares them.
func (s env) wantError(err, want error) {
	s.Helper()
	if !errors.Is(err, want) {
		s.Fatalf("got error %v, want %v", err, want)
	}
}

// get returns the result of a call that must not fail: get[market.Product](s)(s.Product(ctx, id)).
func get[T any](s env) func(T, error) T {
	return func(v T, err error) T {
		s.Helper()
		s.ok(err)
		return v
	}
}

// wantNotFound fails the test unless the error is ErrNotFound: wantNotFound(s)(s.Product(ctx,
// id)).
func wantNotFound[T any](s env) func(T, error) {
	return func(_ T, err error) {
		s.Helper()
		s.wantError(err, market.ErrNotFound)
	}
}

// equal fails the test unless the values are equal. An empty slice equals nil.
func (s env) equal(got, want any) {
	s.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		s.Fatalf("(-want +got)\n%s", diff)
	}
}

// wantEvents fails the test unless the outbox has exactly these events, in order, and
// empties it.
func (s env) wantEvents(want ...market.Event) {
	s.Helper()
	pending := get[[]market.Event](s)(s.PendingEvents(s.Context(), 1000))
	s.equal(withoutSeq(pending), want)
	s.ok(s.EventsPublished(s.Context(), pending))
}

func withoutSeq(events []market.Event) []market.Event {
	plain := make([]market.Event, len(events))
	for i, e := range events {
		e.Seq = 0
		plain[i] = e
	}
	return plain
}

// wantPages reads a list with several page sizes. It fails the test unless each has the same
// entities in this order, the total on every page and an end after the last.
func wantPages[T any](s env, list func(market.Page) (market.List[T], error), id func(T) string, want ...T) {
	s.Helper()
	for _, limit := range []int{1, 2, 3, len(want) + 1} {
		var all []T
		page := market.Page{Limit: limit}
		for more := true; more; {
			part := get[market.List[T]](s)(list(page))
			if part.Total != len(want) {
				s.Fatalf("total is %d, want %d", part.Total, len(want))
			}
			if len(part.Items) > limit || len(all) > len(want) || part.More && len(part.Items) < limit {
				s.Fatalf("page has %d items, limit %d, More is %v", len(part.Items), limit, part.More)
			}
			all = append(all, part.Items...)
			if more = part.More; more {
				page.After = id(all[len(all)-1])
			}
		}
		s.equal(all, want)
	}
}
