package market_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

func TestABookingTakesThePhoneAndTellsEverybody(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller(), w.buyer()
	p := w.phone(seller)
	w.drain()

	b := w.booked(buyer, p)

	if got := w.stored(p); !got.Booked() || got.Sold || !got.HeldBy(b.ID) || got.Version != p.Version+1 {
		t.Errorf("phone after booking: %+v", got)
	}
	if b.Status != market.BookingHeld || b.Price != p.ResalePrice || !b.HoldUntil.Equal(w.clock.Now().Add(time.Hour)) {
		t.Errorf("booking: %+v", b)
	}
	want := []string{
		"brand:" + w.brand.ID + " product.booked",
		"me:" + seller.User.UID + " product.booked",
		"me:" + buyer.User.UID + " booking.changed",
	}
	if got := w.told(); !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

func TestTwoHundredBuyersOneBooking(t *testing.T) {
	w := newEnv(t)
	p := w.phone(w.seller())
	buyers := make([]market.Actor, 200)
	for i := range buyers {
		buyers[i] = w.buyer()
	}
	results := make([]error, len(buyers))
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i, buyer := range buyers {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			_, results[i] = w.book(buyer, p)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()

	won := 0
	for i, err := range results {
		list, errList := w.store.BookingsOf(w.ctx, buyers[i].User.UID, market.Page{Limit: 10})
		w.must(errList)
		if err == nil {
			won++
			if len(list.Items) != 1 || !w.stored(p).HeldBy(list.Items[0].ID) {
				t.Errorf("the winner's booking does not hold the phone: %+v", list.Items)
			}
			continue
		}
		if market.CodeOf(err) != market.CodeTaken || err.Error() != "This phone has just been booked" {
			t.Errorf("a loser was told %v", err)
		}
		if len(list.Items) != 0 {
			t.Errorf("a loser has bookings: %+v", list.Items)
		}
	}
	if won != 1 {
		t.Errorf("%d buyers have the phone", won)
	}
}

func TestBookingOnesOwnHeldPhoneAgainAnswersTheSame(t *testing.T) {
	w := newEnv(t)
	buyer, p := w.buyer(), w.phone(w.seller())
	first := w.booked(buyer, p)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			again, err := w.book(buyer, p)
			if err != nil || again.ID != first.ID {
				t.Errorf("booked again: %v, %v", again.ID, err)
			}
		})
	}
	all.Wait()
}

func TestWhoMayNotBook(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller(), w.buyer()
	p := w.phone(seller)
	wrong := 41
	for name, c := range map[string]struct {
		who  market.Actor
		in   market.BookingRequest
		code market.Code
	}{
		"a seller":             {w.seller(), market.BookingRequest{ProductID: p.ID, Phone: "01800000"}, market.CodeForbidden},
		"an admin":             {w.admin(), market.BookingRequest{ProductID: p.ID, Phone: "01800000"}, market.CodeForbidden},
		"as somebody else":     {buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", Email: "x@example.com"}, market.CodeForbidden},
		"no such phone":        {buyer, market.BookingRequest{ProductID: "nope", Phone: "01800000"}, market.CodeNotFound},
		"no phone number":      {buyer, market.BookingRequest{ProductID: p.ID}, market.CodeInvalid},
		"no product":           {buyer, market.BookingRequest{Phone: "01800000"}, market.CodeInvalid},
		"at another price":     {buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", Price: &wrong}, market.CodeInvalid},
		"under another name":   {buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", UserName: "Eve"}, market.CodeInvalid},
		"of another brand":     {buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", Brand: "Apple"}, market.CodeInvalid},
		"404 before 403":       {w.seller(), market.BookingRequest{ProductID: "nope"}, market.CodeNotFound},
		"403 before 422":       {w.seller(), market.BookingRequest{ProductID: p.ID}, market.CodeForbidden},
		"a type the body lied": {buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", Wrong: market.Fields{"price": "must be a whole number"}}, market.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Book(w.ctx, c.who, c.in)
			if market.CodeOf(err) != c.code {
				t.Errorf("got %v, want code %s", err, c.code)
			}
		})
	}
	if w.stored(p).Booked() {
		t.Error("a refused booking took the phone")
	}
}

func TestAHoldLapsesByItself(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller(), w.buyer()
	p := w.phone(seller)
	b := w.booked(buyer, p)
	w.clock.Pass(time.Hour - time.Millisecond)
	w.must(w.janitor.Step(w.ctx))
	if !w.stored(p).HeldBy(b.ID) {
		t.Fatal("freed before the deadline")
	}
	w.drain()
	w.clock.Pass(time.Millisecond)
	w.must(w.janitor.Step(w.ctx))
	if w.stored(p).Booked() {
		t.Error("the phone is not free again")
	}
	if got := w.storedBooking(b); got.Status != market.BookingExpired || got.Version <= b.Version {
		t.Errorf("booking after the deadline: %+v", got)
	}
	want := []string{
		"brand:" + w.brand.ID + " product.released",
		"me:" + seller.User.UID + " product.released",
		"me:" + buyer.User.UID + " booking.changed",
	}
	if got := w.told(); !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
	w.must(w.janitor.Step(w.ctx))
	if got := w.told(); len(got) != 0 {
		t.Errorf("told twice: %q", got)
	}
}

func TestAfterLettingAPhoneGoOneWaitsAnHour(t *testing.T) {
	w := newEnv(t)
	buyer, p := w.buyer(), w.phone(w.seller())
	b := w.booked(buyer, p)
	n, err := w.CancelBooking(w.ctx, buyer, b.ID)
	if w.must(err); n != 1 || w.stored(p).Booked() || w.storedBooking(b).Status != market.BookingCancelled {
		t.Fatalf("cancelled %d, phone %+v", n, w.stored(p))
	}
	if again := w.storedBooking(b).View().BookAgainAt; again == nil || !again.Equal(w.clock.Now().Add(time.Hour)) {
		t.Errorf("can be booked again at %v", again)
	}
	if n, err = w.CancelBooking(w.ctx, buyer, b.ID); err != nil || n != 0 {
		t.Errorf("cancelled twice: %d, %v", n, err)
	}
	_, err = w.book(buyer, p)
	w.refused(err, market.CodeWait)
	w.booked(w.buyer(), w.phone(w.seller()))

	w.clock.Pass(time.Hour - time.Millisecond)
	_, err = w.book(buyer, p)
	w.refused(err, market.CodeWait)
	w.clock.Pass(time.Millisecond)
	second := w.booked(buyer, p)
	if second.ID == b.ID {
		t.Error("the old booking came back")
	}
	w.clock.Pass(time.Hour)
	w.must(w.janitor.Step(w.ctx))
	_, err = w.book(buyer, p)
	w.refused(err, market.CodeWait)
}

func TestOnlyTheBuyerCancels(t *testing.T) {
	w := newEnv(t)
	b := w.booked(w.buyer(), w.phone(w.seller()))
	_, err := w.CancelBooking(w.ctx, w.buyer(), b.ID)
	w.refused(err, market.CodeForbidden)
	_, err = w.CancelBooking(w.ctx, w.admin(), b.ID)
	w.refused(err, market.CodeForbidden)
	_, err = w.CancelBooking(w.ctx, w.buyer(), "nope")
	w.refused(err, market.CodeNotFound)
}

func TestNobodyHoldsMoreThanTheLimitHoweverFastTheyAsk(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller(), w.buyer()
	phones := make([]market.Product, 30)
	for i := range phones {
		phones[i] = w.phone(seller)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for _, p := range phones {
		all.Go(func() {
			_, err := w.book(buyer, p)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if market.CodeOf(err) != market.CodeTooMany {
				t.Errorf("told %v", err)
			}
		})
	}
	all.Wait()
	held := 0
	for _, p := range phones {
		if w.stored(p).Booked() {
			held++
		}
	}
	if won != plainRules.MaxHolds || held != won {
		t.Errorf("%d bookings and %d held phones, want %d", won, held, plainRules.MaxHolds)
	}
}

// failing is a store whose next writes of one kind fail after or instead of
// being made: what a crash between two steps leaves behind.
type failing struct {
	market.Store
	addBooking  func() error
	saveBooking func(market.Booking) error
	saveProduct func(market.Product)
}

var errCrash = errors.New("the process is gone")

func (f *failing) AddBooking(ctx context.Context, b market.Booking, n int, e []market.Event) error {
	if f.addBooking != nil {
		return f.addBooking()
	}
	return f.Store.AddBooking(ctx, b, n, e)
}

func (f *failing) SaveBooking(ctx context.Context, b market.Booking, e []market.Event) error {
	if f.saveBooking != nil {
		if err := f.saveBooking(b); err != nil {
			return err
		}
	}
	return f.Store.SaveBooking(ctx, b, e)
}

func (f *failing) SaveProduct(ctx context.Context, p market.Product, e []market.Event) error {
	if f.saveProduct != nil {
		f.saveProduct(p)
	}
	return f.Store.SaveProduct(ctx, p, e)
}

func TestACrashBetweenPhoneAndBookingIsMadeGood(t *testing.T) {
	w := newEnv(t)
	buyer, p := w.buyer(), w.phone(w.seller())
	dying := market.New(&failing{Store: w.store, addBooking: func() error { return errCrash }}, w.clock, plainRules, w.bank)
	_, err := dying.Book(w.ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000"})
	if !errors.Is(err, errCrash) {
		t.Fatal(err)
	}
	if !w.stored(p).Booked() {
		t.Fatal("the crash came too early for this test")
	}
	w.clock.Pass(4 * time.Second)
	w.must(w.janitor.Step(w.ctx))
	b := w.storedBooking(market.Booking{ID: w.stored(p).Hold.BookingID})
	if b.Status != market.BookingHeld || b.BuyerUID != buyer.User.UID || b.Phone != "01800000" || b.Price != p.ResalePrice {
		t.Errorf("the booking was not written: %+v", b)
	}
	w.clock.Pass(time.Hour)
	w.must(w.janitor.Step(w.ctx))
	if w.stored(p).Booked() || w.storedBooking(b).Status != market.BookingExpired {
		t.Error("its hold did not lapse")
	}
}

func TestACrashWhileAHoldEndsIsMadeGood(t *testing.T) {
	for name, ends := range map[string]func(w *env, dying *market.Market, buyer market.Actor, b market.Booking) error{
		"cancel": func(w *env, dying *market.Market, buyer market.Actor, b market.Booking) error {
			_, err := dying.CancelBooking(w.ctx, buyer, b.ID)
			return err
		},
		"lapse": func(w *env, dying *market.Market, _ market.Actor, _ market.Booking) error {
			w.clock.Pass(time.Hour)
			return market.NewJanitor(dying, discard).Step(w.ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t)
			buyer, p := w.buyer(), w.phone(w.seller())
			b := w.booked(buyer, p)
			dying := market.New(&failing{Store: w.store, saveBooking: func(b market.Booking) error {
				if b.Status != market.BookingHeld {
					return errCrash // the phone is free already
				}
				return nil
			}}, w.clock, plainRules, w.bank)
			if err := ends(w, dying, buyer, b); !errors.Is(err, errCrash) {
				t.Fatal(err)
			}
			if w.stored(p).Booked() {
				t.Fatal("the crash came too early for this test")
			}
			_, err := w.book(buyer, p)
			w.refused(err, market.CodeWait)

			w.must(w.janitor.Step(w.ctx))
			want := map[string]market.BookingStatus{"cancel": market.BookingCancelled, "lapse": market.BookingExpired}[name]
			if got := w.storedBooking(b); got.Status != want {
				t.Errorf("the booking is %s, want %s", got.Status, want)
			}
		})
	}
}

// Who books what they saw gets just that: a change of price, name, storage, condition
// or description in between is a conflict, and nothing else is.
func TestBookingAPhoneThatWasChangedIsAConflict(t *testing.T) {
	name, text, condition, price, used := "Another", "Scratched", "Fair", 99, "9 years"
	storage := 16
	for what, c := range map[string]struct {
		change market.ProductChange
		code   market.Code
	}{
		"name":        {market.ProductChange{Name: &name}, market.CodeConflict},
		"description": {market.ProductChange{Description: &text}, market.CodeConflict},
		"condition":   {market.ProductChange{Condition: &condition}, market.CodeConflict},
		"price":       {market.ProductChange{ResalePrice: &price}, market.CodeConflict},
		"storage":     {market.ProductChange{Storage: &storage}, market.CodeConflict},
		"used time":   {market.ProductChange{UsedTime: &used}, ""},
	} {
		t.Run(what, func(t *testing.T) {
			w := newEnv(t)
			seller, buyer := w.seller(), w.buyer()
			p := w.phone(seller)
			seen := int(p.Version)
			in := market.BookingRequest{
				ProductID: p.ID, Phone: "01800000", Version: &seen, ProductName: p.Name, Price: &p.ResalePrice,
			}
			_, err := w.ChangeProduct(w.ctx, seller, p.ID, c.change)
			w.must(err)
			if _, err = w.Book(w.ctx, buyer, in); market.CodeOf(err) != c.code {
				t.Fatalf("booked as seen before: %v, want code %q", err, c.code)
			}
			now := w.stored(p)
			seen = int(now.Version)
			in.ProductName, in.Price = now.Name, &now.ResalePrice
			b, err := w.Book(w.ctx, buyer, in)
			w.must(err)
			old := 1
			in.Version = &old
			if again, err := w.Book(w.ctx, buyer, in); err != nil || again.ID != b.ID {
				t.Errorf("one's own booking again: %v", err)
			}
		})
	}
}

func TestTelephoneNumbers(t *testing.T) {
	w := newEnv(t)
	buyer, p := w.buyer(), w.phone(w.seller())
	for _, number := range []string{"", "12", "12345", "      ", "+(  )-", "1234567890123456789012", "call me", "0170000x", "٠١٢٣٤٥٦"} {
		_, err := w.Book(w.ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: number})
		var refused *market.Error
		if !errors.As(err, &refused) || refused.Code != market.CodeInvalid || refused.Fields["phone"] == "" {
			t.Errorf("%q: %v", number, err)
		}
	}
	if _, err := w.Book(w.ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: " +44 (20) 7946-0958 "}); err != nil {
		t.Error(err)
	}
}

// Three buyers behind one address hold no more together than the address may,
// however many book at once. What they pay for or cancel makes room again.
func TestHoldsOfOneNetworkAreBounded(t *testing.T) {
	const most = 4
	rules := plainRules
	rules.MaxHoldsPerNetwork = most
	w := newEnvWith(t, rules)
	seller := w.seller()
	from := func(network string, buyer market.Actor) (market.Booking, error) {
		return w.Book(w.ctx, buyer, market.BookingRequest{ProductID: w.phone(seller).ID, Phone: "01800000", Network: network})
	}
	var first market.Booking
	one, two := w.buyer(), w.buyer()
	for i := range most {
		b, err := from("office", []market.Actor{one, two}[i%2])
		w.must(err)
		first = b
	}
	if _, err := from("office", w.buyer()); market.CodeOf(err) != market.CodeTooMany {
		t.Errorf("one more: %v", err)
	}
	for range 2 {
		for _, network := range []string{"home", ""} {
			_, err := from(network, w.buyer())
			w.must(err)
		}
	}
	_, err := w.CancelBooking(w.ctx, two, first.ID)
	w.must(err)
	if b := w.storedBooking(first); b.Network != "" {
		t.Errorf("an ended booking still says where it came from: %q", b.Network)
	}
	_, err = from("office", w.buyer())
	w.must(err)
}

func TestHoldsOfOneNetworkAreBoundedHoweverManyBookAtOnce(t *testing.T) {
	const most, buyers = 5, 24
	rules := plainRules
	rules.MaxHoldsPerNetwork = most
	w := newEnvWith(t, rules)
	seller := w.seller()
	var all sync.WaitGroup
	for range buyers {
		buyer, p := w.buyer(), w.phone(seller)
		all.Go(func() {
			_, err := w.Book(w.ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: "01800000", Network: "office"})
			if err != nil && market.CodeOf(err) != market.CodeTooMany {
				t.Error(err)
			}
		})
	}
	all.Wait()
	held, err := w.store.HeldFrom(w.ctx, "office", buyers)
	w.must(err)
	if held > most {
		t.Errorf("%d held, %d may be", held, most)
	}
	list, err := w.store.ProductsOfSeller(w.ctx, seller.User.UID, market.Page{Limit: buyers})
	w.must(err)
	booked := 0
	for _, p := range list.Items {
		if p.Booked() {
			booked++
		}
	}
	if booked != held {
		t.Errorf("%d phones are booked by %d bookings", booked, held)
	}
}
