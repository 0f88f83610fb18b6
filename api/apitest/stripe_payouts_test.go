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

// onboard completes the setup of a seller's payout account, as their browser does.
func (e *ordersEnv) onboard(seller *person) {
	e.t.Helper()
	var link struct{ URL string }
	seller.do(http.MethodPost, "/payouts/onboarding", nil).wantStatus(http.StatusOK).decode(&link)
	at, err := url.Parse(link.URL)
	must(e.t, err)
	if !strings.HasPrefix(link.URL, e.server.URL+"/") {
		e.t.Fatalf("the link is %s", link.URL)
	}
	e.send(http.MethodGet, at.RequestURI(), "").wantStatus(http.StatusOK)
	form := url.Values{"link": at.Query()["link"], "action": {"complete"}}
	res, err := plainClient.PostForm(link.URL, form)
	must(e.t, err)
	must(e.t, res.Body.Close())
	if res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != e.server.URL+"/dashboard/earnings" {
		e.t.Fatalf("status %s with the headers %v, want a redirect to the earnings", res.Status, res.Header)
	}
}

func (p *person) earnings() (v market.EarningsView) {
	p.t.Helper()
	p.get("/earnings").wantStatus(http.StatusOK).decode(&v)
	return v
}

// advance moves the clock and runs the background jobs.
func (e *ordersEnv) advance(by time.Duration) {
	e.t.Helper()
	e.clock.Pass(by)
	for range 3 {
		e.runDueWork()
		e.clock.Pass(2 * time.Second)
	}
}

func TestSellerIsPaidByTransferAndReturnsARefund(t *testing.T) {
	e := newOrdersEnv(t, withStripePayouts)
	id := e.settledOrder(e.seller, e.buyer)
	e.advance(0)
	v := e.seller.earnings()
	if v.Account != market.AccountNone || v.Payouts != market.PayoutsStripe || v.Lines[0].State != market.EarningDue || v.Waiting != 11400 {
		t.Fatalf("before the setup: %+v", v)
	}
	e.onboard(e.seller)
	e.advance(0) // the webhook reports the change
	v = e.seller.earnings()
	if v.Account != market.AccountReady || v.Lines[0].State != market.EarningPaidOut || v.PaidOut != 11400 || !strings.HasPrefix(v.Lines[0].Reference, "tr_") {
		t.Fatalf("after the setup: %+v", v)
	}
	e.admin.putPayout(id, fields{"reference": "by hand"}).wantError(http.StatusConflict, market.CodeClosed)

	e.admin.postRefund(id, fields{"reason": "It was stolen."}).wantCount("modifiedCount", 1)
	e.advance(time.Second)
	v = e.seller.earnings()
	if v.Lines[0].State != market.EarningRefunded || v.PaidOut != 0 || v.Waiting != 0 {
		t.Fatalf("after the refund: %+v", v)
	}
	orders := e.admin.get("/orders?payout=debt").wantStatus(http.StatusOK)
	if strings.Contains(string(orders.body), id) {
		t.Errorf("the list of debts contains the order: %s", orders.body)
	}
}

func TestSpentTransferIsADebtUntilItIsReversed(t *testing.T) {
	e := newOrdersEnv(t, withStripePayouts)
	e.onboard(e.seller)
	id := e.settledOrder(e.seller, e.buyer)
	e.advance(0)
	account := e.user(e.seller).PayoutAccount.ID
	e.send(http.MethodPost, "/sandbox/stripe/v1/payouts", url.Values{"amount": {"1000"}, "currency": {"usd"}}.Encode(),
		header("Content-Type", "application/x-www-form-urlencoded"), header("Authorization", "Bearer "+stripeSecretKey),
		header("Stripe-Account", account)).wantStatus(http.StatusOK)
	e.admin.postRefund(id, fields{"reason": "It was stolen."}).wantCount("modifiedCount", 1)
	e.advance(time.Second)
	if v := e.seller.earnings(); v.Lines[0].State != market.EarningDebt || v.Waiting != -11400 {
		t.Fatalf("the earnings are %+v, want a debt of 11400 cents", v)
	}
	if orders := e.admin.get("/orders?payout=debt").wantStatus(http.StatusOK); !strings.Contains(string(orders.body), id) {
		t.Errorf("the list of debts does not contain the order: %s", orders.body)
	}
	e.settledOrder(e.seller, e.buyer) // the next sale covers the debt
	e.advance(0)
	e.advance(2 * time.Minute)
	if v := e.seller.earnings(); v.Waiting != 0 || v.PaidOut != 11400 || v.Lines[1].State != market.EarningRefunded {
		t.Fatalf("the earnings are %+v, want one paid out and one refunded", v)
	}
}

// user returns a person's stored user.
func (e *ordersEnv) user(p *person) market.User {
	e.t.Helper()
	u, err := e.store.User(e.t.Context(), p.user.UID)
	must(e.t, err)
	return u
}

func TestOthersDoNotSeeThePayoutAccount(t *testing.T) {
	e := newOrdersEnv(t, withStripePayouts)
	e.buyer.do(http.MethodPost, "/payouts/onboarding", nil).wantError(http.StatusForbidden, market.CodeForbidden)
	e.admin.do(http.MethodPost, "/payouts/onboarding", nil).wantError(http.StatusForbidden, market.CodeForbidden)
	e.onboard(e.seller)
	e.advance(0)
	account := e.user(e.seller).PayoutAccount.ID
	for who, paths := range map[*person][]string{
		e.admin: {"/sellers", "/orders"}, e.buyer: {"/products/advertised"}, e.seller: {"/sellers/" + e.seller.user.Email},
	} {
		for _, path := range paths {
			if got := who.get(path); strings.Contains(string(got.body), account) {
				t.Errorf("%s contains the ID of the account: %s", path, got.body)
			}
		}
	}
	e.stripe.offline.Store(true)
	e.otherSeller.do(http.MethodPost, "/payouts/onboarding", nil).wantError(http.StatusServiceUnavailable, market.CodeUnavailable)
	if v := e.otherSeller.earnings(); v.Account != market.AccountNone {
		t.Errorf("the account is %s, want none", v.Account)
	}
}
