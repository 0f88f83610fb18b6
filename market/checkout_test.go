package market_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

// order is a booking with its intent opened, ready to be paid.
func (w *env) order(buyer market.Actor, p market.Product) (market.Booking, string) {
	w.t.Helper()
	b := w.booked(buyer, p)
	_, err := w.open(buyer, b)
	w.must(err)
	b = w.storedBooking(b)
	return b, b.Intent
}

func (w *env) open(buyer market.Actor, b market.Booking) (string, error) {
	return w.OpenPayment(w.ctx, buyer, market.PaymentOrder{BookingID: b.ID, Price: &b.Price})
}

// pay is what the buyer's browser sends after its card was charged.
func (w *env) pay(buyer market.Actor, b market.Booking, intent string) (market.Payment, error) {
	return w.Pay(w.ctx, buyer, market.PaymentRequest{
		BookingID: b.ID, Transaction: intent, Email: buyer.User.Email, Price: &b.Price,
	})
}

// stands wants the booking and its phone like this.
func (w *env) stands(b market.Booking, status market.BookingStatus, booked, sold bool) {
	w.t.Helper()
	if got := w.storedBooking(b); got.Status != status {
		w.t.Errorf("the booking is %s, want %s", got.Status, status)
	}
	p, err := w.store.Product(w.ctx, b.ProductID)
	w.must(err)
	if p.Booked() != booked || p.Sold != sold {
		w.t.Errorf("the phone: booked %v, sold %v; want %v, %v", p.Booked(), p.Sold, booked, sold)
	}
}

func TestTheIntentIsTheBookingsPriceInCents(t *testing.T) {
	w := newEnv(t)
	buyer := w.buyer()
	b, id := w.order(buyer, w.phone(w.seller()))
	in, err := w.bank.Intent(w.ctx, id)
	w.must(err)
	if in.Cents != 4000 || in.Currency != "usd" || in.BookingID != b.ID || in.ProductID != b.ProductID || in.BuyerUID != buyer.User.UID {
		t.Errorf("%+v", in)
	}
}

func TestABookingHasOneIntentHoweverOftenItIsOpened(t *testing.T) {
	w := newEnv(t)
	buyer := w.buyer()
	b := w.booked(buyer, w.phone(w.seller()))
	secrets := make([]string, 20)
	var all sync.WaitGroup
	for i := range secrets {
		all.Go(func() {
			secret, err := w.open(buyer, b)
			if err != nil {
				t.Error(err)
			}
			secrets[i] = secret
		})
	}
	all.Wait()
	if len(slices.Compact(secrets)) != 1 || len(w.bank.All()) != 1 {
		t.Errorf("%d intents, secrets %v", len(w.bank.All()), slices.Compact(secrets))
	}
}

func TestAnIntentThatTheProviderGaveUpIsFollowedByAnother(t *testing.T) {
	w := newEnv(t)
	buyer := w.buyer()
	b, first := w.order(buyer, w.phone(w.seller()))
	_, err := w.bank.CancelIntent(w.ctx, first)
	w.must(err)
	_, err = w.open(buyer, b)
	w.must(err)
	second := w.storedBooking(b).Intent
	if second == first || second == "" {
		t.Fatalf("intent %q after %q", second, first)
	}
	w.bank.Confirm(second)
	_, err = w.pay(buyer, b, second)
	w.must(err)
	w.stands(b, market.BookingPaid, true, true)
}

func TestWhoMayOpenAPaymentAndForWhat(t *testing.T) {
	w := newEnv(t)
	seller, buyer, other := w.seller(), w.buyer(), w.buyer()
	b := w.booked(buyer, w.phone(seller))
	price, wrong := b.Price, b.Price-1
	for name, c := range map[string]struct {
		who  market.Actor
		in   market.PaymentOrder
		code market.Code
	}{
		"no such booking":         {buyer, market.PaymentOrder{BookingID: "none", Price: &price}, market.CodeNotFound},
		"another buyer's":         {other, market.PaymentOrder{BookingID: b.ID, Price: &price}, market.CodeForbidden},
		"a seller":                {seller, market.PaymentOrder{Price: &price}, market.CodeForbidden},
		"an admin":                {w.admin(), market.PaymentOrder{BookingID: b.ID, Price: &price}, market.CodeForbidden},
		"no price":                {buyer, market.PaymentOrder{BookingID: b.ID}, market.CodeInvalid},
		"another price":           {buyer, market.PaymentOrder{BookingID: b.ID, Price: &wrong}, market.CodeInvalid},
		"no booking, other price": {buyer, market.PaymentOrder{Price: &wrong}, market.CodeInvalid},
		"no booking at all":       {other, market.PaymentOrder{Price: &price}, market.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.OpenPayment(w.ctx, c.who, c.in)
			w.refused(err, c.code)
		})
	}
	if len(w.bank.All()) != 0 {
		t.Error("an intent was made")
	}
}

func TestWithoutABookingItIsTheOnlyOneAtThatPrice(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller(), w.buyer()
	b := w.booked(buyer, w.phone(seller))
	_, err := w.OpenPayment(w.ctx, buyer, market.PaymentOrder{Price: &b.Price})
	w.must(err)
	if w.storedBooking(b).Intent == "" {
		t.Error("the booking has no intent")
	}
	w.booked(buyer, w.phone(seller))
	_, err = w.OpenPayment(w.ctx, buyer, market.PaymentOrder{Price: &b.Price})
	w.refused(err, market.CodeInvalid)
}

func TestAnEndedBookingCannotBePaid(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller(), w.buyer()
	cancelled, expired := w.booked(buyer, w.phone(seller)), w.booked(buyer, w.phone(seller))
	_, err := w.CancelBooking(w.ctx, buyer, cancelled.ID)
	w.must(err)
	_, err = w.open(buyer, cancelled)
	w.refused(err, market.CodeClosed)
	w.clock.Pass(time.Hour)
	_, err = w.open(buyer, expired) // its time is up, though nobody has ended it yet
	w.refused(err, market.CodeClosed)
	paid, id := w.order(buyer, w.phone(seller))
	w.bank.Confirm(id)
	_, err = w.open(buyer, paid) // charged, though nobody has settled it yet
	w.refused(err, market.CodePaid)
	w.stands(paid, market.BookingPaid, true, true)
	_, err = w.open(buyer, paid)
	w.refused(err, market.CodePaid)
}

func TestPayingSellsThePhoneAndTellsEverybody(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller(), w.buyer()
	b, id := w.order(buyer, w.phone(seller))
	_, err := w.pay(buyer, b, id)
	w.refused(err, market.CodeUnpaid)
	w.bank.Process(id)
	_, err = w.pay(buyer, b, id)
	w.refused(err, market.CodeUnpaid)
	w.stands(b, market.BookingHeld, true, false)
	w.bank.Confirm(id)
	w.drain()

	payment, err := w.pay(buyer, b, id)
	w.must(err)
	w.stands(b, market.BookingPaid, true, true)
	want := []string{
		market.TopicBrand(w.brand.ID) + " product.changed", market.TopicMe(seller.User.UID) + " product.changed",
		market.TopicMe(buyer.User.UID) + " booking.changed",
	}
	if told := w.told(); !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	view := w.storedBooking(b).View()
	if !view.Paid || view.Transaction != id {
		t.Errorf("%+v", view)
	}
	buyerSeen := w.stored(market.Product{ID: b.ProductID}).ViewForSeller().Buyer
	if buyerSeen == nil || buyerSeen.Email != buyer.User.Email || buyerSeen.Location != "Sylhet" {
		t.Errorf("the seller sees %+v", buyerSeen)
	}
	again, err := w.pay(buyer, b, id)
	w.must(err)
	if again.ID != payment.ID || payment.Price != b.Price || payment.Outcome != market.PaymentKept {
		t.Errorf("%+v, then %+v", payment, again)
	}
	if told := w.told(); len(told) != 0 {
		t.Errorf("told again: %q", told)
	}
}

func TestAPaymentThatIsNotForThisBookingIsRefused(t *testing.T) {
	w := newEnv(t)
	seller, buyer, other := w.seller(), w.buyer(), w.buyer()
	b, id := w.order(buyer, w.phone(seller))
	_, mine := w.order(buyer, w.phone(seller))
	_, theirs := w.order(other, w.phone(seller))
	for _, intent := range []string{mine, theirs, "pi_none"} {
		w.bank.Confirm(intent)
		_, err := w.pay(buyer, b, intent)
		w.refused(err, market.CodeInvalid)
	}
	w.bank.Confirm(id)
	for _, tamper := range []func(in *market.Intent){
		func(in *market.Intent) { in.Cents = 50 },
		func(in *market.Intent) { in.Currency = "bdt" },
		func(in *market.Intent) { in.ProductID = "another" },
		func(in *market.Intent) { in.BuyerUID = other.User.UID },
	} {
		var whole market.Intent
		w.bank.Change(id, func(in *market.Intent) { whole = *in; tamper(in) })
		_, err := w.pay(buyer, b, id)
		w.refused(err, market.CodeInvalid)
		w.refused(w.Settle(w.ctx, id), market.CodeInvalid)
		w.bank.Change(id, func(in *market.Intent) { *in = whole })
	}
	_, err := w.pay(other, b, id)
	w.refused(err, market.CodeForbidden)
	wrong := b.Price + 1
	_, err = w.Pay(w.ctx, buyer, market.PaymentRequest{BookingID: b.ID, Transaction: id, Email: buyer.User.Email, Price: &wrong})
	w.refused(err, market.CodeInvalid)
	_, err = w.Pay(w.ctx, buyer, market.PaymentRequest{BookingID: b.ID, Transaction: id, Email: other.User.Email, Price: &b.Price})
	w.refused(err, market.CodeForbidden)
	w.stands(b, market.BookingHeld, true, false)
	_, err = w.pay(buyer, b, id)
	w.must(err)
}

func TestAHundredWhoSettleMakeOnePayment(t *testing.T) {
	w := newEnv(t)
	buyer := w.buyer()
	b, id := w.order(buyer, w.phone(w.seller()))
	w.bank.Confirm(id)
	w.drain()
	ids := make([]string, 100)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			if i%2 == 0 {
				if err := w.Settle(w.ctx, id); err != nil {
					t.Error(err)
				}
				return
			}
			payment, err := w.pay(buyer, b, id)
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
	if told := w.told(); len(told) != 3 {
		t.Errorf("told %q", told)
	}
	w.stands(b, market.BookingPaid, true, true)
}

func TestWithoutBrowserOrWebhookTheCashierFindsThePayment(t *testing.T) {
	w := newEnv(t)
	b, id := w.order(w.buyer(), w.phone(w.seller()))
	w.bank.Confirm(id)
	w.must(w.till.Step(w.ctx))
	w.stands(b, market.BookingHeld, true, false) // not asked yet
	w.clock.Pass(15 * time.Second)
	w.must(w.till.Step(w.ctx))
	w.stands(b, market.BookingPaid, true, true)
}

func TestAnIntentIsAskedAboutEverMoreRarely(t *testing.T) {
	w := newEnvWith(t, market.Rules{BookingHold: 24 * time.Hour, MaxHolds: 3})
	b, _ := w.order(w.buyer(), w.phone(w.seller()))
	asked := 0
	for version := b.Version; w.clock.Now().Before(b.HoldUntil.Add(-time.Minute)); w.clock.Pass(30 * time.Second) {
		w.must(w.till.Step(w.ctx))
		if now := w.storedBooking(b).Version; now != version {
			version, asked = now, asked+1
		}
	}
	if asked < 50 || asked > 150 {
		t.Errorf("asked %d times in a day", asked)
	}
}
