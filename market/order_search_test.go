package market_test

import (
	"slices"
	"strings"
	"testing"

	"secondring/market"
)

func TestOrdersAreFoundByAText(t *testing.T) {
	e := newEnv(t)
	admin := e.admin()
	for id, b := range map[string]market.Booking{
		"b1": {UserName: "Maya  Patel", Email: "Maya@x.example", Intent: "pi_1", Seller: &market.Contact{Name: "Nusrat Jahan", Email: "nusrat@x.example"}},
		"b2": {UserName: "Émile O'Neil", Email: "emile@x.example", Intent: "pi_12", Seller: &market.Contact{Name: "Tanvir Patel", Email: "t+1@x.example"}},
		"b3": {UserName: "A Bé " + strings.Repeat("é", 40), Email: "long@x.example"},
	} {
		b.ID, b.BuyerUID, b.Version, b.Status = id, id, 1, market.BookingHeld
		e.must(e.store.AddBooking(e.ctx, b, 1, nil))
	}
	for q, want := range map[string]string{
		"":                                "b3 b2 b1",
		"  ":                              "b3 b2 b1",
		"b1":                              "b1",
		"b":                               "b3", // the beginning of a name, not of an ID
		"pi_1":                            "b1",
		"pi_":                             "",
		" MAYA@x.example ":                "b1",
		"maya@x":                          "",
		"t+1@x.example":                   "b2",
		"maya":                            "b1",
		"MAY":                             "b1",
		"aya":                             "",
		"maya p":                          "b1",
		"maya jahan":                      "",
		"jah":                             "b1",
		"patel":                           "b2 b1",
		"pat":                             "b2 b1",
		"emile o'n":                       "b2",
		"a bé " + strings.Repeat("e", 40): "b3",
		"@":                               "",
		"%":                               "",
	} {
		list, err := e.Orders(e.ctx, admin, market.OrderQuery{Text: q}, market.Page{Limit: 10})
		e.must(err)
		var got []string
		for _, order := range list.Items {
			got = append(got, order.ID)
		}
		if strings.Join(got, " ") != want || list.Total != len(got) {
			t.Errorf("%q finds %v of %d, want %q", q, got, list.Total, want)
		}
	}
	terms := market.Booking{UserName: strings.Repeat("abcdefghij ", 10)}.Terms()
	if n := len(slices.Compact(slices.Sorted(slices.Values(terms)))); n != len(terms) || n > 6*30 {
		t.Errorf("a long name has %d terms", len(terms))
	}
}

func TestTabsFollowAnOrder(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	admin := e.admin()
	check := func(when, want string) {
		t.Helper()
		var in []string
		for _, tab := range []market.OrderTab{market.TabProblem, market.TabPayout, market.TabLate} {
			list, err := e.Orders(e.ctx, admin, market.OrderQuery{Tab: string(tab)}, market.Page{Limit: 10})
			e.must(err)
			if list.Total == 1 {
				in = append(in, string(tab))
			}
		}
		view := e.ViewForAdmin(e.storedBooking(b))
		if got := strings.Join(in, " "); got != want || len(view.Tabs) != len(in) {
			t.Errorf("%s the order is in the tabs %q and shown in %v, want %q", when, got, view.Tabs, want)
		}
		if side := e.storedBooking(b).View(); side.Tabs != nil {
			t.Errorf("%s the buyer sees the tabs %v", when, side.Tabs)
		}
	}
	check("paid", "")
	e.pass(60 * hour)
	check("not sent in half of the time", "late")
	e.fulfil(buyer, b, market.FulfilmentRequest{Action: "wait"})
	check("given more time", "")
	e.fulfil(seller, b, sent)
	check("sent", "")
	e.pass(168 * hour)
	check("not received in time", "late")
	e.fulfil(buyer, b, received)
	check("received", "")
	e.fulfil(buyer, b, problem)
	check("with a problem", "problem")
	e.pass(7 * day)
	check("not decided in time", "problem late")
	e.fulfil(admin, b, release)
	check("released", "payout")
	_, err := e.PayOut(e.ctx, admin, b.ID, "transfer 1", nil)
	e.must(err)
	check("paid out", "")
	_, err = e.Orders(e.ctx, admin, market.OrderQuery{Tab: "late "}, market.Page{Limit: 10})
	e.wantInvalid(err, "tab")
}

func TestDisputedOrderIsNotLate(t *testing.T) {
	e, _, _, _, b := paidOrder(t)
	e.pass(60 * hour)
	intent := e.storedBooking(b).Intent
	e.bank.Change(intent, func(in *market.Intent) { in.Dispute, in.DisputedAt = market.DisputeOpen, e.clock.Now() })
	e.must(e.ApplyPayment(e.ctx, intent))
	if tabs := e.storedBooking(b).Tabs(); tabs != nil {
		t.Errorf("the disputed order is in %v", tabs)
	}
}

func TestUnpaidOrderNamesItsSellerToAdminsOnly(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	p := e.phone(seller)
	b := e.mustBook(buyer, p)
	want := market.OrderSellerView{Name: seller.User.Name, Email: seller.User.Email, Phone: p.Phone, Location: p.Location}
	if got := e.ViewFor(e.admin(), e.storedBooking(b)).Seller; got == nil || *got != want {
		t.Errorf("an admin sees the seller %+v, want %+v", got, want)
	}
	for _, side := range []market.Actor{buyer, seller} {
		if got := e.ViewFor(side, e.storedBooking(b)).Seller; got != nil {
			t.Errorf("before the payment a side sees the seller %+v", got)
		}
	}
	e.must(e.cancelAsBuyer(b))
	e.must(e.deleteAccount(buyer))
	if got := e.ViewForAdmin(e.storedBooking(b)); got.UserName != "" || got.Seller == nil {
		t.Errorf("without its buyer the order is %+v", got)
	}
	e.must(e.deleteAccount(seller))
	if got := e.storedBooking(b); got.Seller != nil {
		t.Errorf("the order of a deleted seller has %+v", got.Seller)
	}
}
