package market_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

func TestBookHoldsPhoneAndPublishesEvents(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	p := e.phone(seller)
	e.drain()

	b := e.mustBook(buyer, p)

	if got := e.stored(p); !got.Booked() || got.Sold || !got.HeldBy(b.ID) || got.Version != p.Version+1 {
		t.Errorf("phone after booking: %+v", got)
	}
	if b.Status != market.BookingHeld || b.Price != p.ResalePrice || !b.HoldUntil.Equal(e.clock.Now().Add(time.Hour)) {
		t.Errorf("booking: %+v", b)
	}
	want := []string{
		"brand:" + e.brand.ID + " product.booked",
		"me:" + seller.User.UID + " product.booked",
		"me:" + buyer.User.UID + " booking.changed",
		"admin order.changed",
		"me:" + seller.User.UID + " notification.added",
	}
	if got := e.publishedEvents(); !slices.Equal(got, want) {
		t.Errorf("published %q, want %q", got, want)
	}
}

func TestConcurrentBuyersMakeOneBooking(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	buyers := make([]market.Actor, 200)
	for i := range buyers {
		buyers[i] = e.buyer()
	}
	results := make([]error, len(buyers))
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i, buyer := range buyers {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			_, results[i] = e.book(buyer, p)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()

	succeeded := 0
	for i, err := range results {
		list, errList := e.store.BookingsOf(e.ctx, buyers[i].User.UID, market.Page{Limit: 10})
		e.must(errList)
		if err == nil {
			succeeded++
			if len(list.Items) != 1 || !e.stored(p).HeldBy(list.Items[0].ID) {
				t.Errorf("the only booking does not hold the phone: %+v", list.Items)
			}
			continue
		}
		if market.CodeOf(err) != market.CodeTaken || err.Error() != "This phone has just been booked" {
			t.Errorf("a refused buyer got %v", err)
		}
		if len(list.Items) != 0 {
			t.Errorf("a refused buyer has bookings: %+v", list.Items)
		}
	}
	if succeeded != 1 {
		t.Errorf("%d bookings succeeded, want 1", succeeded)
	}
}

func TestBookingOwnHeldPhoneIsIdempotent(t *testing.T) {
	e := newEnv(t)
	buyer, p := e.buyer(), e.phone(e.seller())
	first := e.mustBook(buyer, p)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			again, err := e.book(buyer, p)
			if err != nil || again.ID != first.ID {
				t.Errorf("the repeated booking is %s, %v, want %s", again.ID, err, first.ID)
			}
		})
	}
	all.Wait()
}

func TestBookRefusals(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	p := e.phone(seller)
	wrong := 41
	for name, c := range map[string]struct {
		who  market.Actor
		in   market.BookingRequest
		code market.Code
	}{
		"the phone's seller":      {seller, market.BookingRequest{ProductID: p.ID, Phone: "01800000"}, market.CodeForbidden},
		"an admin":                {e.admin(), market.BookingRequest{ProductID: p.ID, Phone: "01800000"}, market.CodeForbidden},
		"as another user":         {buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", Email: "x@example.com"}, market.CodeForbidden},
		"no such phone":           {buyer, market.BookingRequest{ProductID: "nope", Phone: "01800000"}, market.CodeNotFound},
		"no phone number":         {buyer, market.BookingRequest{ProductID: p.ID}, market.CodeInvalid},
		"no product":              {buyer, market.BookingRequest{Phone: "01800000"}, market.CodeInvalid},
		"at another price":        {buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", Price: &wrong}, market.CodeInvalid},
		"under another name":      {buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", UserName: "Eve"}, market.CodeInvalid},
		"of another brand":        {buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", Brand: "Apple"}, market.CodeInvalid},
		"404 before 403":          {e.admin(), market.BookingRequest{ProductID: "nope"}, market.CodeNotFound},
		"403 before 422":          {seller, market.BookingRequest{ProductID: p.ID}, market.CodeForbidden},
		"a price of a wrong type": {buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", Wrong: wrongField("price", "must be a whole number")}, market.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := e.Book(e.ctx, c.who, c.in)
			if market.CodeOf(err) != c.code {
				t.Errorf("got %v, want code %s", err, c.code)
			}
		})
	}
	if e.stored(p).Booked() {
		t.Error("a refused booking took the phone")
	}
}

func TestHoldExpires(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	p := e.phone(seller)
	b := e.mustBook(buyer, p)
	e.clock.Pass(time.Hour - time.Millisecond)
	e.must(e.janitor.Step(e.ctx))
	if !e.stored(p).HeldBy(b.ID) {
		t.Fatal("released before the deadline")
	}
	e.drain()
	e.clock.Pass(time.Millisecond)
	e.must(e.janitor.Step(e.ctx))
	if e.stored(p).Booked() {
		t.Error("the phone is still booked")
	}
	if got := e.storedBooking(b); got.Status != market.BookingExpired || got.Version <= b.Version {
		t.Errorf("booking after the deadline: %+v", got)
	}
	want := []string{
		"brand:" + e.brand.ID + " product.released",
		"me:" + seller.User.UID + " product.released",
		"me:" + seller.User.UID + " notification.added",
		"me:" + buyer.User.UID + " booking.changed",
		"admin order.changed",
		"me:" + buyer.User.UID + " notification.added",
	}
	if got := e.publishedEvents(); !slices.Equal(got, want) {
		t.Errorf("published %q, want %q", got, want)
	}
	e.must(e.janitor.Step(e.ctx))
	if got := e.publishedEvents(); len(got) != 0 {
		t.Errorf("published again: %q", got)
	}
}

func TestRebookingNeedsAnHourAfterCancel(t *testing.T) {
	e := newEnv(t)
	buyer, p := e.buyer(), e.phone(e.seller())
	b := e.mustBook(buyer, p)
	n, err := e.CancelBooking(e.ctx, buyer, b.ID)
	if e.must(err); n != 1 || e.stored(p).Booked() || e.storedBooking(b).Status != market.BookingCancelled {
		t.Fatalf("cancelled %d, phone %+v", n, e.stored(p))
	}
	if again := e.storedBooking(b).View().BookAgainAt; again == nil || !again.Equal(e.clock.Now().Add(time.Hour)) {
		t.Errorf("can be booked again at %v", again)
	}
	if n, err = e.CancelBooking(e.ctx, buyer, b.ID); err != nil || n != 0 {
		t.Errorf("cancelled twice: %d, %v", n, err)
	}
	_, err = e.book(buyer, p)
	e.wantCode(err, market.CodeWait)
	e.mustBook(e.buyer(), e.phone(e.seller()))

	e.clock.Pass(time.Hour - time.Millisecond)
	_, err = e.book(buyer, p)
	e.wantCode(err, market.CodeWait)
	e.clock.Pass(time.Millisecond)
	second := e.mustBook(buyer, p)
	if second.ID == b.ID {
		t.Error("the second booking has the ID of the first")
	}
	e.clock.Pass(time.Hour)
	e.must(e.janitor.Step(e.ctx))
	_, err = e.book(buyer, p)
	e.wantCode(err, market.CodeWait)
}

func TestOnlyTheBuyerMayCancel(t *testing.T) {
	e := newEnv(t)
	b := e.mustBook(e.buyer(), e.phone(e.seller()))
	_, err := e.CancelBooking(e.ctx, e.buyer(), b.ID)
	e.wantCode(err, market.CodeForbidden)
	_, err = e.CancelBooking(e.ctx, e.admin(), b.ID)
	e.wantCode(err, market.CodeForbidden)
	_, err = e.CancelBooking(e.ctx, e.buyer(), "nope")
	e.wantCode(err, market.CodeNotFound)
}

// A booking names the version that the buyer saw. A later change of price, name, storage,
// colour, condition or description is a conflict; other changes are not.
func TestBookingChangedPhoneIsAConflict(t *testing.T) {
	name, text, condition, price, used := "Another", "Scratched", "Fair", 99, "9 years"
	storage, colour := 16, "Blue"
	for field, c := range map[string]struct {
		change market.ProductChange
		code   market.Code
	}{
		"name":        {market.ProductChange{Name: &name}, market.CodeConflict},
		"description": {market.ProductChange{Description: &text}, market.CodeConflict},
		"condition":   {market.ProductChange{Condition: &condition}, market.CodeConflict},
		"price":       {market.ProductChange{ResalePrice: &price}, market.CodeConflict},
		"storage":     {market.ProductChange{Storage: &storage}, market.CodeConflict},
		"colour":      {market.ProductChange{Colour: &colour}, market.CodeConflict},
		"used time":   {market.ProductChange{UsedTime: &used}, ""},
	} {
		t.Run(field, func(t *testing.T) {
			e := newEnv(t)
			seller, buyer := e.seller(), e.buyer()
			p := e.phone(seller)
			seen := int(p.Version)
			in := market.BookingRequest{
				ProductID: p.ID, Phone: "01800000", Version: &seen, ProductName: p.Name, Price: &p.ResalePrice,
			}
			_, err := e.ChangeProduct(e.ctx, seller, p.ID, c.change)
			e.must(err)
			if _, err = e.Book(e.ctx, buyer, in); market.CodeOf(err) != c.code {
				t.Fatalf("booking the version seen before returned %v, want code %q", err, c.code)
			}
			now := e.stored(p)
			seen = int(now.Version)
			in.ProductName, in.Price = now.Name, &now.ResalePrice
			b, err := e.Book(e.ctx, buyer, in)
			e.must(err)
			old := 1
			in.Version = &old
			if again, err := e.Book(e.ctx, buyer, in); err != nil || again.ID != b.ID {
				t.Errorf("repeating the own booking returned %v", err)
			}
		})
	}
}

func TestTelephoneNumbers(t *testing.T) {
	e := newEnv(t)
	buyer, p := e.buyer(), e.phone(e.seller())
	for _, number := range []string{"", "12", "12345", "      ", "+(  )-", "1234567890123456789012", "call me", "0170000x", "٠١٢٣٤٥٦"} {
		_, err := e.Book(e.ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: number})
		var refused *market.Error
		if !errors.As(err, &refused) || refused.Code != market.CodeInvalid || refused.Fields["phone"] == "" {
			t.Errorf("the number %q returned %v", number, err)
		}
	}
	if _, err := e.Book(e.ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: " +44 (20) 7946-0958 "}); err != nil {
		t.Error(err)
	}
}

// With VerifyEmail, booking and listing require a confirmed address.
func TestUnconfirmedAddressMayNotTrade(t *testing.T) {
	rules := defaultRules
	rules.VerifyEmail = true
	e := newEnvWith(t, rules)
	seller, buyer := e.seller(), e.buyer()
	phone := e.phone(seller)
	setConfirmed := func(who market.Actor, confirmed bool) {
		a, err := e.store.Account(e.ctx, who.User.UID)
		e.must(err)
		a.Unconfirmed = !confirmed
		a.Version++
		e.must(e.store.SaveAccount(e.ctx, a, nil))
	}
	book := func() error {
		_, err := e.Book(e.ctx, buyer, market.BookingRequest{ProductID: phone.ID, Phone: "01800000"})
		return err
	}
	list := func() error {
		_, err := e.AddProduct(e.ctx, seller, market.ProductRequest{BrandID: phone.BrandID})
		return err
	}
	setConfirmed(buyer, false)
	setConfirmed(seller, false)
	if err := book(); market.CodeOf(err) != market.CodeVerifyEmail {
		t.Errorf("booking with an unconfirmed address returned %v", err)
	}
	if err := list(); market.CodeOf(err) != market.CodeVerifyEmail {
		t.Errorf("listing with an unconfirmed address returned %v", err)
	}
	setConfirmed(buyer, true)
	setConfirmed(seller, true)
	if err := list(); market.CodeOf(err) != market.CodeInvalid { // this is the error of the missing fields
		t.Errorf("listing with a confirmed address returned %v", err)
	}
	e.must(book())
}
