package apitest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

const clockHold = 2 * time.Hour

// clockTest has a server whose clock is set wrong and corrected. Before, during and after
// that, users book, pay, and create payment intents.
type clockTest struct {
	*env
	t      *testing.T
	seller *person
	brand  market.Brand
	paid   map[string]*person // buyers of charged bookings, by booking
	unpaid map[string]*person
	phones map[string]string // by booking
}

// makeOrders makes four orders: a paid one, one that is charged but not recorded, one with
// an open intent, and one without an intent.
func (c *clockTest) makeOrders() {
	c.t.Helper()
	for _, kind := range []string{"pays", "charged", "opens", "books"} {
		buyer, phone := c.buyer("Bob"), c.seller.refreshToken().addPhone(c.brand)
		booking := buyer.book(phone)
		c.phones[booking] = phone
		if kind == "books" || kind == "opens" {
			c.unpaid[booking] = buyer
		} else {
			c.paid[booking] = buyer
		}
		if kind == "books" {
			continue
		}
		secret := buyer.createIntent(booking)
		if kind == "opens" {
			continue
		}
		c.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
		if kind == "pays" {
			buyer.postPayment(buyer.paymentFields(booking, secret)).wantStatus(http.StatusOK)
		}
	}
}

// checkPaidPhones fails the test if a phone whose payment has arrived is available or held by
// another buyer.
func (c *clockTest) checkPaidPhones(when string) {
	c.t.Helper()
	for booking, phone := range c.phones {
		if c.paid[booking] == nil {
			continue
		}
		p, err := c.store.Product(c.t.Context(), phone)
		must(c.t, err)
		if !p.Sold && (p.Hold == nil || p.Hold.BookingID != booking) {
			c.t.Errorf("%s: a paid phone is %+v", when, p)
		}
	}
}

// storeInterruptedBooking stores the hold of a booking whose second write was prevented by a crash.
func (c *clockTest) storeInterruptedBooking() (booking string) {
	c.t.Helper()
	buyer, phone := c.buyer("Cut"), c.seller.refreshToken().addPhone(c.brand)
	p, err := c.store.Product(c.t.Context(), phone)
	must(c.t, err)
	now := c.clock.Now()
	p.Hold = &market.Hold{
		BookingID: market.NewID(now), BuyerUID: buyer.user.UID, Name: buyer.user.Name, Email: buyer.user.Email,
		Phone: "017", Location: "Dhaka", At: now, Until: now.Add(clockHold),
	}
	p.Version++
	must(c.t, c.store.SaveProduct(c.t.Context(), p, nil))
	c.phones[p.Hold.BookingID], c.unpaid[p.Hold.BookingID] = phone, buyer
	return p.Hold.BookingID
}

// The clock is set wrong and corrected. No paid phone becomes available, no hold lasts
// longer than its time plus the error of the clock, users can sign in, and readers of a
// brand get each change in order.
func TestClockJumps(t *testing.T) {
	for _, by := range []time.Duration{time.Hour, -time.Hour, 24 * time.Hour, -24 * time.Hour} {
		t.Run(by.String(), func(t *testing.T) {
			e := newEnv(t, func(s *setup) { s.rules.BookingHold = clockHold })
			e.t = t
			c := &clockTest{
				env: e, t: t, seller: e.seller("Sue"), brand: e.brand("Nokia"),
				paid: map[string]*person{}, unpaid: map[string]*person{}, phones: map[string]string{},
			}
			follower := e.buyer("Fay")
			screen := follower.connect(t)
			screen.subscribe(follower.get("/categories/" + c.brand.ID))
			c.makeOrders()
			e.settle()

			e.clock.Pass(by)
			e.settle()
			c.checkPaidPhones("while the clock is wrong")
			c.makeOrders()
			e.settle()

			e.clock.Pass(-by)
			c.checkPaidPhones("before the janitor runs with the right clock")
			e.settle()
			c.checkPaidPhones("after the correction")
			c.makeOrders()
			interrupted := c.storeInterruptedBooking()
			for range 3 {
				e.clock.Pass(5 * time.Second)
				e.settle()
			}
			if buyer := c.unpaid[interrupted]; buyer.getBooking(interrupted)["status"] != "held" {
				t.Error("an interrupted booking was not finished after the clock was set back")
			}

			e.clock.Pass(clockHold + by.Abs() + time.Minute)
			for range 3 {
				e.settle()
				e.clock.Pass(time.Minute)
			}
			c.checkPaidPhones("in the end")
			c.checkOutcome()
			last := c.seller.refreshToken().addPhone(c.brand)
			e.settle()
			screen.wantVersionsInOrder(last)
			if strings.Contains(e.log.String(), `"level":"ERROR"`) {
				t.Error("the log has an error")
			}
		})
	}
}

// checkOutcome checks that paid orders are paid and unpaid ones expired.
func (c *clockTest) checkOutcome() {
	c.t.Helper()
	for booking, buyer := range c.paid {
		buyer.refreshToken().wantPaid(c.t, booking)
	}
	for booking, buyer := range c.unpaid {
		if got := buyer.refreshToken().getBooking(booking); got["status"] != "expired" {
			c.t.Errorf("a hold has not expired: %v", got)
		}
		p, err := c.store.Product(c.t.Context(), c.phones[booking])
		must(c.t, err)
		if p.Hold != nil || p.Sold {
			c.t.Errorf("an unpaid phone is %+v", p)
		}
	}
}

// wantVersionsInOrder reads events until the last phone arrives. No version may decrease.
func (s *socket) wantVersionsInOrder(last string) {
	s.t.Helper()
	for len(s.events) == 0 || s.events[len(s.events)-1].Data["_id"] != last {
		s.readUntil(func(f frame) bool { return len(f.Events) > 0 })
	}
	versions, kinds := map[any]float64{}, map[string]int{}
	for _, e := range s.events {
		version, _ := e.Data["version"].(float64)
		if version <= versions[e.Data["_id"]] {
			s.t.Errorf("%s of version %v after %v", e.Type, version, versions[e.Data["_id"]])
		}
		versions[e.Data["_id"]], kinds[e.Type] = version, kinds[e.Type]+1
	}
	if kinds["product.booked"] < 12 || kinds["product.released"] < 6 || kinds["product.changed"] < 6 {
		s.t.Errorf("received %v", kinds)
	}
}
