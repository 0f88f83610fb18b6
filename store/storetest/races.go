package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
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
	"one save of a version wins, and only its event is stored": func(s env) {
		p := s.addPhone(s.addBrand("Nokia"), "sam")
		wantOneSuccess(s, market.ErrConflict, func(i int) error {
			next := held(p, noon)
			next.Hold.BuyerUID = fmt.Sprint(i)
			e := event(p.ID, 2)
			e.Topic = market.TopicMe(fmt.Sprint(i))
			return s.SaveProduct(s.Context(), next, events(e))
		})
		got := get[market.Product](s)(s.Product(s.Context(), p.ID))
		e := event(p.ID, 2)
		e.Topic = market.TopicMe(got.Hold.BuyerUID)
		s.wantEvents(e)
	},
	"a save or a removal of a version wins, not both": func(s env) {
		p := s.addPhone(s.addBrand("Nokia"), "sam")
		counts := race(s, func(i int) error {
			if i%2 == 0 {
				return s.RemoveProduct(s.Context(), nextVersion(p), events(event(p.ID, 2)))
			}
			return s.SaveProduct(s.Context(), nextVersion(p), events(event(p.ID, 2)))
		}, market.ErrConflict, market.ErrNotFound)
		s.equal(counts[nil], 1)
		s.wantEvents(event(p.ID, 2))
	},
	"a buyer reaches the limit and never passes it": func(s env) {
		const limit = 7
		counts := race(s, func(i int) error {
			b := booking("ann", fmt.Sprint(i))
			return s.AddBooking(s.Context(), b, limit, events(event(b.ID, 1)))
		}, market.ErrLimit)
		s.equal(counts[nil], limit)
		s.equal(len(get[[]market.Booking](s)(s.HeldBookings(s.Context(), "ann", concurrentCalls))), limit)
		list := get[market.List[market.Booking]](s)(s.BookingsOf(s.Context(), "ann", market.Page{Limit: concurrentCalls}))
		s.equal([]int{len(list.Items), list.Total}, []int{limit, limit})
		s.equal(len(get[[]market.Event](s)(s.PendingEvents(s.Context(), concurrentCalls))), limit)
	},
	"one booking of an id is added": func(s env) {
		b := booking("ann", "p")
		wantOneSuccess(s, market.ErrExists, func(int) error { return s.AddBooking(s.Context(), b, concurrentCalls, events(event(b.ID, 1))) })
		s.wantEvents(event(b.ID, 1))
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
	"one report of a phone by a reporter is added": func(s env) {
		wantOneSuccess(s, market.ErrExists, func(int) error { return s.AddReport(s.Context(), report("p", "ann"), nil) })
	},
	"one payment of a transaction is added, and only its event is stored": func(s env) {
		wantOneSuccess(s, market.ErrExists, func(int) error {
			p := payment("b1")
			return s.AddPayment(s.Context(), p, events(event(p.ID, 1)))
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
			return s.SavePayment(s.Context(), next, events(e))
		})
		e := event(p.ID, 2)
		e.At = get[market.Payment](s)(s.PaymentOf(s.Context(), p.Transaction)).RefundedAt
		s.wantEvents(e)
	},
	"one record of a kind and id is added": func(s env) {
		won := make(chan market.Record, concurrentCalls)
		wantOneSuccess(s, market.ErrExists, func(i int) error {
			r := record("k", "1")
			r.Data = fmt.Append(nil, i)
			err := s.AddRecord(s.Context(), r, nil)
			if err == nil {
				won <- r
			}
			return err
		})
		s.equal(get[market.Record](s)(s.Record(s.Context(), "k", "1")), <-won)
	},
	"one save of a record's version wins": func(s env) {
		s.addRecord(record("k", "1"))
		won := make(chan market.Record, concurrentCalls)
		wantOneSuccess(s, market.ErrConflict, func(i int) error {
			r := record("k", "1")
			r.Data, r.Version = fmt.Append(nil, i), 2
			err := s.SaveRecord(s.Context(), r)
			if err == nil {
				won <- r
			}
			return err
		})
		s.equal(get[market.Record](s)(s.Record(s.Context(), "k", "1")), <-won)
	},
	"an extended record is not purged, and each purged one is counted once": func(s env) {
		for i := range concurrentCalls / 2 {
			r := record("k", fmt.Sprint(i))
			r.Expires = noon
			s.addRecord(r)
		}
		var purged atomic.Int64
		saves := race(s, func(i int) error {
			if i%2 == 0 {
				n, err := s.PurgeRecords(s.Context(), noon.Add(time.Minute), 5)
				purged.Add(int64(n))
				return err
			}
			r := record("k", fmt.Sprint(i/2))
			r.Expires, r.Version = noon.Add(time.Hour), 2
			return s.SaveRecord(s.Context(), r)
		}, market.ErrNotFound)
		extended := saves[nil] - concurrentCalls/2
		rest := get[int](s)(s.PurgeRecords(s.Context(), noon.Add(time.Minute), concurrentCalls))
		s.equal(get[int](s)(s.PurgeRecords(s.Context(), noon.Add(2*time.Hour), concurrentCalls)), extended)
		s.equal(int(purged.Load())+rest+extended, concurrentCalls/2)
	},
	"one value of a setting is set": func(s env) {
		wantOneSuccess(s, market.ErrExists, func(i int) error { return s.SetMeta(s.Context(), "kind", fmt.Sprint(i)) })
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
	"a write that has returned is read, by its writer and in its list": func(s env) {
		b := s.addBrand("Nokia")
		race(s, func(i int) error {
			p := phone(b, fmt.Sprint(i))
			if err := s.AddProduct(s.Context(), p, nil); err != nil {
				return err
			}
			list, err := s.ProductsOfSeller(s.Context(), p.SellerUID, market.Page{Limit: 9})
			if err != nil || len(list.Items) != 1 || list.Total != 1 {
				return fmt.Errorf("the seller's list is %+v, want one phone: %w", list, err)
			}
			_, err = s.Product(s.Context(), p.ID)
			return err
		})
		s.equal(get[market.List[market.Product]](s)(s.ProductsOfBrand(s.Context(), b.ID, market.Page{Limit: 1})).Total, concurrentCalls)
	},
	"an entity's events wait in the order of its versions": func(s env) {
		const writers = concurrentCalls / 5 // each retries after a conflict, and more would take minutes
		p := s.addPhone(s.addBrand("Nokia"), "sam")
		race(s, func(i int) error {
			for i < writers {
				current, err := s.Product(s.Context(), p.ID)
				if err != nil {
					return err
				}
				err = s.SaveProduct(s.Context(), nextVersion(current), events(event(p.ID, current.Version+1)))
				if !errors.Is(err, market.ErrConflict) {
					return err
				}
			}
			return nil
		})
		for i, e := range get[[]market.Event](s)(s.PendingEvents(s.Context(), concurrentCalls+1)) {
			s.equal(e.Version, int64(i+2))
		}
		s.equal(get[market.Product](s)(s.Product(s.Context(), p.ID)).Version, int64(writers+1))
	},
	"totals are right after concurrent changes": func(s env) {
		b := s.addBrand("Nokia")
		race(s, func(i int) error {
			p := phone(b, fmt.Sprint(i%3))
			p.Advertised = i%2 == 0
			if err := s.AddProduct(s.Context(), p, nil); err != nil || i%4 > 1 {
				return err
			}
			if i%4 == 1 {
				return s.SaveProduct(s.Context(), held(p, noon), nil)
			}
			return s.RemoveProduct(s.Context(), nextVersion(p), nil)
		})
		page := market.Page{Limit: concurrentCalls}
		for name, list := range map[string]func() (market.List[market.Product], error){
			"brand":      func() (market.List[market.Product], error) { return s.ProductsOfBrand(s.Context(), b.ID, page) },
			"seller":     func() (market.List[market.Product], error) { return s.ProductsOfSeller(s.Context(), "1", page) },
			"advertised": func() (market.List[market.Product], error) { return s.Advertised(s.Context(), page) },
		} {
			got := get[market.List[market.Product]](s)(list())
			if got.Total == 0 || got.Total != len(got.Items) {
				s.Errorf("%s: total is %d, want %d", name, got.Total, len(got.Items))
			}
		}
	},
}
