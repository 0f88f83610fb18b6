package market_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

func TestIntentAmountIsPriceInCents(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, id := e.bookWithIntent(buyer, e.phone(e.seller()))
	in, err := e.bank.Intent(e.ctx, id)
	e.must(err)
	if in.Cents != 4000 || in.Currency != "usd" || in.BookingID != b.ID || in.ProductID != b.ProductID || in.BuyerUID != buyer.User.UID {
		t.Errorf("the intent is %+v", in)
	}
}

func TestBookingHasOneIntent(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b := e.mustBook(buyer, e.phone(e.seller()))
	secrets := make([]string, 20)
	var all sync.WaitGroup
	for i := range secrets {
		all.Go(func() {
			secret, err := e.openPayment(buyer, b)
			if err != nil {
				t.Error(err)
			}
			secrets[i] = secret
		})
	}
	all.Wait()
	if len(slices.Compact(secrets)) != 1 || len(e.bank.All()) != 1 {
		t.Errorf("%d intents with the secrets %v, want one", len(e.bank.All()), slices.Compact(secrets))
	}
}

func TestCancelledIntentIsReplaced(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, first := e.bookWithIntent(buyer, e.phone(e.seller()))
	_, err := e.bank.CancelIntent(e.ctx, first)
	e.must(err)
	_, err = e.openPayment(buyer, b)
	e.must(err)
	second := e.storedBooking(b).Intent
	if second == first || second == "" {
		t.Fatalf("the intent is %q after %q was cancelled", second, first)
	}
	e.bank.Confirm(second)
	_, err = e.pay(buyer, b, second)
	e.must(err)
	e.wantBooking(b, market.BookingPaid, true, true)
}

func TestOpenPaymentPermissions(t *testing.T) {
	e := newEnv(t)
	seller, buyer, other := e.seller(), e.buyer(), e.buyer()
	b := e.mustBook(buyer, e.phone(seller))
	price, wrong := b.Price, b.Price-1
	for name, c := range map[string]struct {
		who  market.Actor
		in   market.OpenPaymentRequest
		code market.Code
	}{
		"no such booking":         {buyer, market.OpenPaymentRequest{BookingID: "none", Price: &price}, market.CodeNotFound},
		"another buyer's":         {other, market.OpenPaymentRequest{BookingID: b.ID, Price: &price}, market.CodeForbidden},
		"the phone's seller":      {seller, market.OpenPaymentRequest{BookingID: b.ID, Price: &price}, market.CodeForbidden},
		"an admin":                {e.admin(), market.OpenPaymentRequest{Price: &price}, market.CodeForbidden},
		"no price":                {buyer, market.OpenPaymentRequest{BookingID: b.ID}, market.CodeInvalid},
		"another price":           {buyer, market.OpenPaymentRequest{BookingID: b.ID, Price: &wrong}, market.CodeInvalid},
		"no booking, other price": {buyer, market.OpenPaymentRequest{Price: &wrong}, market.CodeInvalid},
		"no booking at all":       {other, market.OpenPaymentRequest{Price: &price}, market.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := e.OpenPayment(e.ctx, c.who, c.in)
			e.wantCode(err, c.code)
		})
	}
	if len(e.bank.All()) != 0 {
		t.Error("a refused request opened an intent")
	}
}

func TestOpenPaymentWithoutBookingIDFindsItByPrice(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	b := e.mustBook(buyer, e.phone(seller))
	_, err := e.OpenPayment(e.ctx, buyer, market.OpenPaymentRequest{Price: &b.Price})
	e.must(err)
	if e.storedBooking(b).Intent == "" {
		t.Error("the booking has no intent")
	}
	e.mustBook(buyer, e.phone(seller))
	_, err = e.OpenPayment(e.ctx, buyer, market.OpenPaymentRequest{Price: &b.Price})
	e.wantCode(err, market.CodeInvalid)
}

func TestEndedBookingCannotBePaid(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	cancelled, expired := e.mustBook(buyer, e.phone(seller)), e.mustBook(buyer, e.phone(seller))
	_, err := e.CancelBooking(e.ctx, buyer, cancelled.ID)
	e.must(err)
	_, err = e.openPayment(buyer, cancelled)
	e.wantCode(err, market.CodeClosed)
	e.clock.Pass(time.Hour)
	_, err = e.openPayment(buyer, expired) // its deadline has passed, but the janitor has not released it
	e.wantCode(err, market.CodeClosed)
	paid, id := e.bookWithIntent(buyer, e.phone(seller))
	e.bank.Confirm(id)
	_, err = e.openPayment(buyer, paid) // charged, but not applied
	e.wantCode(err, market.CodePaid)
	e.wantBooking(paid, market.BookingPaid, true, true)
	_, err = e.openPayment(buyer, paid)
	e.wantCode(err, market.CodePaid)
}

func TestPaymentSellsPhoneAndPublishesEvents(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	b, id := e.bookWithIntent(buyer, e.phone(seller))
	_, err := e.pay(buyer, b, id)
	e.wantCode(err, market.CodeUnpaid)
	e.bank.Process(id)
	_, err = e.pay(buyer, b, id)
	e.wantCode(err, market.CodeUnpaid)
	e.wantBooking(b, market.BookingHeld, true, false)
	e.bank.Confirm(id)
	e.drain()

	payment, err := e.pay(buyer, b, id)
	e.must(err)
	e.wantBooking(b, market.BookingPaid, true, true)
	want := []string{
		market.TopicBrand(e.brand.ID) + " product.changed", market.TopicMe(seller.User.UID) + " product.changed",
		market.TopicMe(seller.User.UID) + " notification.added",
		market.TopicMe(buyer.User.UID) + " booking.changed", market.TopicMe(seller.User.UID) + " booking.changed",
		market.TopicAdmin + " order.changed", market.TopicMe(buyer.User.UID) + " notification.added",
	}
	if publishedEvents := e.publishedEvents(); !slices.Equal(publishedEvents, want) {
		t.Errorf("published %q, want %q", publishedEvents, want)
	}
	view := e.storedBooking(b).View()
	if !view.Paid || view.Transaction != id {
		t.Errorf("the paid booking is shown as %+v", view)
	}
	product := e.stored(market.Product{ID: b.ProductID})
	if got := product.ViewForSeller().BookingID; got != b.ID {
		t.Errorf("the seller sees the order %q, want %q", got, b.ID)
	}
	if got := product.ViewWithContact().BookingID; got != "" {
		t.Errorf("others see the order %q, want none", got)
	}
	shown := product.ViewForSeller().Buyer
	if shown == nil || shown.Email != buyer.User.Email || shown.Location != "Sylhet" {
		t.Errorf("the seller sees the buyer %+v", shown)
	}
	again, err := e.pay(buyer, b, id)
	e.must(err)
	if again.ID != payment.ID || payment.Price != b.Price || payment.Outcome != market.PaymentKept {
		t.Errorf("the payment is %+v, repeated %+v", payment, again)
	}
	if publishedEvents := e.publishedEvents(); len(publishedEvents) != 0 {
		t.Errorf("published again: %q", publishedEvents)
	}
}

func TestPaymentOfAnotherBookingIsRefused(t *testing.T) {
	e := newEnv(t)
	seller, buyer, other := e.seller(), e.buyer(), e.buyer()
	b, id := e.bookWithIntent(buyer, e.phone(seller))
	_, otherOwn := e.bookWithIntent(buyer, e.phone(seller))
	_, othersIntent := e.bookWithIntent(other, e.phone(seller))
	for _, intent := range []string{otherOwn, othersIntent, "pi_none"} {
		e.bank.Confirm(intent)
		_, err := e.pay(buyer, b, intent)
		e.wantCode(err, market.CodeInvalid)
	}
	e.bank.Confirm(id)
	for _, tamper := range []func(in *market.Intent){
		func(in *market.Intent) { in.Cents = 50 },
		func(in *market.Intent) { in.Currency = "bdt" },
		func(in *market.Intent) { in.ProductID = "another" },
		func(in *market.Intent) { in.BuyerUID = other.User.UID },
	} {
		var unchanged market.Intent
		e.bank.Change(id, func(in *market.Intent) { unchanged = *in; tamper(in) })
		_, err := e.pay(buyer, b, id)
		e.wantCode(err, market.CodeInvalid)
		e.wantCode(e.ApplyPayment(e.ctx, id), market.CodeInvalid)
		e.bank.Change(id, func(in *market.Intent) { *in = unchanged })
	}
	_, err := e.pay(other, b, id)
	e.wantCode(err, market.CodeForbidden)
	wrong := b.Price + 1
	_, err = e.Pay(e.ctx, buyer, market.PaymentRequest{BookingID: b.ID, Transaction: id, Email: buyer.User.Email, Price: &wrong})
	e.wantCode(err, market.CodeInvalid)
	_, err = e.Pay(e.ctx, buyer, market.PaymentRequest{BookingID: b.ID, Transaction: id, Email: other.User.Email, Price: &b.Price})
	e.wantCode(err, market.CodeForbidden)
	e.wantBooking(b, market.BookingHeld, true, false)
	_, err = e.pay(buyer, b, id)
	e.must(err)
}

func TestConcurrentCallsMakeOnePayment(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, id := e.bookWithIntent(buyer, e.phone(e.seller()))
	e.bank.Confirm(id)
	e.drain()
	ids := make([]string, 100)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			if i%2 == 0 {
				if err := e.ApplyPayment(e.ctx, id); err != nil {
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
	if different := slices.Compact(ids); len(different) != 2 { // the payment's ID, and "" of the calls of ApplyPayment
		t.Errorf("the payments are %q, want one", different)
	}
	if publishedEvents := e.publishedEvents(); len(publishedEvents) != 7 { // the events of TestPaymentSellsPhoneAndPublishesEvents
		t.Errorf("published %q, want 7 events", publishedEvents)
	}
	e.wantBooking(b, market.BookingPaid, true, true)
}

func TestReconcilerFindsPaymentWithoutWebhook(t *testing.T) {
	e := newEnv(t)
	b, id := e.bookWithIntent(e.buyer(), e.phone(e.seller()))
	e.bank.Confirm(id)
	e.must(e.reconciler.Step(e.ctx))
	e.wantBooking(b, market.BookingHeld, true, false) // the reconciler has not polled the intent yet
	e.clock.Pass(15 * time.Second)
	e.must(e.reconciler.Step(e.ctx))
	e.wantBooking(b, market.BookingPaid, true, true)
}

func TestIntentIsPolledWithBackoff(t *testing.T) {
	e := newEnvWith(t, market.Rules{BookingHold: 24 * time.Hour, MaxHolds: 3})
	b, _ := e.bookWithIntent(e.buyer(), e.phone(e.seller()))
	polls := 0
	for version := b.Version; e.clock.Now().Before(b.HoldUntil.Add(-time.Minute)); e.clock.Pass(30 * time.Second) {
		e.must(e.reconciler.Step(e.ctx))
		if now := e.storedBooking(b).Version; now != version {
			version, polls = now, polls+1
		}
	}
	if polls < 50 || polls > 150 {
		t.Errorf("%d polls in a day, want 50 to 150", polls)
	}
}
