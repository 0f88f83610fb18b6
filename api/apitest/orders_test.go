package apitest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// ordersEnv is an env with an admin and orders of two sellers.
type ordersEnv struct {
	*env
	admin, buyer, other, seller, rival *person
	brand                              market.Brand
}

func newOrdersEnv(t *testing.T, change ...func(*setup)) *ordersEnv {
	t.Helper()
	e := newEnv(t, change...)
	return &ordersEnv{
		env: e, admin: e.admin("Ada"), buyer: e.buyer("Bob"), other: e.buyer("Olga"),
		seller: e.seller("Sue"), rival: e.seller("Sam"), brand: e.brand("Nokia"),
	}
}

// paid returns a new paid order of a phone for $120.
func (d *ordersEnv) paid(seller, buyer *person) string {
	d.t.Helper()
	id := buyer.books(seller.sells(d.brand))
	secret := buyer.begins(id)
	d.confirm(secret, "pm_card_visa").is(http.StatusOK)
	buyer.pays(buyer.paymentFields(id, secret)).id()
	return id
}

func (p *person) fulfils(id string, body fields) answer {
	p.t.Helper()
	return p.do(http.MethodPut, "/bookings/"+id+"/fulfilment", body)
}

// settled returns a new order whose buyer has the phone: the seller's money is due.
func (d *ordersEnv) settled(seller, buyer *person) string {
	d.t.Helper()
	id := d.paid(seller, buyer)
	buyer.fulfils(id, fields{"action": "received"}).count("modifiedCount", 1)
	d.settle()
	return id
}

func (p *person) refunds(id string, body fields) answer {
	p.t.Helper()
	return p.do(http.MethodPost, "/orders/"+id+"/refund", body)
}

// returned runs the background jobs until a decided refund is made.
func (d *ordersEnv) returned() {
	d.t.Helper()
	d.settle()
	d.clock.Pass(2 * time.Second)
	d.settle()
}

func (p *person) paysOut(id string, body fields) answer {
	p.t.Helper()
	return p.do(http.MethodPut, "/orders/"+id+"/payout", body)
}

// orders returns the IDs of the orders that a query finds.
func (d *ordersEnv) orders(query string) (ids []string) {
	d.t.Helper()
	for _, order := range d.admin.get("/orders?" + query).is(http.StatusOK).items() {
		ids = append(ids, order["_id"].(string))
	}
	return ids
}

// listed returns an order as the list of orders shows it.
func (d *ordersEnv) listed(id string) market.BookingView {
	d.t.Helper()
	var all []market.BookingView
	d.admin.get("/orders").is(http.StatusOK).into(&all)
	for _, order := range all {
		if order.ID == id {
			return order
		}
	}
	d.t.Fatalf("the order %s is not listed", id)
	return market.BookingView{}
}

func TestOrdersAreFiltered(t *testing.T) {
	d := newOrdersEnv(t)
	due := d.settled(d.seller, d.buyer)
	paidOut := d.settled(d.seller, d.other)
	d.admin.paysOut(paidOut, fields{"reference": "transfer 1"}).count("modifiedCount", 1)
	debt := d.settled(d.rival, d.buyer)
	d.admin.paysOut(debt, fields{"reference": "transfer 2"}).count("modifiedCount", 1)
	d.admin.refunds(debt, fields{"reason": "It was stolen."}).count("modifiedCount", 1)
	d.returned()
	waiting := d.paid(d.rival, d.other)
	held := d.buyer.books(d.seller.sells(d.brand))
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"", []string{held, waiting, debt, paidOut, due}},
		{"payout=due", []string{due}},
		{"payout=paidOut", []string{paidOut}},
		{"payout=debt", []string{debt}},
		{"payout=debt&status=refunded&state=settled", []string{debt}},
		{"payout=due&seller=" + d.rival.user.Email, nil},
		{"state=waiting", []string{waiting}},
		{"status=held", []string{held}},
		{"seller=" + strings.ToUpper(d.rival.user.Email), []string{waiting, debt}},
		{"seller=" + d.rival.user.UID, []string{waiting, debt}},
		{"seller=" + d.seller.user.Email + "&buyer=" + d.other.user.Email, []string{paidOut}},
		{"buyer=nobody@phones.example", nil},
	} {
		if got := d.orders(c.query); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q lists %v, want %v", c.query, got, c.want)
		}
	}
	d.admin.get("/orders?payout=waiting&state=lost&status=gone").invalid("payout", "state", "status")
	d.admin.get("/orders?limit=0").is(http.StatusBadRequest)
	d.admin.get("/orders?cursor=forged").is(http.StatusBadRequest)
	d.seller.get("/orders?payout=gone").refused(http.StatusForbidden, market.CodeForbidden)
}

func TestOrdersArePagedWithTheirFilter(t *testing.T) {
	d := newOrdersEnv(t)
	var want []string
	for range 3 {
		want = append([]string{d.settled(d.seller, d.buyer)}, want...)
	}
	d.paid(d.seller, d.buyer)
	var got []string
	for next := "/orders?limit=2&payout=due"; next != ""; {
		page := d.admin.get(next).is(http.StatusOK)
		if total := page.Header.Get("X-Total-Count"); total != "3" {
			t.Errorf("%s counts %s orders", next, total)
		}
		for _, order := range page.items() {
			got = append(got, order["_id"].(string))
		}
		link, _, _ := strings.Cut(strings.TrimPrefix(page.Header.Get("Link"), "<"), ">")
		at, err := url.Parse(link)
		must(t, err)
		if next = link; next != "" && at.Query().Get("payout") != "due" {
			t.Fatalf("the next page is %s", next)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the pages have %v, want %v", got, want)
	}
}

func TestAdminsSeeTheMoneyOfOrders(t *testing.T) {
	d := newOrdersEnv(t)
	id := d.paid(d.seller, d.buyer)
	screen := d.admin.live(t)
	screen.from(d.admin.get("/orders"))
	check := func(when string, money market.MoneyView, payout market.PayoutView) {
		t.Helper()
		listed := d.listed(id)
		if listed.Money == nil || *listed.Money != money {
			t.Errorf("%s: the money is %+v, want %+v", when, listed.Money, money)
		}
		got := market.PayoutView{}
		if listed.Payout != nil {
			got = *listed.Payout
			got.At = nil
		}
		if got != payout {
			t.Errorf("%s: the payout is %+v, want %+v", when, got, payout)
		}
		var one market.BookingView
		d.admin.get("/booking/" + id).into(&one)
		if !reflect.DeepEqual(one, listed) {
			t.Errorf("%s: the order is %+v, and listed as %+v", when, one, listed)
		}
	}
	check("paid", market.MoneyView{Charged: 12000, Waiting: 12000}, market.PayoutView{})
	d.buyer.fulfils(id, fields{"action": "received"}).count("modifiedCount", 1)
	d.settle()
	check("settled", market.MoneyView{Charged: 12000, Commission: 600, Waiting: 11400}, market.PayoutView{State: "due", Cents: 11400})
	d.admin.paysOut(id, fields{"reference": "transfer 1"}).count("modifiedCount", 1)
	check("paid out", market.MoneyView{Charged: 12000, Commission: 600, PaidOut: 11400},
		market.PayoutView{State: "paidOut", Cents: 11400, Reference: "transfer 1"})
	d.admin.refunds(id, fields{"reason": "It was stolen."}).count("modifiedCount", 1)
	check("refunded, not done yet", market.MoneyView{Charged: 12000, PaidOut: 11400, Waiting: 600},
		market.PayoutView{State: "paidOut", Cents: 11400, Reference: "transfer 1"})
	d.returned()
	check("refunded", market.MoneyView{Charged: 12000, Refunded: 12000, PaidOut: 11400, Waiting: -11400},
		market.PayoutView{State: "debt", Cents: 11400, Reference: "transfer 1"})

	inList := d.admin.get("/orders").product(id)
	screen.until(func(f frame) bool {
		if len(f.Events) == 0 {
			return false
		}
		last := f.Events[len(f.Events)-1]
		return last.Type == market.TypeOrderChanged && reflect.DeepEqual(last.Data, inList)
	})
	for _, side := range []*person{d.buyer, d.seller} {
		if order := side.order(id); order["money"] != nil || order["payout"] != nil {
			t.Errorf("%s sees %v", side.user.Name, order)
		}
	}
}

func TestRefundIsMadeOnce(t *testing.T) {
	d := newOrdersEnv(t)
	id := d.settled(d.seller, d.buyer)
	d.admin.refunds("nowhere", fields{"reason": "r"}).is(http.StatusNotFound)
	d.admin.refunds(id, fields{}).invalid("reason")
	d.admin.refunds(id, fields{"reason": "  "}).invalid("reason")
	d.admin.refunds(id, fields{"reason": strings.Repeat("a", 1001)}).invalid("reason")
	d.admin.refunds(id, fields{"reason": 7}).invalid("reason")
	d.admin.do(http.MethodPost, "/orders/"+id+"/refund", "{").is(http.StatusBadRequest)
	d.seller.refunds(id, fields{"reason": "r"}).refused(http.StatusForbidden, market.CodeForbidden)
	d.admin.refunds(id, fields{"reason": "It was stolen."}).count("modifiedCount", 1)
	for range 2 {
		got := d.admin.refunds(id, fields{"reason": "Once more."}).is(http.StatusConflict)
		if !strings.Contains(string(got.body), "refunded already") && !strings.Contains(string(got.body), "not paid") {
			t.Errorf("the second refund: %s", got.body)
		}
		d.returned()
	}
	entries, err := d.store.LedgerOfOrder(t.Context(), id)
	must(t, err)
	if got := market.BalanceOf(entries); got != (market.Balance{Charged: 12000, Refunded: 12000}) {
		t.Errorf("the ledger says %+v", got)
	}
	for _, side := range []*person{d.buyer, d.seller} {
		if f, _ := side.order(id)["fulfilment"].(map[string]any); f["reason"] != "It was stolen." {
			t.Errorf("%s reads %v", side.user.Name, f)
		}
	}
	held := d.buyer.books(d.seller.sells(d.brand))
	d.admin.refunds(held, fields{"reason": "r"}).is(http.StatusConflict)
}

func TestPayoutIsMarkedOnce(t *testing.T) {
	d := newOrdersEnv(t)
	open, id := d.paid(d.seller, d.buyer), d.settled(d.seller, d.buyer)
	reference := fields{"reference": "transfer 1"}
	d.admin.paysOut(open, reference).refused(http.StatusConflict, market.CodeConflict)
	d.admin.paysOut("nowhere", reference).is(http.StatusNotFound)
	d.admin.paysOut(id, fields{}).invalid("reference")
	d.admin.paysOut(id, fields{"reference": strings.Repeat("a", 121)}).invalid("reference")
	d.admin.paysOut(id, fields{"reference": true}).invalid("reference")
	d.seller.paysOut(id, reference).refused(http.StatusForbidden, market.CodeForbidden)
	d.admin.paysOut(id, reference).count("modifiedCount", 1)
	d.admin.paysOut(id, reference).count("modifiedCount", 0)
	got := d.admin.paysOut(id, fields{"reference": "transfer 2"}).is(http.StatusConflict)
	if !strings.Contains(string(got.body), "with the reference transfer 1") {
		t.Errorf("another reference: %s", got.body)
	}
	entries, err := d.store.LedgerOfOrder(t.Context(), id)
	must(t, err)
	if paid := market.BalanceOf(entries).PaidOut; paid != 11400 {
		t.Errorf("the ledger says that %d cents were paid out", paid)
	}
	d.seller.wantNotified("paid", "")
}

func TestPayoutsAreRefusedUnlessManual(t *testing.T) {
	d := newOrdersEnv(t, func(s *setup) { s.rules.Payouts = market.PayoutsOff })
	id := d.settled(d.seller, d.buyer)
	d.admin.paysOut(id, fields{"reference": "transfer 1"}).is(http.StatusConflict)
	if got := d.seller.get("/earnings").object()["payouts"]; got != market.PayoutsOff {
		t.Errorf("the seller reads that payouts are %v", got)
	}
}

func TestEarnings(t *testing.T) {
	d := newOrdersEnv(t)
	if got := string(d.rival.get("/earnings").is(http.StatusOK).body); !strings.Contains(got, `"lines":[]`) {
		t.Errorf("without a sale: %s", got)
	}
	waiting, due, paidOut := d.paid(d.seller, d.buyer), d.settled(d.seller, d.buyer), d.settled(d.seller, d.other)
	d.admin.paysOut(paidOut, fields{"reference": "transfer 1"}).count("modifiedCount", 1)
	refunded := d.paid(d.seller, d.other)
	d.admin.fulfils(refunded, fields{"action": "settle", "outcome": "refund", "reason": "It never came."}).count("modifiedCount", 1)
	d.returned()
	var got market.EarningsView
	d.seller.get("/earnings").is(http.StatusOK).into(&got)
	if got.Earned != 22800 || got.Waiting != 12000+11400 || got.PaidOut != 11400 || got.Payouts != market.PayoutsManual {
		t.Errorf("the earnings are %+v", got)
	}
	var lines []string
	for _, line := range got.Lines {
		lines = append(lines, fmt.Sprint(line.BookingID, line.State, line.Price, line.Commission, line.Net, line.Reference))
	}
	want := []string{
		fmt.Sprint(refunded, "refunded", 12000, 600, 11400, ""), fmt.Sprint(paidOut, "paidOut", 12000, 600, 11400, "transfer 1"),
		fmt.Sprint(due, "due", 12000, 600, 11400, ""), fmt.Sprint(waiting, "waiting", 12000, 600, 11400, ""),
	}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("the lines are %v, want %v", lines, want)
	}
	screen := d.seller.live(t)
	screen.from(d.seller.get("/earnings"))
	d.admin.paysOut(due, fields{"reference": "transfer 2"}).count("modifiedCount", 1)
	d.settle()
	screen.until(func(f frame) bool {
		return slices.ContainsFunc(f.Events, func(e event) bool {
			return e.Type == market.TypeBookingChanged && e.Data["_id"] == due
		})
	})
	if after := d.seller.get("/earnings").object(); after["paidOut"] != 22800.0 {
		t.Errorf("after another payout: %v", after)
	}
	d.buyer.get("/earnings").refused(http.StatusForbidden, market.CodeForbidden)
	d.admin.get("/earnings").refused(http.StatusForbidden, market.CodeForbidden)
}

func TestTrackingNumberIsCorrected(t *testing.T) {
	for name, engine := range map[string]func(*testing.T) func(testing.TB) market.Store{
		"SQLite":  func(*testing.T) func(testing.TB) market.Store { return embedded },
		"MongoDB": mongoEngine,
	} {
		t.Run(name, func(t *testing.T) {
			d := newOrdersEnv(t, func(s *setup) { s.engine = engine(t) })
			id := d.paid(d.seller, d.buyer)
			for _, tracking := range []string{"RR 1", "RR 2"} {
				d.seller.fulfils(id, fields{"action": "send", "carrier": "Post", "tracking": tracking}).count("modifiedCount", 1)
				for _, side := range []*person{d.buyer, d.seller, d.admin} {
					if f, _ := side.order(id)["fulfilment"].(map[string]any); f["tracking"] != tracking || f["state"] != "sent" {
						t.Errorf("%s reads %v, want %s", side.user.Name, f, tracking)
					}
				}
			}
			d.rival.fulfils(id, fields{"action": "send", "carrier": "Post", "tracking": "RR 3"}).is(http.StatusForbidden)
		})
	}
}

func TestFulfilmentErrors(t *testing.T) {
	d := newOrdersEnv(t)
	id := d.paid(d.seller, d.buyer)
	d.seller.fulfils(id, fields{"action": "send"}).invalid("carrier", "tracking")
	d.seller.fulfils(id, fields{"action": "send", "carrier": strings.Repeat("a", 121), "tracking": "1"}).invalid("carrier")
	d.seller.fulfils(id, fields{"action": "handed"}).invalid("code")
	d.buyer.fulfils(id, fields{"action": "problem"}).invalid("reason")
	d.buyer.fulfils(id, fields{"action": "lost"}).invalid("action")
	d.buyer.fulfils(id, fields{}).invalid("action")
	d.admin.fulfils(id, fields{"action": "settle", "outcome": "keep"}).invalid("outcome", "reason")
	d.buyer.fulfils("nowhere", fields{"action": "received"}).is(http.StatusNotFound)
	d.seller.fulfils(id, fields{"action": "send", "carrier": "Post", "tracking": "RR 1"}).count("modifiedCount", 1)
	d.seller.fulfils(id, fields{"action": "send", "carrier": "Post", "tracking": "RR 1"}).is(http.StatusConflict)
	d.seller.fulfils(id, fields{"action": "send", "carrier": "Post", "tracking": "RR 2"}).count("modifiedCount", 1)
	d.buyer.fulfils(id, fields{"action": "problem", "reason": "It is broken."}).count("modifiedCount", 1)
	d.buyer.fulfils(id, fields{"action": "problem", "reason": "It is broken."}).count("modifiedCount", 0)
	d.buyer.fulfils(id, fields{"action": "received"}).is(http.StatusConflict)
	d.seller.fulfils(id, fields{"action": "send", "carrier": "Post", "tracking": "RR 3"}).is(http.StatusConflict)
	d.admin.fulfils(id, fields{"action": "settle", "outcome": "release", "reason": "It works."}).count("modifiedCount", 1)
	d.buyer.fulfils(id, fields{"action": "problem", "reason": "It is broken."}).is(http.StatusConflict)
}
