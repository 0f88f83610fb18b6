package market_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"secondring/market"
)

// failingStore is a store whose next writes of one kind return an error, either without writing
// or after writing, as in a crash between two steps.
type failingStore struct {
	market.Store
	addBooking  func() error
	saveBooking func(market.Booking) error
	saveProduct func(market.Product)
}

var errCrash = errors.New("the process was killed")

func (f *failingStore) AddBooking(ctx context.Context, b market.Booking, n int, e []market.Effect) error {
	if f.addBooking != nil {
		return f.addBooking()
	}
	return f.Store.AddBooking(ctx, b, n, e)
}

func (f *failingStore) SaveBooking(ctx context.Context, b market.Booking, e []market.Effect) error {
	if f.saveBooking != nil {
		if err := f.saveBooking(b); err != nil {
			return err
		}
	}
	return f.Store.SaveBooking(ctx, b, e)
}

func (f *failingStore) SaveProduct(ctx context.Context, p market.Product, e []market.Effect) error {
	if f.saveProduct != nil {
		f.saveProduct(p)
	}
	return f.Store.SaveProduct(ctx, p, e)
}

func TestCrashBetweenPhoneAndBookingIsRepaired(t *testing.T) {
	e := newEnv(t)
	buyer, p := e.buyer(), e.phone(e.seller())
	crashingMarket := market.New(&failingStore{Store: e.store, addBooking: func() error { return errCrash }}, e.clock, defaultRules, e.bank)
	_, err := crashingMarket.Book(e.ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000"})
	if !errors.Is(err, errCrash) {
		t.Fatal(err)
	}
	if !e.stored(p).Booked() {
		t.Fatal("the crash came too early for this test")
	}
	e.clock.Pass(4 * time.Second)
	e.must(e.janitor.Step(e.ctx))
	b := e.storedBooking(market.Booking{ID: e.stored(p).Hold.BookingID})
	if b.Status != market.BookingHeld || b.BuyerUID != buyer.User.UID || b.Phone != "01800000" || b.Price != p.ResalePrice {
		t.Errorf("the booking was not written: %+v", b)
	}
	e.clock.Pass(time.Hour)
	e.must(e.janitor.Step(e.ctx))
	if e.stored(p).Booked() || e.storedBooking(b).Status != market.BookingExpired {
		t.Error("the repaired booking did not expire")
	}
}

func TestCrashDuringHoldReleaseIsRepaired(t *testing.T) {
	for name, end := range map[string]func(e *env, crashingMarket *market.Market, buyer market.Actor, b market.Booking) error{
		"cancel": func(e *env, crashingMarket *market.Market, buyer market.Actor, b market.Booking) error {
			_, err := crashingMarket.CancelBooking(e.ctx, buyer, b.ID)
			return err
		},
		"expiry": func(e *env, crashingMarket *market.Market, _ market.Actor, _ market.Booking) error {
			e.clock.Pass(time.Hour)
			return e.janitorOf(crashingMarket).Step(e.ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			buyer, p := e.buyer(), e.phone(e.seller())
			b := e.mustBook(buyer, p)
			crashingMarket := market.New(&failingStore{Store: e.store, saveBooking: func(b market.Booking) error {
				if b.Status != market.BookingHeld {
					return errCrash // the phone was released already
				}
				return nil
			}}, e.clock, defaultRules, e.bank)
			if err := end(e, crashingMarket, buyer, b); !errors.Is(err, errCrash) {
				t.Fatal(err)
			}
			if e.stored(p).Booked() {
				t.Fatal("the crash came too early for this test")
			}
			_, err := e.book(buyer, p)
			e.wantCode(err, market.CodeWait)

			e.must(e.janitor.Step(e.ctx))
			want := map[string]market.BookingStatus{"cancel": market.BookingCancelled, "expiry": market.BookingExpired}[name]
			if got := e.storedBooking(b); got.Status != want {
				t.Errorf("the booking is %s, want %s", got.Status, want)
			}
		})
	}
}

// crashingMarket returns a market whose process is killed when a booking gets this status.
func (e *env) crashingMarket(when market.BookingStatus) *market.Market {
	return market.New(&failingStore{Store: e.store, saveBooking: func(b market.Booking) error {
		if b.Status == when {
			return errCrash
		}
		return nil
	}}, e.clock, defaultRules, e.bank)
}
