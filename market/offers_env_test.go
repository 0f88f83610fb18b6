package market_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// offered is a phone for $40 with an offer of $30.
type offered struct {
	*env
	seller, buyer market.Actor
	phone         market.Product
	offer         market.Offer
}

func newOffered(tb testing.TB) *offered {
	tb.Helper()
	e := newEnv(tb)
	o := &offered{env: e, seller: e.seller(), buyer: e.buyer()}
	o.phone = e.phone(o.seller)
	o.offer = e.mustOffer(o.buyer, o.phone)
	return o
}

func (e *env) mustOffer(buyer market.Actor, p market.Product) market.Offer {
	e.t.Helper()
	o, err := e.MakeOffer(e.ctx, buyer, market.OfferRequest{ProductID: p.ID, Price: 30, Phone: "01800000", Location: "Sylhet"})
	e.must(err)
	return o
}

// answer does an action of the seller, or of the buyer, with another price of $35.
func (o *offered) answer(who market.Actor, action market.OfferAction) (market.Answer, error) {
	return o.AnswerOffer(o.ctx, who, o.offer.ID, market.AnswerRequest{Action: action, Price: 35})
}

// accept accepts the offer as the seller, by a market.
func (o *offered) accept(m *market.Market) (market.Answer, error) {
	return m.AnswerOffer(o.ctx, o.seller, o.offer.ID, market.AnswerRequest{Action: market.ActionAccept})
}

// mustAccept accepts the offer, and returns the booking.
func (o *offered) mustAccept() market.Booking {
	o.t.Helper()
	answer, err := o.accept(o.Market)
	o.must(err)
	return o.storedBooking(market.Booking{ID: answer.BookingID})
}

func (o *offered) wantOffer(status market.OfferStatus) market.Offer {
	o.t.Helper()
	got, err := o.store.Offer(o.ctx, o.offer.ID)
	o.must(err)
	if got.Status != status {
		o.t.Fatalf("the offer is %s, want %s", got.Status, status)
	}
	return got
}

// settle runs all background work some time later, until nothing is left to do.
func (o *offered) settle() {
	o.t.Helper()
	conversations := markettest.Runner(o.clock, o.AddConversations)
	for range 3 {
		o.step()
		o.must(conversations.Step(o.ctx))
		o.clock.Pass(5 * time.Second)
	}
}

// wantFree fails the test unless the phone is available, and the buyer has no booking of it.
func (o *offered) wantFree() {
	o.t.Helper()
	if o.stored(o.phone).Booked() {
		o.t.Error("the phone is held")
	}
	if b, err := o.store.LastBooking(o.ctx, o.buyer.User.UID, o.phone.ID); !errors.Is(err, market.ErrNotFound) {
		o.t.Errorf("the buyer has the booking %+v, %v", b, err)
	}
}

// wantAgreed fails the test unless the buyer has the phone at the price of the offer, and was told so once.
func (o *offered) wantAgreed(status market.BookingStatus) market.Booking {
	o.t.Helper()
	got := o.wantOffer(market.OfferAccepted)
	p := o.stored(o.phone)
	if p.Hold == nil || p.Hold.BuyerUID != o.buyer.User.UID || p.Hold.BookingID != got.BookingID {
		o.t.Fatalf("the phone is held by %+v, want the booking %s", p.Hold, got.BookingID)
	}
	b := o.storedBooking(market.Booking{ID: got.BookingID})
	if b.Price != 30 || b.ListPrice != 40 || b.Status != status || b.OfferID != o.offer.ID {
		o.t.Errorf("the booking is %+v", b)
	}
	if lines := o.lines(); !slices.Equal(lines, []string{"Accepted $30.", ""}) {
		o.t.Errorf("the thread has the lines %q", lines)
	}
	told, err := o.store.NotificationsOf(o.ctx, o.buyer.User.UID, market.Page{Limit: 9})
	o.must(err)
	accepted := 0
	for _, n := range told.Items {
		if strings.Contains(n.Text, "is accepted") {
			accepted++
		}
	}
	if accepted != 1 {
		o.t.Errorf("the buyer was told %d times that the offer is accepted", accepted)
	}
	return b
}

// lines returns the texts of the thread, newest first.
func (o *offered) lines() (all []string) {
	o.t.Helper()
	list, err := o.store.Messages(o.ctx, o.offer.ThreadID, market.Page{Limit: 9})
	o.must(err)
	for _, v := range list.Items {
		all = append(all, v.Text)
	}
	return all
}

// atEachWrite does something with a market whose process is killed at its first write, then at its second
// one and so on, each time before the write and after it. begin returns what to do, in a new
// environment. check is called after the restart, and once after it was done without a kill.
func atEachWrite(t *testing.T, begin func(t *testing.T) (*offered, func(*market.Market) error), check func(o *offered)) {
	t.Helper()
	for _, isWritten := range []bool{false, true} {
		for n, isKilled := 1, true; isKilled; n++ {
			o, do := begin(t)
			isKilled = false
			writes := 0
			store := o.store.Hooked(func(_ context.Context, call market.StoreCall, write func() error) error {
				if call.Op == market.OpRead {
					return write()
				}
				if writes++; writes < n {
					return write()
				}
				if isKilled = true; writes == n && isWritten {
					return errors.Join(write(), errCrash)
				}
				return errCrash
			})
			err := do(market.New(store, o.clock, o.rules, o.bank))
			if isKilled != (err != nil) {
				t.Fatalf("write %d: the error is %v", n, err)
			}
			o.clock.Pass(4 * time.Second)
			o.settle()
			check(o)
			if t.Failed() {
				t.Fatalf("it was killed at write %d, which was made: %v", n, isWritten)
			}
		}
	}
}

// beforeWrite returns a market that calls do once, before the first write of an entity that matches.
func (o *offered) beforeWrite(matches func(entity any) bool, do func()) *market.Market {
	isDone := false
	return market.New(o.store.Hooked(func(_ context.Context, call market.StoreCall, write func() error) error {
		if !isDone && matches(call.Entity) {
			isDone = true
			do()
		}
		return write()
	}), o.clock, o.rules, o.bank)
}

func isHold(entity any) bool {
	p, ok := entity.(market.Product)
	return ok && p.Hold != nil
}

func isBooking(entity any) bool {
	_, ok := entity.(market.Booking)
	return ok
}

func isThread(entity any) bool {
	_, ok := entity.(market.Thread)
	return ok
}
