package stripe_test

import (
	"net/url"
	"testing"

	"github.com/stripe/stripe-go/v76"
)

func TestFullRefundHappensOnce(t *testing.T) {
	e := newEnv(t)
	i := e.confirmedIntent("pm_card_visa")
	r, err := e.stripe.Refunds.New(&stripe.RefundParams{
		PaymentIntent: &i.ID, Reason: new("requested_by_customer"), Metadata: map[string]string{"why": "no phone"},
	})
	must(t, err)
	if r.Amount != 12300 || r.Status != "succeeded" || r.Charge.ID != i.LatestCharge.ID || r.PaymentIntent.ID != i.ID ||
		r.Reason != "requested_by_customer" || r.Metadata["why"] != "no phone" || r.Currency != "usd" {
		t.Errorf("refund %+v", r)
	}
	found, err := e.stripe.Refunds.Get(r.ID, nil)
	must(t, err)
	if found.ID != r.ID || found.Amount != r.Amount {
		t.Errorf("the refund is read as %+v", found)
	}
	now := e.getIntent(i.ID)
	if c := now.LatestCharge; !c.Refunded || c.AmountRefunded != 12300 || c.Status != "succeeded" || len(c.Refunds.Data) != 1 || now.Status != "succeeded" {
		t.Errorf("charge %+v", c)
	}
	_, err = e.stripe.Refunds.New(&stripe.RefundParams{PaymentIntent: &i.ID})
	if e := stripeError(t, err); e.HTTPStatusCode != 400 || e.Code != "charge_already_refunded" {
		t.Errorf("a second refund: %+v", e)
	}
	e.step()
	got := e.shop.take()
	if last := got[len(got)-1]; last.Type != "charge.refunded" || last.GetObjectValue("id") != i.LatestCharge.ID ||
		last.GetObjectValue("refunded") != "true" || len(got) != 4 {
		t.Errorf("events %+v", got)
	}
}

func TestPartialRefunds(t *testing.T) {
	e := newEnv(t)
	i := e.confirmedIntent("pm_card_visa")
	refund := func(cents int64) error {
		_, err := e.stripe.Refunds.New(&stripe.RefundParams{Charge: &i.LatestCharge.ID, Amount: &cents})
		return err
	}
	must(t, refund(300))
	must(t, refund(2000))
	if c := e.getIntent(i.ID).LatestCharge; c.Refunded || c.AmountRefunded != 2300 || c.Refunds.Data[0].Amount != 2000 {
		t.Errorf("charge %+v", c)
	}
	if e := stripeError(t, refund(10001)); e.HTTPStatusCode != 400 || e.Param != "amount" || e.Code == "charge_already_refunded" {
		t.Errorf("a refund of more than the rest: %+v", e)
	}
	must(t, refund(10000))
	if c := e.getIntent(i.ID).LatestCharge; !c.Refunded || c.AmountRefunded != 12300 {
		t.Errorf("charge %+v", c)
	}
}

func TestRefundRefusals(t *testing.T) {
	e := newEnv(t)
	open, declined, processing, paid := e.intent(), e.intent(), e.confirmedIntent("pm_usBankAccount_processing"), e.confirmedIntent("pm_card_visa")
	e.confirm(declined, "pm_card_chargeDeclined")
	for name, c := range map[string]struct {
		form   url.Values
		status int
		code   string
	}{
		"not paid":       {url.Values{"payment_intent": {open.ID}}, 400, "payment_intent_unexpected_state"},
		"declined":       {url.Values{"payment_intent": {declined.ID}}, 400, "payment_intent_unexpected_state"},
		"processing":     {url.Values{"payment_intent": {processing.ID}}, 400, "payment_intent_unexpected_state"},
		"no such intent": {url.Values{"payment_intent": {"pi_nothing"}}, 404, "resource_missing"},
		"no such charge": {url.Values{"charge": {"ch_nothing"}}, 404, "resource_missing"},
		"unknown charge": {url.Values{"charge": {paid.LatestCharge.ID + "0"}}, 404, "resource_missing"},
		"other's charge": {url.Values{"payment_intent": {open.ID}, "charge": {paid.LatestCharge.ID}}, 404, "resource_missing"},
		"no parameters":  {url.Values{}, 400, "parameter_missing"},
		"zero":           {url.Values{"payment_intent": {paid.ID}, "amount": {"0"}}, 400, "parameter_invalid_integer"},
		"negative":       {url.Values{"payment_intent": {paid.ID}, "amount": {"-100"}}, 400, "parameter_invalid_integer"},
	} {
		if a := e.send("POST", "/v1/refunds", secretKey, c.form); a.status != c.status || a.Code != c.code {
			t.Errorf("%s: the response is %d %s, want %d %q", name, a.status, a.body, c.status, c.code)
		}
	}
	if c := e.getIntent(paid.ID).LatestCharge; c.AmountRefunded != 0 {
		t.Errorf("refunded %d", c.AmountRefunded)
	}
	for _, path := range []string{"/v1/refunds/re_nothing", "/v1/charges/ch_nothing", "/v1/charges/" + paid.ID, "/v1/payment_intents/pi_nothing"} {
		if a := e.send("GET", path, secretKey, nil); a.status != 404 || a.Code != "resource_missing" {
			t.Errorf("%s: the response is %d %s, want 404", path, a.status, a.body)
		}
	}
}
