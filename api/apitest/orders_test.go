package apitest_test

import (
	"fmt"
	"net/http"
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
	admin, buyer, otherBuyer, seller, otherSeller *person
	brand                                         market.Brand
}

func newOrdersEnv(t *testing.T, change ...func(*setup)) *ordersEnv {
	t.Helper()
	e := newEnv(t, change...)
	return &ordersEnv{
		env: e, admin: e.admin("Ada"), buyer: e.buyer("Bob"), otherBuyer: e.buyer("Olga"),
		seller: e.seller("Sue"), otherSeller: e.seller("Sam"), brand: e.brand("Nokia"),
	}
}

// paidOrder returns a new paid order of a phone for $120.
func (e *ordersEnv) paidOrder(seller, buyer *person) string {
	e.t.Helper()
	id := buyer.book(seller.addPhone(e.brand))
	secret := buyer.createIntent(id)
	e.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
	buyer.postPayment(buyer.paymentFields(id, secret)).insertedID()
	return id
}

func (p *person) putFulfilment(id string, body fields) response {
	p.t.Helper()
	return p.do(http.MethodPut, "/bookings/"+id+"/fulfilment", body)
}

// settledOrder returns a new order whose buyer has the phone: the seller's money is due.
func (e *ordersEnv) settledOrder(seller, buyer *person) string {
	e.t.Helper()
	id := e.paidOrder(seller, buyer)
	buyer.putFulfilment(id, fields{"action": "received"}).wantCount("modifiedCount", 1)
	e.runDueWork()
	return id
}

func (p *person) postRefund(id string, body fields) response {
	p.t.Helper()
	return p.do(http.MethodPost, "/orders/"+id+"/refund", body)
}

// makeRefunds runs the background jobs until a decided refund is made.
func (e *ordersEnv) makeRefunds() {
	e.t.Helper()
	e.runDueWork()
	e.clock.Pass(2 * time.Second)
	e.runDueWork()
}

func (p *person) putPayout(id string, body fields) response {
	p.t.Helper()
	return p.do(http.MethodPut, "/orders/"+id+"/payout", body)
}

// debt returns a new refunded order whose seller was paid out.
func (e *ordersEnv) debt(seller, buyer *person) string {
	e.t.Helper()
	id := e.settledOrder(seller, buyer)
	e.admin.putPayout(id, fields{"reference": "transfer 2"}).wantCount("modifiedCount", 1)
	e.admin.postRefund(id, fields{"reason": "It was stolen."}).wantCount("modifiedCount", 1)
	e.makeRefunds()
	return id
}

// orderInList returns an order as the list of orders shows it.
func (e *ordersEnv) orderInList(id string) market.BookingView {
	e.t.Helper()
	var all []market.BookingView
	e.admin.get("/orders").wantStatus(http.StatusOK).decode(&all)
	for _, order := range all {
		if order.ID == id {
			return order
		}
	}
	e.t.Fatalf("the list does not contain the order %s", id)
	return market.BookingView{}
}

func TestOrdersAreFiltered(t *testing.T) {
	e := newOrdersEnv(t)
	due := e.settledOrder(e.seller, e.buyer)
	paidOut := e.settledOrder(e.seller, e.otherBuyer)
	e.admin.putPayout(paidOut, fields{"reference": "transfer 1"}).wantCount("modifiedCount", 1)
	debt := e.debt(e.otherSeller, e.buyer)
	waiting := e.paidOrder(e.otherSeller, e.otherBuyer)
	held := e.buyer.book(e.seller.addPhone(e.brand))
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"", []string{held, waiting, debt, paidOut, due}},
		{"payout=due", []string{due}},
		{"payout=paidOut", []string{paidOut}},
		{"payout=debt", []string{debt}},
		{"payout=debt&status=refunded&state=settled", []string{debt}},
		{"payout=due&seller=" + e.otherSeller.user.Email, nil},
		{"state=waiting", []string{waiting}},
		{"status=held", []string{held}},
		{"seller=" + strings.ToUpper(e.otherSeller.user.Email), []string{waiting, debt}},
		{"seller=" + e.otherSeller.user.UID, []string{waiting, debt}},
		{"seller=" + e.seller.user.Email + "&buyer=" + e.otherBuyer.user.Email, []string{paidOut}},
		{"buyer=nobody@phones.example", nil},
		{"tab=payout", []string{due}},
		{"tab=problem", nil},
		{"tab=late&seller=" + e.seller.user.UID, nil},
		{"q=OL", []string{waiting, paidOut}},
		{"q=sa&state=waiting", []string{waiting}},
		{"q=%20" + e.seller.user.Email + "&tab=payout", []string{due}},
		{"q=" + held, []string{held}},
		{"q=" + held[:20], nil},
		{"q=", []string{held, waiting, debt, paidOut, due}},
	} {
		if got := e.admin.get("/orders?" + c.query).ids(); !slices.Equal(got, c.want) {
			t.Errorf("the query %q returns %v, want %v", c.query, got, c.want)
		}
	}
	transaction := fmt.Sprint(e.admin.get("/orders").product(due)["transactionId"])
	if got := e.admin.get("/orders?q=" + transaction).ids(); !slices.Equal(got, []string{due}) {
		t.Errorf("the transaction %s returns %v, want %s", transaction, got, due)
	}
	if seller := e.orderInList(held).Seller; seller == nil || seller.Name != "Sue" || seller.Email != e.seller.user.Email {
		t.Errorf("the seller of an unpaid order is %+v", seller)
	}
	e.admin.get("/orders?payout=waiting&state=lost&status=gone&tab=all").wantInvalid("payout", "state", "status", "tab")
	e.admin.get("/orders?limit=0").wantStatus(http.StatusBadRequest)
	e.admin.get("/orders?cursor=forged").wantStatus(http.StatusBadRequest)
	e.seller.get("/orders?payout=gone").wantError(http.StatusForbidden, market.CodeForbidden)
}

func TestOrdersArePagedWithTheirFilter(t *testing.T) {
	e := newOrdersEnv(t)
	var want []string
	for range 3 {
		want = append([]string{e.settledOrder(e.seller, e.buyer)}, want...)
	}
	e.paidOrder(e.seller, e.buyer)
	var got []string
	for next := "/orders?limit=2&payout=due"; next != ""; {
		page := e.admin.get(next)
		if total := page.Header.Get("X-Total-Count"); total != "3" {
			t.Errorf("%s: X-Total-Count is %s, want 3", next, total)
		}
		got = append(got, page.ids()...)
		if next = page.nextPage(); next != "" && !strings.Contains(next, "payout=due") {
			t.Fatalf("the next page is %s, want the filter in it", next)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the pages have %v, want %v", got, want)
	}
}

// GET /orders lists the bookings that are not paid too.
func TestAdminsSeeEachBookingLive(t *testing.T) {
	e := newOrdersEnv(t)
	phone := e.seller.addPhone(e.brand)
	e.runDueWork()
	socket := e.admin.connect(t)
	socket.subscribe(e.admin.get("/orders"))
	id := e.buyer.book(phone)
	e.runDueWork()
	if got := socket.readEvents(1)[0]; got.Type != market.TypeOrderChanged || !reflect.DeepEqual(got.Data, e.admin.get("/orders").product(id)) {
		t.Errorf("after a booking the admin gets %s %v", got.Type, got.Data)
	}
}

func TestAdminsSeeTheMoneyOfOrders(t *testing.T) {
	e := newOrdersEnv(t)
	id := e.paidOrder(e.seller, e.buyer)
	socket := e.admin.connect(t)
	socket.subscribe(e.admin.get("/orders"))
	check := func(when string, money market.MoneyView, payout market.PayoutView) {
		t.Helper()
		listed := e.orderInList(id)
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
		e.admin.get("/booking/" + id).decode(&one)
		if !reflect.DeepEqual(one, listed) {
			t.Errorf("%s: the order is %+v, and %+v in the list", when, one, listed)
		}
	}
	check("paid", market.MoneyView{Charged: 12000, Waiting: 12000}, market.PayoutView{})
	e.buyer.putFulfilment(id, fields{"action": "received"}).wantCount("modifiedCount", 1)
	e.runDueWork()
	check("settled", market.MoneyView{Charged: 12000, Commission: 600, Waiting: 11400}, market.PayoutView{State: "due", Cents: 11400})
	e.admin.putPayout(id, fields{"reference": "transfer 1"}).wantCount("modifiedCount", 1)
	check("paid out", market.MoneyView{Charged: 12000, Commission: 600, PaidOut: 11400},
		market.PayoutView{State: "paidOut", Cents: 11400, Reference: "transfer 1"})
	e.admin.postRefund(id, fields{"reason": "It was stolen."}).wantCount("modifiedCount", 1)
	check("before the refund is made", market.MoneyView{Charged: 12000, PaidOut: 11400, Waiting: 600},
		market.PayoutView{State: "paidOut", Cents: 11400, Reference: "transfer 1"})
	e.makeRefunds()
	check("refunded", market.MoneyView{Charged: 12000, Refunded: 12000, PaidOut: 11400, Waiting: -11400},
		market.PayoutView{State: "debt", Cents: 11400, Reference: "transfer 1"})

	inList := e.admin.get("/orders").product(id)
	socket.readUntil(func(f frame) bool {
		if len(f.Events) == 0 {
			return false
		}
		last := f.Events[len(f.Events)-1]
		return last.Type == market.TypeOrderChanged && reflect.DeepEqual(last.Data, inList)
	})
	for _, side := range []*person{e.buyer, e.seller} {
		if order := side.getBooking(id); order["money"] != nil || order["payout"] != nil {
			t.Errorf("the order of %s contains the money or the payout: %v", side.user.Name, order)
		}
	}
}

func TestRefundIsMadeOnce(t *testing.T) {
	e := newOrdersEnv(t)
	id := e.settledOrder(e.seller, e.buyer)
	e.admin.postRefund("nowhere", fields{"reason": "r"}).wantStatus(http.StatusNotFound)
	e.admin.postRefund(id, fields{}).wantInvalid("reason")
	e.admin.postRefund(id, fields{"reason": "  "}).wantInvalid("reason")
	e.admin.postRefund(id, fields{"reason": strings.Repeat("a", 1001)}).wantInvalid("reason")
	e.admin.postRefund(id, fields{"reason": 7}).wantInvalid("reason")
	e.admin.do(http.MethodPost, "/orders/"+id+"/refund", "{").wantStatus(http.StatusBadRequest)
	e.seller.postRefund(id, fields{"reason": "r"}).wantError(http.StatusForbidden, market.CodeForbidden)
	e.admin.postRefund(id, fields{"reason": "It was stolen."}).wantCount("modifiedCount", 1)
	for range 2 {
		got := e.admin.postRefund(id, fields{"reason": "Again."}).wantStatus(http.StatusConflict)
		if !strings.Contains(string(got.body), "refunded already") && !strings.Contains(string(got.body), "not paid") {
			t.Errorf("the second refund has the error %s", got.body)
		}
		e.makeRefunds()
	}
	entries, err := e.store.LedgerOfOrder(t.Context(), id)
	must(t, err)
	if got := market.BalanceOf(entries); got != (market.Balance{Charged: 12000, Refunded: 12000}) {
		t.Errorf("the balance is %+v, want one charge and one refund", got)
	}
	for _, side := range []*person{e.buyer, e.seller} {
		if f, _ := side.getBooking(id)["fulfilment"].(map[string]any); f["reason"] != "It was stolen." {
			t.Errorf("the order of %s has the fulfilment %v, want the reason of the refund", side.user.Name, f)
		}
	}
	held := e.buyer.book(e.seller.addPhone(e.brand))
	e.admin.postRefund(held, fields{"reason": "r"}).wantStatus(http.StatusConflict)
}

func TestPayoutIsMarkedOnce(t *testing.T) {
	e := newOrdersEnv(t)
	unsettled, id := e.paidOrder(e.seller, e.buyer), e.settledOrder(e.seller, e.buyer)
	reference := fields{"reference": "transfer 1"}
	e.admin.putPayout(unsettled, reference).wantError(http.StatusConflict, market.CodeConflict)
	e.admin.putPayout("nowhere", reference).wantStatus(http.StatusNotFound)
	e.admin.putPayout(id, fields{}).wantInvalid("reference")
	e.admin.putPayout(id, fields{"reference": strings.Repeat("a", 121)}).wantInvalid("reference")
	e.admin.putPayout(id, fields{"reference": true}).wantInvalid("reference")
	e.seller.putPayout(id, reference).wantError(http.StatusForbidden, market.CodeForbidden)
	e.admin.putPayout(id, reference).wantCount("modifiedCount", 1)
	e.admin.putPayout(id, reference).wantCount("modifiedCount", 0)
	got := e.admin.putPayout(id, fields{"reference": "transfer 2"}).wantStatus(http.StatusConflict)
	if !strings.Contains(string(got.body), "with the reference transfer 1") {
		t.Errorf("with another reference the error is %s", got.body)
	}
	entries, err := e.store.LedgerOfOrder(t.Context(), id)
	must(t, err)
	if paid := market.BalanceOf(entries).PaidOut; paid != 11400 {
		t.Errorf("%d cents are paid out, want 11400", paid)
	}
	e.seller.wantNotified("paid", "/dashboard/earnings")
}

func TestPayoutsAreRefusedUnlessManual(t *testing.T) {
	e := newOrdersEnv(t, func(s *setup) { s.rules.Payouts = market.PayoutsOff })
	id := e.settledOrder(e.seller, e.buyer)
	e.admin.putPayout(id, fields{"reference": "transfer 1"}).wantStatus(http.StatusConflict)
	if got := e.seller.get("/earnings").object()["payouts"]; got != market.PayoutsOff {
		t.Errorf("payouts is %v, want off", got)
	}
}

func TestEarnings(t *testing.T) {
	e := newOrdersEnv(t)
	if got := string(e.otherSeller.get("/earnings").wantStatus(http.StatusOK).body); !strings.Contains(got, `"lines":[]`) {
		t.Errorf("without a sale the earnings are %s", got)
	}
	waiting, due, paidOut := e.paidOrder(e.seller, e.buyer), e.settledOrder(e.seller, e.buyer), e.settledOrder(e.seller, e.otherBuyer)
	e.admin.putPayout(paidOut, fields{"reference": "transfer 1"}).wantCount("modifiedCount", 1)
	refunded := e.paidOrder(e.seller, e.otherBuyer)
	e.admin.putFulfilment(refunded, fields{"action": "settle", "outcome": "refund", "reason": "It never came."}).wantCount("modifiedCount", 1)
	e.makeRefunds()
	var got market.EarningsView
	e.seller.get("/earnings").wantStatus(http.StatusOK).decode(&got)
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
	first := e.seller.get("/earnings?limit=3").wantStatus(http.StatusOK)
	link, _, _ := strings.Cut(strings.TrimPrefix(first.Header.Get("Link"), "<"), ">")
	var rest market.EarningsView
	e.seller.get(link).wantStatus(http.StatusOK).decode(&rest)
	if first.Header.Get("X-Total-Count") != "4" || !reflect.DeepEqual(rest.Lines, got.Lines[3:]) || rest.Earned != got.Earned {
		t.Errorf("after %q the earnings are %+v", link, rest)
	}
	socket := e.seller.connect(t)
	socket.subscribe(e.seller.get("/earnings"))
	e.admin.putPayout(due, fields{"reference": "transfer 2"}).wantCount("modifiedCount", 1)
	e.runDueWork()
	socket.readUntil(func(f frame) bool {
		return slices.ContainsFunc(f.Events, func(e event) bool {
			return e.Type == market.TypeBookingChanged && e.Data["_id"] == due
		})
	})
	if after := e.seller.get("/earnings").object(); after["paidOut"] != 22800.0 {
		t.Errorf("after another payout the earnings are %v, want paidOut 22800", after)
	}
	e.buyer.get("/earnings").wantError(http.StatusForbidden, market.CodeForbidden)
	e.admin.get("/earnings").wantError(http.StatusForbidden, market.CodeForbidden)
}

func TestTrackingNumberIsCorrected(t *testing.T) {
	for name, engine := range map[string]func(*testing.T) func(testing.TB) market.Store{
		"SQLite":  func(*testing.T) func(testing.TB) market.Store { return openSQLite },
		"MongoDB": mongoEngine,
	} {
		t.Run(name, func(t *testing.T) {
			e := newOrdersEnv(t, func(s *setup) { s.engine = engine(t) })
			id := e.paidOrder(e.seller, e.buyer)
			for _, tracking := range []string{"RR 1", "RR 2"} {
				e.seller.putFulfilment(id, fields{"action": "send", "carrier": "Post", "tracking": tracking}).wantCount("modifiedCount", 1)
				for _, side := range []*person{e.buyer, e.seller, e.admin} {
					if f, _ := side.getBooking(id)["fulfilment"].(map[string]any); f["tracking"] != tracking || f["state"] != "sent" {
						t.Errorf("the order of %s has the fulfilment %v, want the tracking number %s", side.user.Name, f, tracking)
					}
				}
			}
			e.otherSeller.putFulfilment(id, fields{"action": "send", "carrier": "Post", "tracking": "RR 3"}).wantStatus(http.StatusForbidden)
		})
	}
}

func TestFulfilmentErrors(t *testing.T) {
	e := newOrdersEnv(t)
	id := e.paidOrder(e.seller, e.buyer)
	e.seller.putFulfilment(id, fields{"action": "send"}).wantInvalid("carrier", "tracking")
	e.seller.putFulfilment(id, fields{"action": "send", "carrier": strings.Repeat("a", 121), "tracking": "1"}).wantInvalid("carrier")
	e.seller.putFulfilment(id, fields{"action": "send", "carrier": "pay again at https://evil.example", "tracking": "evil.example/1"}).wantInvalid("carrier", "tracking")
	e.seller.putFulfilment(id, fields{"action": "handed"}).wantInvalid("code")
	e.buyer.putFulfilment(id, fields{"action": "problem"}).wantInvalid("reason")
	e.buyer.putFulfilment(id, fields{"action": "lost"}).wantInvalid("action")
	e.buyer.putFulfilment(id, fields{}).wantInvalid("action")
	e.admin.putFulfilment(id, fields{"action": "settle", "outcome": "keep"}).wantInvalid("outcome", "reason")
	e.buyer.putFulfilment("nowhere", fields{"action": "received"}).wantStatus(http.StatusNotFound)
	e.seller.putFulfilment(id, fields{"action": "send", "carrier": "Post", "tracking": "RR 1"}).wantCount("modifiedCount", 1)
	e.seller.putFulfilment(id, fields{"action": "send", "carrier": "Post", "tracking": "RR 1"}).wantStatus(http.StatusConflict)
	e.seller.putFulfilment(id, fields{"action": "send", "carrier": "Post", "tracking": "RR 2"}).wantCount("modifiedCount", 1)
	e.buyer.putFulfilment(id, fields{"action": "problem", "reason": "It is broken."}).wantCount("modifiedCount", 1)
	e.buyer.putFulfilment(id, fields{"action": "problem", "reason": "It is broken."}).wantCount("modifiedCount", 0)
	e.buyer.putFulfilment(id, fields{"action": "received"}).wantStatus(http.StatusConflict)
	e.seller.putFulfilment(id, fields{"action": "send", "carrier": "Post", "tracking": "RR 3"}).wantStatus(http.StatusConflict)
	e.admin.putFulfilment(id, fields{"action": "settle", "outcome": "release", "reason": "It works."}).wantCount("modifiedCount", 1)
	e.buyer.putFulfilment(id, fields{"action": "problem", "reason": "It is broken."}).wantStatus(http.StatusConflict)
}
