package apitest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

func withStripePayouts(s *setup) { s.rules.Payouts = market.PayoutsStripe }

// onboards completes the setup of a seller's payout account, as their browser does.
func (d *ordersEnv) onboards(seller *person) {
	d.t.Helper()
	var link struct{ URL string }
	seller.do(http.MethodPost, "/payouts/onboarding", nil).is(http.StatusOK).into(&link)
	at, err := url.Parse(link.URL)
	must(d.t, err)
	if !strings.HasPrefix(link.URL, d.server.URL+"/") {
		d.t.Fatalf("the link is %s", link.URL)
	}
	d.send(http.MethodGet, at.RequestURI(), "").is(http.StatusOK)
	form := url.Values{"link": at.Query()["link"], "action": {"complete"}}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.PostForm(link.URL, form)
	must(d.t, err)
	must(d.t, res.Body.Close())
	if res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != d.server.URL+"/dashboard/earnings" {
		d.t.Fatalf("%s %v", res.Status, res.Header)
	}
}

func (p *person) earnings() (v market.EarningsView) {
	p.t.Helper()
	p.get("/earnings").is(http.StatusOK).into(&v)
	return v
}

// wait moves the clock and runs the background jobs.
func (d *ordersEnv) wait(some time.Duration) {
	d.t.Helper()
	d.clock.Pass(some)
	for range 3 {
		d.settle()
		d.clock.Pass(2 * time.Second)
	}
}

func TestSellerIsPaidByTransferAndReturnsARefund(t *testing.T) {
	d := newOrdersEnv(t, withStripePayouts)
	id := d.settled(d.seller, d.buyer)
	d.wait(0)
	v := d.seller.earnings()
	if v.Account != market.AccountNone || v.Payouts != market.PayoutsStripe || v.Lines[0].State != market.EarningDue || v.Waiting != 11400 {
		t.Fatalf("before the setup: %+v", v)
	}
	d.onboards(d.seller)
	d.wait(0) // the webhook reports the change
	v = d.seller.earnings()
	if v.Account != market.AccountReady || v.Lines[0].State != market.EarningPaidOut || v.PaidOut != 11400 || !strings.HasPrefix(v.Lines[0].Reference, "tr_") {
		t.Fatalf("after the setup: %+v", v)
	}
	d.admin.paysOut(id, fields{"reference": "by hand"}).refused(http.StatusConflict, market.CodeClosed)

	d.admin.refunds(id, fields{"reason": "It was stolen."}).count("modifiedCount", 1)
	d.wait(time.Second)
	v = d.seller.earnings()
	if v.Lines[0].State != market.EarningRefunded || v.PaidOut != 0 || v.Waiting != 0 {
		t.Fatalf("after the refund: %+v", v)
	}
	orders := d.admin.get("/orders?payout=debt").is(http.StatusOK)
	if strings.Contains(string(orders.body), id) {
		t.Errorf("the order is a debt: %s", orders.body)
	}
}

func TestSpentTransferIsADebtUntilItIsReversed(t *testing.T) {
	d := newOrdersEnv(t, withStripePayouts)
	d.onboards(d.seller)
	id := d.settled(d.seller, d.buyer)
	d.wait(0)
	account := d.user(d.seller).PayoutAccount.ID
	d.send(http.MethodPost, "/sandbox/stripe/v1/payouts", url.Values{"amount": {"1000"}, "currency": {"usd"}}.Encode(),
		header("Content-Type", "application/x-www-form-urlencoded"), header("Authorization", "Bearer "+bankSecret),
		header("Stripe-Account", account)).is(http.StatusOK)
	d.admin.refunds(id, fields{"reason": "It was stolen."}).count("modifiedCount", 1)
	d.wait(time.Second)
	if v := d.seller.earnings(); v.Lines[0].State != market.EarningDebt || v.Waiting != -11400 {
		t.Fatalf("%+v", v)
	}
	if orders := d.admin.get("/orders?payout=debt").is(http.StatusOK); !strings.Contains(string(orders.body), id) {
		t.Errorf("the admin does not see the debt: %s", orders.body)
	}
	d.settled(d.seller, d.buyer) // the next sale covers the debt
	d.wait(0)
	d.wait(2 * time.Minute)
	if v := d.seller.earnings(); v.Waiting != 0 || v.PaidOut != 11400 || v.Lines[1].State != market.EarningRefunded {
		t.Fatalf("%+v", v)
	}
}

// user returns a person's stored user.
func (d *ordersEnv) user(p *person) market.User {
	d.t.Helper()
	u, err := d.store.User(d.t.Context(), p.user.UID)
	must(d.t, err)
	return u
}

func TestOthersDoNotSeeThePayoutAccount(t *testing.T) {
	d := newOrdersEnv(t, withStripePayouts)
	d.buyer.do(http.MethodPost, "/payouts/onboarding", nil).refused(http.StatusForbidden, market.CodeForbidden)
	d.admin.do(http.MethodPost, "/payouts/onboarding", nil).refused(http.StatusForbidden, market.CodeForbidden)
	d.onboards(d.seller)
	d.wait(0)
	account := d.user(d.seller).PayoutAccount.ID
	for who, paths := range map[*person][]string{
		d.admin: {"/sellers", "/orders"}, d.buyer: {"/products/advertised"}, d.seller: {"/sellers/" + d.seller.user.Email},
	} {
		for _, path := range paths {
			if got := who.get(path); strings.Contains(string(got.body), account) {
				t.Errorf("%s tells the account: %s", path, got.body)
			}
		}
	}
	d.bank.cut.Store(true)
	d.rival.do(http.MethodPost, "/payouts/onboarding", nil).refused(http.StatusServiceUnavailable, market.CodeUnavailable)
	if v := d.rival.earnings(); v.Account != market.AccountNone {
		t.Errorf("%+v", v)
	}
}
