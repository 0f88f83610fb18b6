package apitest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

const clockHold = 2 * time.Hour

// jumped is a market whose clock jumps in the middle of everything: before, while
// and after it was wrong, people have booked, paid, and begun to pay.
type jumped struct {
	*env
	t      *testing.T
	seller *person
	brand  market.Brand
	paying map[string]*person // by bookings whose money is on its way, or there
	unpaid map[string]*person
	phones map[string]string // by booking
}

// deals makes three orders: a paid one, one whose payment the market has not noticed,
// and an unpaid one.
func (j *jumped) deals() {
	j.t.Helper()
	for _, kind := range []string{"pays", "charged", "opens", "books"} {
		buyer, phone := j.buyer("Bob"), j.seller.renewed().sells(j.brand)
		booking := buyer.books(phone)
		j.phones[booking] = phone
		if kind == "books" || kind == "opens" {
			j.unpaid[booking] = buyer
		} else {
			j.paying[booking] = buyer
		}
		if kind == "books" {
			continue
		}
		secret := buyer.begins(booking)
		if kind == "opens" {
			continue
		}
		j.confirm(secret, "pm_card_visa").is(http.StatusOK)
		if kind == "pays" {
			buyer.pays(buyer.paymentFields(booking, secret)).is(http.StatusOK)
		}
	}
}

// kept fails the test if a phone whose payment has arrived is available or held by
// another buyer.
func (j *jumped) kept(when string) {
	j.t.Helper()
	for booking, phone := range j.phones {
		if j.paying[booking] == nil {
			continue
		}
		p, err := j.store.Product(j.t.Context(), phone)
		must(j.t, err)
		if !p.Sold && (p.Hold == nil || p.Hold.BookingID != booking) {
			j.t.Errorf("%s: a phone whose money has come is %+v", when, p)
		}
	}
}

// crashed is a phone whose buyer's node died before it had written the booking.
func (j *jumped) crashed() (booking string) {
	j.t.Helper()
	buyer, phone := j.buyer("Cut"), j.seller.renewed().sells(j.brand)
	p, err := j.store.Product(j.t.Context(), phone)
	must(j.t, err)
	now := j.clock.Now()
	p.Hold = &market.Hold{
		BookingID: market.NewID(now), BuyerUID: buyer.user.UID, Name: buyer.user.Name, Email: buyer.user.Email,
		Phone: "017", Location: "Dhaka", At: now, Until: now.Add(clockHold),
	}
	p.Version++
	must(j.t, j.store.SaveProduct(j.t.Context(), p, nil))
	j.phones[p.Hold.BookingID], j.unpaid[p.Hold.BookingID] = phone, buyer
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
			j := &jumped{
				env: e, t: t, seller: e.seller("Sue"), brand: e.brand("Nokia"),
				paying: map[string]*person{}, unpaid: map[string]*person{}, phones: map[string]string{},
			}
			follower := e.buyer("Fay")
			screen := follower.live(t)
			screen.from(follower.get("/categories/" + j.brand.ID))
			j.deals()
			e.settle()

			e.clock.Pass(by)
			e.settle()
			j.kept("jumped")
			j.deals()
			e.settle()

			e.clock.Pass(-by)
			j.kept("before the janitor runs with the right clock")
			e.settle()
			j.kept("right again")
			j.deals()
			interrupted := j.crashed()
			for range 3 {
				e.clock.Pass(5 * time.Second)
				e.settle()
			}
			if buyer := j.unpaid[interrupted]; buyer.order(interrupted)["status"] != "held" {
				t.Error("an interrupted booking was not finished after the clock was set back")
			}

			e.clock.Pass(clockHold + by.Abs() + time.Minute)
			for range 3 {
				e.settle()
				e.clock.Pass(time.Minute)
			}
			j.kept("in the end")
			j.ends()
			last := j.seller.renewed().sells(j.brand)
			e.settle()
			screen.inOrder(last)
			if strings.Contains(e.log.String(), `"level":"ERROR"`) {
				t.Error("the log tells of an error")
			}
		})
	}
}

// ends looks how everything came out.
func (j *jumped) ends() {
	j.t.Helper()
	for booking, buyer := range j.paying {
		buyer.renewed().paid(j.t, booking)
	}
	for booking, buyer := range j.unpaid {
		if got := buyer.renewed().order(booking); got["status"] != "expired" {
			j.t.Errorf("a hold has outlived the clock: %v", got)
		}
		p, err := j.store.Product(j.t.Context(), j.phones[booking])
		must(j.t, err)
		if p.Hold != nil || p.Sold {
			j.t.Errorf("an unpaid phone is %+v", p)
		}
	}
}

// inOrder reads up to the phone that came last: no version goes backwards.
func (s *socket) inOrder(last string) {
	s.t.Helper()
	for len(s.seen) == 0 || s.seen[len(s.seen)-1].Data["_id"] != last {
		s.until(func(f frame) bool { return len(f.Events) > 0 })
	}
	versions, kinds := map[any]float64{}, map[string]int{}
	for _, e := range s.seen {
		version, _ := e.Data["version"].(float64)
		if version <= versions[e.Data["_id"]] {
			s.t.Errorf("%s of version %v after %v", e.Type, version, versions[e.Data["_id"]])
		}
		versions[e.Data["_id"]], kinds[e.Type] = version, kinds[e.Type]+1
	}
	if kinds["product.booked"] < 12 || kinds["product.released"] < 6 || kinds["product.changed"] < 6 {
		s.t.Errorf("heard of %v", kinds)
	}
}
