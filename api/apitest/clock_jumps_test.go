package apitest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

const clockHold = 2 * time.Hour

// clockTest is an env whose clock the test sets wrong and corrects. Before, during and after
// that, users book phones, pay, and create payment intents.
type clockTest struct {
	*env
	t      *testing.T
	seller *person
	brand  market.Brand
	paid   map[string]*person // the buyers of charged bookings, by booking
	unpaid map[string]*person // the buyers of the other bookings
	phones map[string]string  // the phones of all bookings
}

// makeOrders makes four orders: a paid one, one that is charged but not recorded, one with
// an open intent, and one without an intent.
func (c *clockTest) makeOrders() {
	c.t.Helper()
	const booked, withIntent, charged, recorded = 0, 1, 2, 3
	for _, state := range []int{recorded, charged, withIntent, booked} {
		buyer, phone := c.buyer("Bob"), c.seller.refreshToken().addPhone(c.brand)
		booking := buyer.book(phone)
		c.phones[booking] = phone
		if state < charged {
			c.unpaid[booking] = buyer
		} else {
			c.paid[booking] = buyer
		}
		if state == booked {
			continue
		}
		secret := buyer.createIntent(booking)
		if state == withIntent {
			continue
		}
		c.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
		if state == recorded {
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
			c.t.Errorf("%s a paid phone is available or held by another buyer: %+v", when, p)
		}
	}
}

// storeInterruptedBooking stores the hold of a booking, without the booking itself, as after a
// crash between the two writes.
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

// An operator sets the clock wrong and corrects it. No paid phone becomes available, no hold
// lasts longer than its time plus the error of the clock, users can sign in, and readers of a
// brand get all changes in order.
func TestClockJumps(t *testing.T) {
	for _, by := range []time.Duration{time.Hour, -time.Hour, 24 * time.Hour, -24 * time.Hour} {
		t.Run(by.String(), func(t *testing.T) {
			e := newEnv(t, func(s *setup) { s.rules.BookingHold = clockHold })
			e.t = t
			c := &clockTest{
				env: e, t: t, seller: e.seller("Sue"), brand: e.brand("Nokia"),
				paid: map[string]*person{}, unpaid: map[string]*person{}, phones: map[string]string{},
			}
			reader := e.buyer("Fay")
			socket := reader.connect(t)
			socket.subscribe(reader.get("/categories/" + c.brand.ID))
			c.makeOrders()
			e.runDueWork()

			e.clock.Pass(by)
			e.runDueWork()
			c.checkPaidPhones("while the clock is wrong")
			c.makeOrders()
			e.runDueWork()

			e.clock.Pass(-by)
			c.checkPaidPhones("before the janitor runs with the right clock")
			e.runDueWork()
			c.checkPaidPhones("after the correction")
			c.makeOrders()
			interrupted := c.storeInterruptedBooking()
			for range 3 {
				e.clock.Pass(5 * time.Second)
				e.runDueWork()
			}
			if buyer := c.unpaid[interrupted]; buyer.getBooking(interrupted)["status"] != "held" {
				t.Error("the janitor has not finished an interrupted booking")
			}

			e.clock.Pass(clockHold + by.Abs() + time.Minute)
			for range 3 {
				e.runDueWork()
				e.clock.Pass(time.Minute)
			}
			c.checkPaidPhones("after the end of all holds")
			c.checkOutcome()
			last := c.seller.refreshToken().addPhone(c.brand)
			e.runDueWork()
			socket.wantVersionsInOrder(last)
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
			c.t.Errorf("an unpaid booking is %v, want expired", got)
		}
		p, err := c.store.Product(c.t.Context(), c.phones[booking])
		must(c.t, err)
		if p.Hold != nil || p.Sold {
			c.t.Errorf("an unpaid phone is not available: %+v", p)
		}
	}
}

// wantVersionsInOrder reads events until the last phone arrives. No version may decrease.
func (s *socket) wantVersionsInOrder(last string) {
	s.t.Helper()
	for len(s.events) == 0 || s.events[len(s.events)-1].Data["_id"] != last {
		s.readUntil(func(f frame) bool { return len(f.Events) > 0 })
	}
	versions, types := map[any]float64{}, map[string]int{}
	for _, e := range s.events {
		version, _ := e.Data["version"].(float64)
		if version <= versions[e.Data["_id"]] {
			s.t.Errorf("the event %s has version %v after %v", e.Type, version, versions[e.Data["_id"]])
		}
		versions[e.Data["_id"]], types[e.Type] = version, types[e.Type]+1
	}
	if types["product.booked"] < 12 || types["product.released"] < 6 || types["product.changed"] < 6 {
		s.t.Errorf("the socket received too few events: %v", types)
	}
}
