package market_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

// order returns a booking with an open payment intent.
func (e *env) order(buyer market.Actor, p market.Product) (market.Booking, string) {
	e.t.Helper()
	b := e.booked(buyer, p)
	_, err := e.open(buyer, b)
	e.must(err)
	b = e.storedBooking(b)
	return b, b.Intent
}

func (e *env) open(buyer market.Actor, b market.Booking) (string, error) {
	return e.OpenPayment(e.ctx, buyer, market.OpenPaymentRequest{BookingID: b.ID, Price: &b.Price})
}

// pay sends the request that the buyer's browser sends after it charged the card.
func (e *env) pay(buyer market.Actor, b market.Booking, intent string) (market.Payment, error) {
	return e.Pay(e.ctx, buyer, market.PaymentRequest{
		BookingID: b.ID, Transaction: intent, Email: buyer.User.Email, Price: &b.Price,
	})
}

// expectBooking fails the test unless the booking has this status and its phone is held and
// sold as given.
func (e *env) expectBooking(b market.Booking, status market.BookingStatus, booked, sold bool) {
	e.t.Helper()
	if got := e.storedBooking(b); got.Status != status {
		e.t.Errorf("the booking is %s, want %s", got.Status, status)
	}
	p, err := e.store.Product(e.ctx, b.ProductID)
	e.must(err)
	if p.Booked() != booked || p.Sold != sold {
		e.t.Errorf("the phone: booked %v, sold %v; want %v, %v", p.Booked(), p.Sold, booked, sold)
	}
}

func TestIntentAmountIsPriceInCents(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, id := e.order(buyer, e.phone(e.seller()))
	in, err := e.bank.Intent(e.ctx, id)
	e.must(err)
	if in.Cents != 4000 || in.Currency != "usd" || in.BookingID != b.ID || in.ProductID != b.ProductID || in.BuyerUID != buyer.User.UID {
		t.Errorf("%+v", in)
	}
}

func TestBookingHasOneIntent(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b := e.booked(buyer, e.phone(e.seller()))
	secrets := make([]string, 20)
	var all sync.WaitGroup
	for i := range secrets {
		all.Go(func() {
			secret, err := e.open(buyer, b)
			if err != nil {
				t.Error(err)
			}
			secrets[i] = secret
		})
	}
	all.Wait()
	if len(slices.Compact(secrets)) != 1 || len(e.bank.All()) != 1 {
		t.Errorf("%d intents, secrets %v", len(e.bank.All()), slices.Compact(secrets))
	}
}

func TestCancelledIntentIsReplaced(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, first := e.order(buyer, e.phone(e.seller()))
	_, err := e.bank.CancelIntent(e.ctx, first)
	e.must(err)
	_, err = e.open(buyer, b)
	e.must(err)
	second := e.storedBooking(b).Intent
	if second == first || second == "" {
		t.Fatalf("intent %q after %q", second, first)
	}
	e.bank.Confirm(second)
	_, err = e.pay(buyer, b, second)
	e.must(err)
	e.expectBooking(b, market.BookingPaid, true, true)
}

func TestOpenPaymentPermissions(t *testing.T) {
	e := newEnv(t)
	seller, buyer, other := e.seller(), e.buyer(), e.buyer()
	b := e.booked(buyer, e.phone(seller))
	price, wrong := b.Price, b.Price-1
	for name, c := range map[string]struct {
		who  market.Actor
		in   market.OpenPaymentRequest
		code market.Code
	}{
		"no such booking":         {buyer, market.OpenPaymentRequest{BookingID: "none", Price: &price}, market.CodeNotFound},
		"another buyer's":         {other, market.OpenPaymentRequest{BookingID: b.ID, Price: &price}, market.CodeForbidden},
		"a seller":                {seller, market.OpenPaymentRequest{Price: &price}, market.CodeForbidden},
		"an admin":                {e.admin(), market.OpenPaymentRequest{BookingID: b.ID, Price: &price}, market.CodeForbidden},
		"no price":                {buyer, market.OpenPaymentRequest{BookingID: b.ID}, market.CodeInvalid},
		"another price":           {buyer, market.OpenPaymentRequest{BookingID: b.ID, Price: &wrong}, market.CodeInvalid},
		"no booking, other price": {buyer, market.OpenPaymentRequest{Price: &wrong}, market.CodeInvalid},
		"no booking at all":       {other, market.OpenPaymentRequest{Price: &price}, market.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := e.OpenPayment(e.ctx, c.who, c.in)
			e.refused(err, c.code)
		})
	}
	if len(e.bank.All()) != 0 {
		t.Error("an intent was made")
	}
}

func TestOpenPaymentWithoutBookingIDFindsItByPrice(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	b := e.booked(buyer, e.phone(seller))
	_, err := e.OpenPayment(e.ctx, buyer, market.OpenPaymentRequest{Price: &b.Price})
	e.must(err)
	if e.storedBooking(b).Intent == "" {
		t.Error("the booking has no intent")
	}
	e.booked(buyer, e.phone(seller))
	_, err = e.OpenPayment(e.ctx, buyer, market.OpenPaymentRequest{Price: &b.Price})
	e.refused(err, market.CodeInvalid)
}

func TestEndedBookingCannotBePaid(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	cancelled, expired := e.booked(buyer, e.phone(seller)), e.booked(buyer, e.phone(seller))
	_, err := e.CancelBooking(e.ctx, buyer, cancelled.ID)
	e.must(err)
	_, err = e.open(buyer, cancelled)
	e.refused(err, market.CodeClosed)
	e.clock.Pass(time.Hour)
	_, err = e.open(buyer, expired) // its deadline has passed, but the janitor has not released it
	e.refused(err, market.CodeClosed)
	paid, id := e.order(buyer, e.phone(seller))
	e.bank.Confirm(id)
	_, err = e.open(buyer, paid) // charged, but not settled
	e.refused(err, market.CodePaid)
	e.expectBooking(paid, market.BookingPaid, true, true)
	_, err = e.open(buyer, paid)
	e.refused(err, market.CodePaid)
}

func TestPaymentSellsPhoneAndPublishesEvents(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	b, id := e.order(buyer, e.phone(seller))
	_, err := e.pay(buyer, b, id)
	e.refused(err, market.CodeUnpaid)
	e.bank.Process(id)
	_, err = e.pay(buyer, b, id)
	e.refused(err, market.CodeUnpaid)
	e.expectBooking(b, market.BookingHeld, true, false)
	e.bank.Confirm(id)
	e.drain()

	payment, err := e.pay(buyer, b, id)
	e.must(err)
	e.expectBooking(b, market.BookingPaid, true, true)
	want := []string{
		market.TopicBrand(e.brand.ID) + " product.changed", market.TopicMe(seller.User.UID) + " product.changed",
		market.TopicMe(seller.User.UID) + " notification.added",
		market.TopicMe(buyer.User.UID) + " booking.changed", market.TopicMe(seller.User.UID) + " booking.changed",
		market.TopicAdmin + " order.changed", market.TopicMe(buyer.User.UID) + " notification.added",
	}
	if publishedEvents := e.publishedEvents(); !slices.Equal(publishedEvents, want) {
		t.Errorf("published: %q, want %q", publishedEvents, want)
	}
	view := e.storedBooking(b).View()
	if !view.Paid || view.Transaction != id {
		t.Errorf("%+v", view)
	}
	product := e.stored(market.Product{ID: b.ProductID})
	if got := product.ViewForSeller().BookingID; got != b.ID {
		t.Errorf("the seller sees the order %q", got)
	}
	if got := product.View().BookingID; got != "" {
		t.Errorf("others see the order %q", got)
	}
	buyerSeen := product.ViewForSeller().Buyer
	if buyerSeen == nil || buyerSeen.Email != buyer.User.Email || buyerSeen.Location != "Sylhet" {
		t.Errorf("the seller sees %+v", buyerSeen)
	}
	again, err := e.pay(buyer, b, id)
	e.must(err)
	if again.ID != payment.ID || payment.Price != b.Price || payment.Outcome != market.PaymentKept {
		t.Errorf("%+v, then %+v", payment, again)
	}
	if publishedEvents := e.publishedEvents(); len(publishedEvents) != 0 {
		t.Errorf("published again: %q", publishedEvents)
	}
}

func TestPaymentOfAnotherBookingIsRefused(t *testing.T) {
	e := newEnv(t)
	seller, buyer, other := e.seller(), e.buyer(), e.buyer()
	b, id := e.order(buyer, e.phone(seller))
	_, mine := e.order(buyer, e.phone(seller))
	_, theirs := e.order(other, e.phone(seller))
	for _, intent := range []string{mine, theirs, "pi_none"} {
		e.bank.Confirm(intent)
		_, err := e.pay(buyer, b, intent)
		e.refused(err, market.CodeInvalid)
	}
	e.bank.Confirm(id)
	for _, tamper := range []func(in *market.Intent){
		func(in *market.Intent) { in.Cents = 50 },
		func(in *market.Intent) { in.Currency = "bdt" },
		func(in *market.Intent) { in.ProductID = "another" },
		func(in *market.Intent) { in.BuyerUID = other.User.UID },
	} {
		var whole market.Intent
		e.bank.Change(id, func(in *market.Intent) { whole = *in; tamper(in) })
		_, err := e.pay(buyer, b, id)
		e.refused(err, market.CodeInvalid)
		e.refused(e.Settle(e.ctx, id), market.CodeInvalid)
		e.bank.Change(id, func(in *market.Intent) { *in = whole })
	}
	_, err := e.pay(other, b, id)
	e.refused(err, market.CodeForbidden)
	wrong := b.Price + 1
	_, err = e.Pay(e.ctx, buyer, market.PaymentRequest{BookingID: b.ID, Transaction: id, Email: buyer.User.Email, Price: &wrong})
	e.refused(err, market.CodeInvalid)
	_, err = e.Pay(e.ctx, buyer, market.PaymentRequest{BookingID: b.ID, Transaction: id, Email: other.User.Email, Price: &b.Price})
	e.refused(err, market.CodeForbidden)
	e.expectBooking(b, market.BookingHeld, true, false)
	_, err = e.pay(buyer, b, id)
	e.must(err)
}

func TestConcurrentSettlementsMakeOnePayment(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, id := e.order(buyer, e.phone(e.seller()))
	e.bank.Confirm(id)
	e.drain()
	ids := make([]string, 100)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			if i%2 == 0 {
				if err := e.Settle(e.ctx, id); err != nil {
					t.Error(err)
				}
				return
			}
			payment, err := e.pay(buyer, b, id)
			if err != nil {
				t.Error(err)
			}
			ids[i] = payment.ID
		})
	}
	all.Wait()
	slices.Sort(ids)
	if different := slices.Compact(ids); len(different) != 2 { // "" of those who only settled, and the one
		t.Errorf("payments %q", different)
	}
	if publishedEvents := e.publishedEvents(); len(publishedEvents) != 7 { // the events of TestPaymentSellsPhoneAndPublishesEvents
		t.Errorf("published: %q", publishedEvents)
	}
	e.expectBooking(b, market.BookingPaid, true, true)
}

func TestReconcilerFindsPaymentWithoutWebhook(t *testing.T) {
	e := newEnv(t)
	b, id := e.order(e.buyer(), e.phone(e.seller()))
	e.bank.Confirm(id)
	e.must(e.till.Step(e.ctx))
	e.expectBooking(b, market.BookingHeld, true, false) // the reconciler has not asked the provider yet
	e.clock.Pass(15 * time.Second)
	e.must(e.till.Step(e.ctx))
	e.expectBooking(b, market.BookingPaid, true, true)
}

func TestIntentIsPolledWithBackoff(t *testing.T) {
	e := newEnvWith(t, market.Rules{BookingHold: 24 * time.Hour, MaxHolds: 3})
	b, _ := e.order(e.buyer(), e.phone(e.seller()))
	asked := 0
	for version := b.Version; e.clock.Now().Before(b.HoldUntil.Add(-time.Minute)); e.clock.Pass(30 * time.Second) {
		e.must(e.till.Step(e.ctx))
		if now := e.storedBooking(b).Version; now != version {
			version, asked = now, asked+1
		}
	}
	if asked < 50 || asked > 150 {
		t.Errorf("asked %d times in a day", asked)
	}
}
