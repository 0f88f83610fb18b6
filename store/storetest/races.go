package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"secondring/market"
)

const concurrentCalls = 200

// race calls do from concurrentCalls goroutines at once, and returns how often each of the
// expected errors, and nil, was returned. Any other error fails the test.
func race(s env, do func(i int) error, expected ...error) map[error]int {
	s.Helper()
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, concurrentCalls)
	for i := range concurrentCalls {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			errs[i] = do(i)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	counts := map[error]int{}
	for _, err := range errs {
		counts[matchError(s, err, expected)]++
	}
	return counts
}

// matchError returns the expected error that matches err, or nil if err is nil. Any other error
// fails the test.
func matchError(s env, err error, expected []error) error {
	s.Helper()
	for _, want := range expected {
		if errors.Is(err, want) {
			return want
		}
	}
	if err != nil {
		s.Fatalf("unexpected error: %v", err)
	}
	return nil
}

// wantOneSuccess fails the test unless one call returns nil and the others return want.
func wantOneSuccess(s env, want error, do func(i int) error) {
	s.Helper()
	s.equal(race(s, do, want)[nil], 1)
}

// anyCase returns the name in capitals if i is even, and unchanged if i is odd.
func anyCase(name string, i int) string {
	if i%2 == 0 {
		return strings.ToUpper(name)
	}
	return name
}

var raceCases = cases{
	"a buyer reaches the limit and never passes it": func(s env) {
		const limit = 7
		counts := race(s, func(i int) error {
			b := booking("ann", fmt.Sprint(i))
			return s.AddBooking(s.Context(), b, limit, effects(event(b.ID, 1)))
		}, market.ErrLimit)
		s.equal(counts[nil], limit)
		s.equal(len(get[[]market.Booking](s)(s.HeldBookings(s.Context(), "ann", concurrentCalls))), limit)
		list := get[market.List[market.Booking]](s)(s.BookingsOf(s.Context(), "ann", market.Page{Limit: concurrentCalls}))
		s.equal([]int{len(list.Items), list.Total}, []int{limit, limit})
		s.equal(len(get[[]market.Event](s)(s.PendingEvents(s.Context(), concurrentCalls))), limit)
	},
	"one user of an email is added": func(s env) {
		wantOneSuccess(s, market.ErrExists, func(i int) error {
			return s.AddUser(s.Context(), user(fmt.Sprint(i), anyCase("ann@example.com", i)), nil)
		})
		s.equal(get[market.List[market.User]](s)(s.Users(s.Context(), market.AccountUser, market.Page{Limit: 9})).Total, 1)
	},
	"one user of a UID is added": func(s env) {
		wantOneSuccess(s, market.ErrExists, func(i int) error {
			return s.AddUser(s.Context(), user("ann", fmt.Sprint(i, "@example.com")), nil)
		})
	},
	"one account of an email is added": func(s env) {
		wantOneSuccess(s, market.ErrExists, func(i int) error {
			return s.AddAccount(s.Context(), account(fmt.Sprint(i), anyCase("ann@example.com", i)), nil)
		})
	},
	"one account takes a Google subject": func(s env) {
		for i := range concurrentCalls {
			s.ok(s.AddAccount(s.Context(), account(fmt.Sprint(i), fmt.Sprint(i, "@example.com")), nil))
		}
		wantOneSuccess(s, market.ErrExists, func(i int) error {
			a := account(fmt.Sprint(i), fmt.Sprint(i, "@example.com"))
			a.GoogleSub, a.Version = "g", 2
			return s.SaveAccount(s.Context(), a, nil)
		})
	},
	"one brand of a name is added": func(s env) {
		wantOneSuccess(s, market.ErrExists, func(i int) error { return s.AddBrand(s.Context(), brand(anyCase("Nokia", i))) })
	},
	"one open case of a target is added": func(s env) {
		wantOneSuccess(s, market.ErrExists, func(int) error { return s.AddCase(s.Context(), caseOf("p"), nil) })
	},
	"one payment of a transaction is added, and only its event is stored": func(s env) {
		wantOneSuccess(s, market.ErrExists, func(int) error {
			p := payment("b1")
			return s.AddPayment(s.Context(), p, effects(event(p.ID, 1)))
		})
		s.wantEvents(event(get[market.Payment](s)(s.PaymentOf(s.Context(), "pi_b1")).ID, 1))
	},
	"one save of a payment's version wins, and only its event is stored": func(s env) {
		p := payment("b1")
		s.ok(s.AddPayment(s.Context(), p, nil))
		wantOneSuccess(s, market.ErrConflict, func(i int) error {
			next, e := p, event(p.ID, 2)
			next.RefundedAt, next.Version = noon.Add(time.Duration(i)*time.Millisecond), 2
			e.At = next.RefundedAt
			return s.SavePayment(s.Context(), next, effects(e))
		})
		e := event(p.ID, 2)
		e.At = get[market.Payment](s)(s.PaymentOf(s.Context(), p.Transaction)).RefundedAt
		s.wantEvents(e)
	},
	"extending does not restore a session that has ended": func(s env) {
		s.ok(s.AddSession(s.Context(), session("s", "ann")))
		race(s, func(i int) error {
			if i%2 == 0 {
				return s.EndSession(s.Context(), "s", nil)
			}
			return s.ExtendSession(s.Context(), "s", noon, noon)
		}, market.ErrNotFound)
		wantNotFound[market.Session](s)(s.Session(s.Context(), "s"))
	},
}
