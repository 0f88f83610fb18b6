package market_test

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

var home = market.Address{Name: "Karim Uddin", Street: "12 Lake Road", Postcode: "1209", Town: "Dhaka"}

// offer adds a phone with this delivery and a postage of 12 dollars.
func (e *env) offer(seller market.Actor, delivers market.Delivery) market.Product {
	e.t.Helper()
	in := e.productRequest(seller)
	in.Delivers, in.Postage = delivers, 12
	p, err := e.AddProduct(e.ctx, seller, in)
	e.must(err)
	return p
}

func (e *env) choose(buyer market.Actor, b market.Booking, in market.DeliveryRequest) (int, error) {
	return e.ChooseDelivery(e.ctx, buyer, b.ID, in)
}

// sendTo chooses that the phone is sent to an address.
func (e *env) sendTo(buyer market.Actor, b market.Booking, a market.Address) {
	e.t.Helper()
	if n, err := e.choose(buyer, b, market.DeliveryRequest{Delivery: market.DeliverySend, Address: &a}); err != nil || n != 1 {
		e.t.Fatalf("the choice changes %d: %v", n, err)
	}
}

func (e *env) meet(buyer market.Actor, b market.Booking) {
	e.t.Helper()
	_, err := e.choose(buyer, b, market.DeliveryRequest{Delivery: market.DeliveryMeet})
	e.must(err)
}

// wantAddress fails the test unless the person sees this address; nil for none.
func (e *env) wantAddress(who market.Actor, b market.Booking, want *market.Address) {
	e.t.Helper()
	v, err := e.BookingView(e.ctx, who, b.ID)
	e.must(err)
	if (v.Address == nil) != (want == nil) || want != nil && *v.Address != *want {
		e.t.Errorf("the address is shown as %+v, want %+v", v.Address, want)
	}
}

// wantErased fails the test if the record of an address is stored.
func (e *env) wantErased(record string) {
	e.t.Helper()
	if _, err := e.store.Record(e.ctx, "address", record); !errors.Is(err, market.ErrNotFound) {
		e.t.Errorf("the address is still stored: %v", err)
	}
}

func TestPostageIsPaidWithThePrice(t *testing.T) {
	rules := defaultRules
	rules.Commission, rules.Payouts = 10, market.PayoutsManual
	e := newEnvWith(t, rules)
	seller, buyer, admin := e.seller(), e.buyer(), e.admin()
	b := e.mustBook(buyer, e.offer(seller, market.DeliveryBoth))
	if v := b.View(); v.Delivery != market.DeliveryMeet || v.Postage != 0 || v.Total != v.Price || v.SendPostage != 12 || v.Delivers != market.DeliveryBoth {
		t.Errorf("before the choice the booking is shown as %+v", v)
	}
	e.sendTo(buyer, b, home)
	b = e.storedBooking(b)
	if v := b.View(); v.Delivery != market.DeliverySend || v.Postage != 12 || v.Total != v.Price+12 {
		t.Errorf("after the choice the booking is shown as %+v", v)
	}
	e.mustPay(buyer, b)
	b = e.storedBooking(b)
	in, err := e.bank.Intent(e.ctx, b.Intent)
	e.must(err)
	if want := int64(b.Price+12) * 100; in.Cents != want {
		t.Errorf("the card was charged %d cents, want %d", in.Cents, want)
	}
	e.fulfil(buyer, b, received)
	e.pass(rules.SettleAfter)
	balance := e.storedBooking(b).Balance()
	commission := int64(b.Price) * 10
	if want := int64(b.Price+12)*100 - commission; balance.Commission != commission || balance.Waiting() != want {
		t.Errorf("the balance is %+v, want a commission of the price alone and %d for the seller", balance, want)
	}
	earnings, err := e.Earnings(e.ctx, seller, market.Page{Limit: 10})
	e.must(err)
	if line := earnings.View().Lines[0]; line.Postage != 12_00 || line.Net != line.Price+12_00-commission {
		t.Errorf("the sale is shown as %+v", line)
	}
	if _, err := e.RefundOrder(e.ctx, admin, b.ID, "It is broken.", nil); err != nil {
		t.Fatal(err)
	}
	e.stepEvery(time.Minute, 3)
	if balance = e.storedBooking(b).Balance(); balance.Refunded != int64(b.Price+12)*100 || balance.Waiting() != 0 {
		t.Errorf("after the refund the balance is %+v", balance)
	}
}

func TestBuyerChoosesOnlyWhatIsOffered(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	met, sentOnly := e.mustBook(buyer, e.offer(seller, market.DeliveryMeet)), e.mustBook(buyer, e.offer(seller, market.DeliverySend))
	_, err := e.choose(buyer, met, market.DeliveryRequest{Delivery: market.DeliverySend, Address: &home})
	e.wantInvalid(err, "delivery")
	_, err = e.choose(buyer, sentOnly, market.DeliveryRequest{Delivery: market.DeliveryMeet})
	e.wantInvalid(err, "delivery")
	_, err = e.choose(buyer, sentOnly, market.DeliveryRequest{Delivery: "pigeon"})
	e.wantInvalid(err, "delivery")
	_, err = e.choose(buyer, sentOnly, market.DeliveryRequest{Delivery: market.DeliverySend})
	e.wantInvalid(err, "address")
	_, err = e.choose(buyer, sentOnly, market.DeliveryRequest{Delivery: market.DeliverySend, Address: &market.Address{Name: "Karim", Street: "12 Lake Road", Town: "Dhaka"}})
	e.wantInvalid(err, "address.postcode")
	long := home
	long.Street = strings.Repeat("é", 290)
	_, err = e.choose(buyer, sentOnly, market.DeliveryRequest{Delivery: market.DeliverySend, Address: &long})
	e.wantInvalid(err, "address")
	_, err = e.choose(buyer, met, market.DeliveryRequest{Delivery: market.DeliveryMeet, Address: &long, Remember: new(true)})
	e.wantInvalid(err, "address")
	_, err = e.openPayment(buyer, sentOnly)
	e.wantInvalid(err, "address")
	_, err = e.choose(e.buyer(), sentOnly, market.DeliveryRequest{Delivery: market.DeliverySend, Address: &home})
	e.wantCode(err, market.CodeForbidden)
	_, err = e.choose(seller, sentOnly, market.DeliveryRequest{Delivery: market.DeliverySend, Address: &home})
	e.wantCode(err, market.CodeForbidden)
	e.sendTo(buyer, sentOnly, home)
	e.mustPay(buyer, sentOnly)
	_, err = e.choose(buyer, sentOnly, market.DeliveryRequest{Delivery: market.DeliverySend, Address: &home})
	e.wantCode(err, market.CodePaid)
}

func TestSameChoiceChangesNothing(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b := e.mustBook(buyer, e.offer(e.seller(), market.DeliveryBoth))
	e.sendTo(buyer, b, home)
	stored := e.storedBooking(b)
	for _, in := range []market.DeliveryRequest{{Delivery: market.DeliverySend, Address: &home}, {Delivery: market.DeliverySend}} {
		if n, err := e.choose(buyer, b, in); err != nil || n != 0 {
			t.Errorf("the same choice changes %d: %v", n, err)
		}
	}
	if got := e.storedBooking(b); got.Version != stored.Version {
		t.Errorf("the version is %d, was %d", got.Version, stored.Version)
	}
	other := home
	other.Town = "Sylhet"
	e.sendTo(buyer, b, other)
	e.wantAddress(buyer, b, &other)
}

// A payment that was begun with another total cannot be completed.
func TestChoiceCancelsThePaymentThatWasBegun(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b, first := e.bookWithIntent(buyer, e.offer(e.seller(), market.DeliveryBoth))
	e.sendTo(buyer, b, home)
	e.wantIntent(first, market.IntentCancelled)
	_, err := e.openPayment(buyer, b)
	e.must(err)
	second := e.storedBooking(b).Intent
	other := home
	other.Street = "14 Lake Road"
	e.sendTo(buyer, b, other) // the total is the same
	e.wantIntent(second, market.IntentOpen)
	e.bank.Process(second)
	_, err = e.choose(buyer, b, market.DeliveryRequest{Delivery: market.DeliveryMeet})
	e.wantCode(err, market.CodeProcessing)
	e.bank.Confirm(second)
	_, err = e.choose(buyer, b, market.DeliveryRequest{Delivery: market.DeliveryMeet})
	e.wantCode(err, market.CodePaid)
	e.wantBooking(b, market.BookingPaid, true, true)
	e.wantAddress(buyer, b, &other)
}

// Whatever happens at the same time, the card is charged the total of the booking.
func TestChoicesAndPaymentsAtTheSameTime(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	for range 20 {
		b := e.mustBook(buyer, e.offer(e.seller(), market.DeliveryBoth))
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				_, _ = e.choose(buyer, b, market.DeliveryRequest{Delivery: market.DeliverySend, Address: &home})
			})
			all.Go(func() { _, _ = e.choose(buyer, b, market.DeliveryRequest{Delivery: market.DeliveryMeet}) })
			all.Go(func() {
				if _, err := e.openPayment(buyer, b); err == nil {
					if b, err := e.store.Booking(e.ctx, b.ID); err == nil && b.Intent != "" && e.bank.Confirm(b.Intent) {
						_ = e.ApplyPayment(e.ctx, b.Intent)
					}
				}
			})
		}
		all.Wait()
		got := e.storedBooking(b)
		if got.Status != market.BookingPaid {
			e.mustPay(buyer, got)
			got = e.storedBooking(b)
		}
		var charged int64
		for _, in := range e.bank.Charged() {
			if in.BookingID == b.ID {
				charged += in.Cents
			}
		}
		if want := int64(got.View().Total) * 100; charged != want || got.Balance().Charged != want {
			t.Fatalf("%d cents were charged, the booking has %+v and a total of %d", charged, got.Balance(), want)
		}
		if (got.Delivery == market.DeliverySend) != (got.Address != "") {
			t.Fatalf("the delivery is %s, the address is %q", got.Delivery, got.Address)
		}
	}
}

func TestAddressIsForTheTwoSidesOnly(t *testing.T) {
	e := newEnv(t)
	seller, buyer, admin := e.seller(), e.buyer(), e.admin()
	b := e.mustBook(buyer, e.offer(seller, market.DeliverySend))
	e.sendTo(buyer, b, home)
	e.wantAddress(buyer, b, &home)
	e.wantAddress(admin, b, nil)
	e.mustPay(buyer, b)
	e.wantAddress(buyer, b, &home)
	e.wantAddress(seller, b, &home)
	e.wantAddress(admin, b, nil)
	events, err := e.store.PendingEvents(e.ctx, 1000)
	e.must(err)
	data, err := json.Marshal(events)
	e.must(err)
	list, err := e.Bookings(e.ctx, buyer, buyer.User.Email, market.SideBuyer, market.Page{Limit: 10})
	e.must(err)
	listed, err := json.Marshal(list.Items[0].View())
	e.must(err)
	if strings.Contains(string(data), home.Street) || strings.Contains(string(listed), home.Street) {
		t.Errorf("the address is in an event or a list: %s", listed)
	}
	if _, err := e.RefundOrder(e.ctx, admin, b.ID, "It is stolen.", nil); err != nil {
		t.Fatal(err)
	}
	e.wantAddress(seller, b, nil)
	e.wantAddress(buyer, b, &home)
}

func TestAddressIsErasedFourteenDaysAfterTheEnd(t *testing.T) {
	for name, end := range map[string]func(e *env, buyer market.Actor, b market.Booking){
		"settled": func(e *env, buyer market.Actor, b market.Booking) {
			e.mustPay(buyer, b)
			e.pass(30 * hour)
			e.fulfil(buyer, b, received)
			e.pass(72 * hour)
		},
		"expired":   func(e *env, _ market.Actor, _ market.Booking) { e.pass(e.rules.BookingHold) },
		"cancelled": func(e *env, _ market.Actor, b market.Booking) { e.must(e.cancelAsBuyer(b)) },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			buyer := e.buyer()
			b := e.mustBook(buyer, e.offer(e.seller(), market.DeliverySend))
			e.sendTo(buyer, b, home)
			end(e, buyer, b)
			record := e.storedBooking(b).Address
			e.pass(14*day - time.Second)
			e.wantAddress(buyer, b, &home)
			e.clock.Pass(time.Second)
			e.wantAddress(buyer, b, nil) // also before it is erased
			e.pass(day)
			e.wantErased(record)
		})
	}
}

// The money of a disputed order goes back, and comes again weeks later.
func TestAddressIsKeptDuringADispute(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	b := e.mustBook(buyer, e.offer(seller, market.DeliverySend))
	e.sendTo(buyer, b, home)
	e.mustPay(buyer, b)
	intent := e.storedBooking(b).Intent
	e.bank.Dispute(intent, e.clock.Now())
	e.must(e.ApplyPayment(e.ctx, intent))
	e.wantBooking(b, market.BookingRefunded, true, true)
	e.wantAddress(seller, b, nil)
	for range 4 {
		e.pass(10 * day)
	}
	e.bank.EndDispute(intent, market.DisputeWon)
	e.must(e.ApplyPayment(e.ctx, intent))
	e.wantBooking(b, market.BookingPaid, true, true)
	e.wantAddress(seller, b, &home)
}

// The buyer has chosen another address before paying.
func TestReplacedAddressIsErased(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b := e.mustBook(buyer, e.offer(e.seller(), market.DeliveryBoth))
	e.sendTo(buyer, b, home)
	replaced := e.storedBooking(b).Address
	e.meet(buyer, b)
	e.mustPay(buyer, b)
	e.wantErased(replaced)
}

func TestAddressIsErasedWithItsOwner(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	b := e.mustBook(buyer, e.offer(seller, market.DeliverySend))
	e.sendTo(buyer, b, home)
	record := e.storedBooking(b).Address
	person, err := e.Person(e.ctx, market.Account{UID: buyer.User.UID})
	e.must(err)
	if got := person.Bookings[0].Address; got == nil || *got != home {
		t.Errorf("the person's data has the address %+v", got)
	}
	e.mustPay(buyer, b)
	e.fulfil(buyer, b, received)
	e.pass(72 * hour)
	e.must(e.deleteAccount(buyer))
	e.wantErased(record)
	e.wantAddress(seller, b, nil)
}

func TestAccountRemembersTheAddress(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	b := e.mustBook(buyer, e.offer(e.seller(), market.DeliverySend))
	for _, c := range []struct {
		remember *bool
		want     *market.Address
	}{{nil, nil}, {new(true), &home}, {nil, &home}, {new(false), nil}} {
		_, err := e.choose(buyer, b, market.DeliveryRequest{Delivery: market.DeliverySend, Address: &home, Remember: c.remember})
		e.must(err)
		a, err := e.store.Account(e.ctx, buyer.User.UID)
		e.must(err)
		if (a.Address == nil) != (c.want == nil) || c.want != nil && *a.Address != *c.want {
			t.Errorf("the account remembers %+v, want %+v", a.Address, c.want)
		}
	}
}

func TestDeliveryIsATermOfThePhone(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	p := e.offer(seller, market.DeliveryBoth)
	if _, err := e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{Postage: new(20)}); err != nil {
		t.Fatal(err)
	}
	_, err := e.Book(e.ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: "01700000", Version: new(1)})
	e.wantCode(err, market.CodeConflict)
	for _, c := range []struct {
		field  string
		change market.ProductChange
	}{{"postage", market.ProductChange{Postage: new(201)}}, {"postage", market.ProductChange{Postage: new(-1)}}, {"delivers", market.ProductChange{Delivers: new(market.Delivery("pigeon"))}}} {
		_, err := e.ChangeProduct(e.ctx, seller, p.ID, c.change)
		e.wantInvalid(err, c.field)
	}
}
