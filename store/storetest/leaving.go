package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// Leaving deletes the account of a buyer or a seller while the buyer pays, on two nodes: at the
// same time, and with each of the two in the middle of the other, which may be killed. A paid
// order must always have both sides, and a person who has left must have no paid order.
func Leaving(t *testing.T, open Open) {
	for name, accountType := range map[string]string{"buyer": market.AccountUser, "seller": market.AccountSeller} {
		t.Run(name, func(t *testing.T) {
			s := env{t, open(t)}
			for _, hasIntent := range []bool{false, true} {
				newSale := func() *sale { return s.newSale(t, accountType, hasIntent) }
				for range 10 {
					newSale().leaveBesidePayment()
				}
				for _, isKilled := range []bool{false, true} {
					for n, more := 0, true; more; n++ {
						sale := newSale()
						more = sale.interrupt(n, isKilled, sale.leave, sale.pay)
					}
					for n, more := 0, true; more; n++ {
						sale := newSale()
						more = sale.interrupt(n, isKilled, sale.pay, sale.leave)
					}
				}
			}
		})
	}
}

// sale is a booking whose buyer is about to pay.
type sale struct {
	env
	clock                 *markettest.Clock
	bank                  *markettest.Bank
	buyer, seller, leaver markedUser
	booking               market.Booking
	isLost                bool // the leaver got no answer
	leaveErr              error
}

var leavingRules = market.Rules{BookingHold: time.Hour, SendWithin: 120 * time.Hour, MaxHolds: 9, Advertise: market.AdvertiseAll}

// newSale returns a sale of which the person with this account type leaves. hasIntent is whether
// the buyer's browser has an intent already.
func (s env) newSale(t *testing.T, accountType string, hasIntent bool) *sale {
	t.Helper()
	sale := &sale{env: env{t, s.Store}, clock: markettest.NewClock(noon), bank: markettest.NewBank()}
	sale.buyer, sale.seller = sale.addMarkedUser(market.AccountUser), sale.addMarkedUser(market.AccountSeller)
	sale.leaver = sale.seller
	if accountType == market.AccountUser {
		sale.leaver = sale.buyer
	}
	ctx, m := t.Context(), sale.node(s.Store)
	p := phone(sale.addBrand("Brand "+newID()), sale.seller.user.UID)
	sale.ok(s.AddProduct(ctx, p, nil))
	in := market.BookingRequest{ProductID: p.ID, Phone: "01800000"}
	sale.booking = get[market.Booking](sale.env)(m.Book(ctx, market.Actor{User: sale.buyer.user}, in))
	if hasIntent {
		sale.openPayment(m)
	}
	return sale
}

// openPayment requests the intent of the booking.
func (s *sale) openPayment(m *market.Market) {
	price := s.booking.Price
	_, err := m.OpenPayment(s.Context(), market.Actor{User: s.buyer.user}, market.OpenPaymentRequest{BookingID: s.booking.ID, Price: &price})
	if err == nil {
		s.booking = get[market.Booking](s.env)(s.Booking(s.Context(), s.booking.ID))
	}
}

// node returns the market of a server.
func (s *sale) node(store market.Store) *market.Market {
	return market.New(store, s.clock, leavingRules, s.bank)
}

// leave deletes the account of the person who leaves.
func (s *sale) leave(m *market.Market) {
	s.leaveErr = m.DeleteAccount(s.Context(), s.leaver.account)
}

// pay charges the buyer's card, and reports the payment to the market.
func (s *sale) pay(m *market.Market) {
	if s.booking.Intent == "" {
		s.openPayment(m)
	}
	if s.booking.Intent == "" {
		return
	}
	price := s.booking.Price
	s.bank.Confirm(s.booking.Intent)
	_, err := m.Pay(s.Context(), market.Actor{User: s.buyer.user}, market.PaymentRequest{
		BookingID: s.booking.ID, Transaction: s.booking.Intent, Email: s.buyer.account.Email, Price: &price,
	})
	if code := market.CodeOf(err); err != nil && code == "" && !errors.Is(err, errKilled) || code == market.CodeInvalid {
		s.Errorf("the payment returned %v", err)
	}
}

func (s *sale) leaveBesidePayment() {
	var both sync.WaitGroup
	both.Go(func() { s.leave(s.node(s.Store)) })
	both.Go(func() { s.pay(s.node(s.Store)) })
	both.Wait()
	s.check()
}

// errKilled is the error of a write of a process that was killed.
var errKilled = errors.New("the process was killed")

// interrupt does the first action. Before its n-th write, counted from 0, another node does the
// second one. If the first node is killed, it writes nothing more. interrupt returns false if
// there are not so many writes.
func (s *sale) interrupt(n int, isKilled bool, first, second func(*market.Market)) bool {
	var writes atomic.Int64 // some are made at the same time
	first(s.node(markettest.Guarded(s.Store, func(write func() error) error {
		before := int(writes.Add(1)) - 1
		if before == n {
			second(s.node(s.Store))
		}
		if isKilled && before >= n {
			return errKilled
		}
		return write()
	})))
	if int(writes.Load()) <= n {
		return false
	}
	s.isLost = isKilled
	s.check()
	return true
}

// check completes what is interrupted, and compares the order with the people in the market.
func (s *sale) check() {
	s.Helper()
	ctx, m := s.Context(), s.node(s.Store)
	if market.CodeOf(s.leaveErr) == market.CodeOpenOrders && !errors.Is(s.leaveErr, errKilled) {
		s.equal(get[market.User](s.env)(s.User(ctx, s.leaver.user.UID)).Leaving, false)
	}
	for range 3 {
		s.clock.Pass(time.Minute)
		s.ok(markettest.Runner(s.clock, m.AddTransitions, m.AddPurges, m.AddPaymentChecks).Step(ctx))
	}
	leaver, err := s.User(ctx, s.leaver.user.UID)
	hasLeft := errors.Is(err, market.ErrNotFound) || leaver.Removed
	b := get[market.Booking](s.env)(s.Booking(ctx, s.booking.ID))
	isPaid := len(s.bank.Charged()) > 0
	switch {
	case isPaid != (b.Status == market.BookingPaid):
		s.Errorf("the intents are %+v, the booking is %s", s.bank.All(), b.Status)
	case isPaid && hasLeft, isPaid && (b.Seller == nil || b.Email == ""):
		s.Errorf("the paid order has no buyer or no seller: %+v", b)
	case isPaid && s.leaveErr == nil, !s.isLost && !hasLeft && market.CodeOf(s.leaveErr) != market.CodeOpenOrders:
		s.Errorf("the person has not left, but got %v", s.leaveErr)
	case !isPaid && b.Status == market.BookingHeld && hasLeft:
		s.Errorf("the booking is still held: %+v", b)
	case leaver.Leaving && !leaver.Removed:
		s.Error("the person is still leaving")
	}
	for _, in := range s.bank.All() {
		if in.ID == s.booking.Intent && in.Status == market.IntentOpen && hasLeft {
			s.Errorf("the order of a person who has left can still be paid: %+v", in)
		}
	}
}
