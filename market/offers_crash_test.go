package market_test

import (
	"errors"
	"testing"
	"time"

	"secondring/market"
)

func TestAcceptIsKilledAtEachWrite(t *testing.T) {
	atEachWrite(t, func(t *testing.T) (*offered, func(*market.Market) error) {
		o := newOffered(t)
		return o, func(m *market.Market) error { _, err := o.accept(m); return err }
	}, func(o *offered) {
		if !o.stored(o.phone).Booked() { // it was killed before the hold
			o.wantOffer(market.OfferOpen)
			o.wantFree()
			o.mustAccept()
		}
		b := o.wantAgreed(market.BookingHeld)
		o.mustPay(o.buyer, b)
		o.settle()
		o.wantAgreed(market.BookingPaid)
		pay, err := o.store.PaymentOf(o.ctx, o.storedBooking(b).Intent)
		if o.must(err); pay.Price != 30 {
			o.t.Errorf("the price paid is %d, want the price agreed", pay.Price)
		}
	})
}

func TestLapseIsKilledAtEachWrite(t *testing.T) {
	var b market.Booking
	atEachWrite(t, func(t *testing.T) (*offered, func(*market.Market) error) {
		o := newOffered(t)
		b = o.mustAccept()
		return o, func(m *market.Market) error {
			o.clock.Pass(12 * time.Hour)
			return o.janitorOf(m).Step(o.ctx)
		}
	}, func(o *offered) {
		o.wantOffer(market.OfferLapsed)
		o.wantBooking(b, market.BookingExpired, false, false)
	})
}

// lapsed returns an offer whose hold has ended while the bank was processing the payment.
func lapsed(t *testing.T) (o *offered, b market.Booking, intent string) {
	t.Helper()
	o = newOffered(t)
	b = o.mustAccept()
	_, err := o.openPayment(o.buyer, b)
	o.must(err)
	intent = o.storedBooking(b).Intent
	o.bank.Process(intent)
	o.clock.Pass(12 * time.Hour)
	o.step()
	o.clock.Pass(time.Hour + 5*time.Minute)
	o.step()
	o.settle()
	o.wantBooking(b, market.BookingExpired, false, false)
	o.wantOffer(market.OfferLapsed)
	return o, b, intent
}

func TestLatePaymentOfALapsedOfferIsKilledAtEachWrite(t *testing.T) {
	atEachWrite(t, func(t *testing.T) (*offered, func(*market.Market) error) {
		o, _, intent := lapsed(t)
		o.bank.Confirm(intent)
		return o, func(m *market.Market) error {
			err := m.ApplyPayment(o.ctx, intent)
			o.clock.Pass(5 * time.Minute) // the provider is asked again
			return err
		}
	}, func(o *offered) {
		b := o.wantAgreed(market.BookingPaid)
		if pay, err := o.store.PaymentOf(o.ctx, b.Intent); err != nil || pay.Price != 30 || o.bank.Refunds(b.Intent) != 0 {
			o.t.Errorf("the payment is %+v, %v", pay, err)
		}
	})
}

func TestLatePaymentOfALapsedOfferIsRefunded(t *testing.T) {
	for name, change := range map[string]func(o *offered){
		"booked by another buyer":  func(o *offered) { o.mustBook(o.env.buyer(), o.phone) },
		"the price has changed":    func(o *offered) { o.must(o.changePrice(o.phone, 41)) },
		"the price is the offer's": func(o *offered) { o.must(o.changePrice(o.phone, 30)) },
		"the terms have changed": func(o *offered) {
			text := "For parts"
			_, err := o.ChangeProduct(o.ctx, o.seller, o.phone.ID, market.ProductChange{Description: &text})
			o.must(err)
		},
		"sold":    func(o *offered) { o.sellToAnotherBuyer(o.phone) },
		"removed": func(o *offered) { o.must(o.removeAsSeller(o.phone)) },
	} {
		t.Run(name, func(t *testing.T) {
			o, b, intent := lapsed(t)
			change(o)
			o.bank.Confirm(intent)
			o.clock.Pass(5 * time.Minute)
			o.settle()
			if got := o.storedBooking(b); got.Status != market.BookingRefunded || o.bank.Refunds(intent) != 1 {
				t.Errorf("the booking is %s, refunded %d times", got.Status, o.bank.Refunds(intent))
			}
			o.wantOffer(market.OfferLapsed)
		})
	}
}

// The accepting process stops between its last check and the booking, until another one has given the
// phone back.
func TestHoldThatEndsBeforeItsBooking(t *testing.T) {
	o := newOffered(t)
	_, err := o.accept(o.beforeWrite(isBooking, func() {
		_, err := o.answer(o.buyer, market.ActionWithdraw)
		o.wantCode(err, market.CodeOver)
		o.clock.Pass(4 * time.Second)
		o.settle()
	}))
	o.wantCode(err, market.CodeOver)
	if o.stored(o.phone).Booked() {
		t.Error("the phone is held")
	}
	if held, err := o.store.HeldBookings(o.ctx, o.buyer.User.UID, 9); err != nil || len(held) != 0 {
		t.Errorf("the buyer has the bookings %+v, %v", held, err)
	}
}

// A person answers while the phone is held and its booking is not written yet: because
// the process was killed, or just then.
func TestOfferThatEndsBeforeItsHold(t *testing.T) {
	for name, end := range map[string]struct {
		do func(o *offered) error
		as market.OfferStatus
	}{
		"withdrawn": {func(o *offered) error { _, err := o.answer(o.buyer, market.ActionWithdraw); return err }, market.OfferWithdrawn},
		"countered": {func(o *offered) error { _, err := o.answer(o.seller, market.ActionCounter); return err }, market.OfferCountered},
		"blocked":   {func(o *offered) error { _, err := o.Block(o.ctx, o.buyer, o.offer.ThreadID); return err }, market.OfferGone},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffered(t)
			_, err := o.accept(o.beforeWrite(isHold, func() { o.must(end.do(o)) }))
			o.wantCode(err, market.CodeOver)
			o.wantOffer(end.as)
			o.wantFree()
			o.settle()
			o.wantOffer(end.as)
		})
		t.Run(name+" after a kill", func(t *testing.T) {
			o := newOffered(t)
			_, err := o.accept(market.New(&failingStore{Store: o.store, addBooking: func() error { return errCrash }}, o.clock, o.rules, o.bank))
			if !errors.Is(err, errCrash) {
				t.Fatal(err)
			}
			if err := end.do(o); name == "blocked" {
				o.must(err)
			} else {
				o.wantCode(err, market.CodeOver)
			}
			o.settle()
			o.wantOffer(end.as)
			o.wantFree()
		})
		t.Run(name+" after the hold", func(t *testing.T) {
			o := newOffered(t)
			_, err := o.accept(o.beforeWrite(isBooking, func() {
				if err := end.do(o); name == "blocked" {
					o.must(err)
				} else {
					o.wantCode(err, market.CodeOver)
				}
			}))
			o.must(err)
			o.settle()
			got := o.wantOffer(market.OfferAccepted)
			if b := o.storedBooking(market.Booking{ID: got.BookingID}); b.Price != 30 || got.ViewFor(o.buyer.User.UID).Price != 30 {
				t.Errorf("the booking is at %d, the offer %+v", b.Price, got)
			}
		})
	}
}
