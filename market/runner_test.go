package market_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// steps records when the steps of a work begin, since the test began.
type steps struct {
	mu    sync.Mutex
	began time.Time
	at    []time.Duration
}

func (s *steps) record() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = append(s.at, time.Since(s.began))
}

// runWork runs one work for some time, in a bubble of synctest, and returns when its steps began.
// during runs beside it.
func runWork(t *testing.T, w market.Work, step func(now time.Time) (time.Time, error), d time.Duration, during func(*market.Runner)) []time.Duration {
	t.Helper()
	s := &steps{began: time.Now()}
	r := market.NewRunner(market.SystemClock{}, discard, nil)
	w.Step = func(context.Context) (time.Time, error) {
		s.record()
		return step(time.Now())
	}
	r.Add(w)
	ctx, stop := context.WithTimeout(t.Context(), d)
	defer stop()
	if during != nil {
		go func() {
			synctest.Wait() // for the first step
			during(r)
		}()
	}
	r.Run(ctx)
	return s.at
}

// seconds returns each second from 0 to n.
func seconds(n int) (all []time.Duration) {
	for d := time.Duration(0); d <= time.Duration(n)*time.Second; d += time.Second {
		all = append(all, d)
	}
	return all
}

func nothing(time.Time) (time.Time, error) { return time.Time{}, nil }

// store reports a write that is due to the runner.
func reportDue(r *market.Runner, queue string, at time.Time) {
	_ = r.StoreHook(context.Background(), market.StoreCall{Due: []market.Due{{Queue: queue, At: at}}}, func() error { return nil })
}

func TestRunnerSleepsUntilTheNextKnownTime(t *testing.T) {
	for name, c := range map[string]struct {
		work   market.Work
		step   func(now time.Time) (time.Time, error)
		during func(*market.Runner)
		want   []time.Duration
	}{
		"nothing is known": {step: nothing, want: []time.Duration{0, 5 * time.Second, 10 * time.Second}},
		"a longer look":    {work: market.Work{Look: time.Minute}, step: nothing, want: []time.Duration{0}},
		"a step knows of more": {
			step: func(now time.Time) (time.Time, error) { return now.Add(4 * time.Second), nil },
			want: []time.Duration{0, 4 * time.Second, 8 * time.Second, 12 * time.Second},
		},
		"a write is due": {
			step:   nothing,
			during: func(r *market.Runner) { reportDue(r, "q", time.Now().Add(3*time.Second)) },
			want:   []time.Duration{0, 3 * time.Second, 8 * time.Second},
		},
		"a write of another queue is due": {
			step:   nothing,
			during: func(r *market.Runner) { reportDue(r, "other", time.Now()) },
			want:   []time.Duration{0, 5 * time.Second, 10 * time.Second},
		},
		"the work begins before": {
			work:   market.Work{Ahead: 2 * time.Second},
			step:   nothing,
			during: func(r *market.Runner) { reportDue(r, "q", time.Now().Add(3*time.Second)) },
			want:   []time.Duration{0, time.Second, 6 * time.Second, 11 * time.Second},
		},
		"writes soon after one another": {
			work: market.Work{Pause: 2 * time.Second},
			step: nothing,
			during: func(r *market.Runner) {
				for range 10 {
					<-time.After(100 * time.Millisecond)
					reportDue(r, "q", time.Now())
				}
			},
			want: []time.Duration{0, 2 * time.Second, 7 * time.Second, 12 * time.Second},
		},
		"a step fails": {
			step: func(time.Time) (time.Time, error) { return time.Time{}, errors.New("the store is unavailable") },
			want: seconds(12),
		},
		"another process has written": {
			step: nothing,
			during: func(r *market.Runner) {
				<-time.After(time.Second)
				r.Wake()
			},
			want: []time.Duration{0, time.Second, 6 * time.Second, 11 * time.Second},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.work.Queue = "q"
				got := runWork(t, c.work, c.step, 12500*time.Millisecond, c.during)
				if !slices.Equal(got, c.want) {
					t.Errorf("the steps began at %v, want %v", got, c.want)
				}
			})
		})
	}
}

// A hold ends within a second of its time, although the runner looks only every five seconds.
func TestHoldEndsInTime(t *testing.T) {
	e := newEnv(t)
	r := market.NewRunner(market.SystemClock{}, discard, nil)
	rules := defaultRules
	rules.BookingHold = 300 * time.Millisecond
	m := market.New(e.store.Hooked(r.StoreHook), market.SystemClock{}, rules, e.bank)
	m.AddTransitions(r)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { r.Run(ctx) })
	<-time.After(50 * time.Millisecond) // the first look has found nothing
	seller, buyer := e.seller(), e.buyer()
	p := e.phone(seller)
	b, err := m.Book(ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: "01700000000", Location: "Dhaka"})
	e.must(err)
	for b.Status == market.BookingHeld && time.Since(b.HoldUntil) < 3*time.Second {
		<-time.After(10 * time.Millisecond)
		b = e.storedBooking(b)
	}
	stop()
	running.Wait()
	if b.Status != market.BookingExpired {
		t.Errorf("the booking is %s three seconds after its hold", b.Status)
	}
}

// More bookings than one read returns cannot be changed. The others are expired nevertheless.
func TestFailuresDoNotHoldUpOtherHolds(t *testing.T) {
	e := newEnv(t)
	buyer, due := e.buyer(), e.clock.Now()
	const failing, others = 210, 5
	for i := range failing + others {
		id := fmt.Sprintf("b%03d", i)
		e.must(e.store.AddBooking(e.ctx, market.Booking{
			ID: id, ProductID: "p" + id, BuyerUID: buyer.User.UID, Status: market.BookingHeld,
			HoldUntil: due, Due: due.Add(time.Duration(i) * time.Millisecond), Version: 1, CreatedAt: due,
		}, 1000, nil))
	}
	e.clock.Pass(time.Minute)
	errBroken := errors.New("this booking cannot be written")
	broken := e.store.Hooked(func(_ context.Context, call market.StoreCall, do func() error) error {
		if b, ok := call.Entity.(market.Booking); ok && b.ID < fmt.Sprintf("b%03d", failing) {
			return errBroken
		}
		return do()
	})
	m := market.New(broken, e.clock, e.rules, e.bank)
	if err := markettest.Runner(e.clock, m.AddTransitions).Step(e.ctx); !errors.Is(err, errBroken) {
		t.Fatalf("the step returned %v", err)
	}
	for i := failing; i < failing+others; i++ {
		b, err := e.store.Booking(e.ctx, fmt.Sprintf("b%03d", i))
		e.must(err)
		if b.Status != market.BookingExpired {
			t.Errorf("the booking %s is %s", b.ID, b.Status)
		}
	}
}
