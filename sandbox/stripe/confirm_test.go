package stripe_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stripe/stripe-go/v76"
)

func TestIntentIsCreatedAndPaid(t *testing.T) {
	e := newEnv(t)
	i := e.intent()
	if i.Status != stripe.PaymentIntentStatusRequiresPaymentMethod || i.Amount != 12300 || i.Currency != "usd" || i.Livemode ||
		i.ReceiptEmail != "grace@example.com" || i.Description != "Nexus 5" || i.LatestCharge != nil || i.AmountReceived != 0 ||
		i.Created != e.clock.Now().Unix() || !i.AutomaticPaymentMethods.Enabled {
		t.Errorf("the new intent is %+v", i)
	}
	if !strings.HasPrefix(i.ID, "pi_") || !strings.HasPrefix(i.ClientSecret, i.ID+"_secret_") {
		t.Errorf("id %s, secret %s", i.ID, i.ClientSecret)
	}
	if diff := cmp.Diff(map[string]string{"booking": "b1", "product": "p1"}, i.Metadata); diff != "" {
		t.Error(diff)
	}
	a := e.send("POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey, card(i, "4242 4242 4242 4242"))
	if a.status != 200 || a.intent.Status != "succeeded" || a.intent.ID != i.ID {
		t.Fatalf("confirm: %d %s", a.status, a.body)
	}
	if len(a.intent.Metadata) != 0 || a.intent.LatestCharge != nil {
		t.Errorf("the response to the browser has fields for the merchant only: %s", a.body)
	}
	i = e.getIntent(i.ID)
	c := i.LatestCharge
	if i.Status != "succeeded" || i.AmountReceived != 12300 || i.LastPaymentError != nil || i.NextAction != nil {
		t.Errorf("the paid intent is %+v", i)
	}
	if c.Amount != 12300 || c.AmountCaptured != 12300 || !c.Paid || !c.Captured || c.Refunded || c.Disputed || c.Status != "succeeded" ||
		c.PaymentIntent.ID != i.ID || c.ReceiptEmail != "grace@example.com" || c.Metadata["booking"] != "b1" {
		t.Errorf("its charge is %+v", c)
	}
	paidBy := c.PaymentMethodDetails.Card
	if paidBy.Last4 != "4242" || paidBy.Brand != "visa" || paidBy.ExpMonth != 12 || paidBy.ExpYear != 2040 || paidBy.Fingerprint == "" {
		t.Errorf("its card is %+v", paidBy)
	}
	if got := c.BillingDetails.Address.PostalCode; got != "94107" {
		t.Errorf("postal code %q", got)
	}
	got, err := e.stripe.Charges.Get(c.ID, nil)
	must(t, err)
	if got.ID != c.ID || got.Amount != c.Amount {
		t.Errorf("charge %+v", got)
	}
}

func TestTestPaymentMethods(t *testing.T) {
	const generic, funds = "Your card was declined.", "Your card has insufficient funds."
	none := apiError{}
	cardError := func(code, decline, message string) apiError {
		return apiError{Type: "card_error", Code: code, DeclineCode: decline, Message: message}
	}
	for _, c := range []struct {
		name, number string
		status       stripe.PaymentIntentStatus
		want         apiError
	}{
		{"pm_card_visa", "4242424242424242", "succeeded", none},
		{"pm_card_mastercard", "5555555555554444", "succeeded", none},
		{"pm_card_amex", "378282246310005", "succeeded", none},
		{"pm_card_discover", "6011111111111117", "succeeded", none},
		{"pm_card_chargeDeclined", "4000000000000002", "", cardError("card_declined", "generic_decline", generic)},
		{"pm_card_visa_chargeDeclined", "4000000000000002", "", cardError("card_declined", "generic_decline", generic)},
		{"pm_card_chargeDeclinedInsufficientFunds", "4000000000009995", "", cardError("card_declined", "insufficient_funds", funds)},
		{"pm_card_chargeDeclinedLostCard", "4000000000009987", "", cardError("card_declined", "lost_card", generic)},
		{"pm_card_chargeDeclinedStolenCard", "4000000000009979", "", cardError("card_declined", "stolen_card", generic)},
		{"pm_card_chargeDeclinedExpiredCard", "4000000000000069", "", cardError("expired_card", "", "Your card has expired.")},
		{"pm_card_chargeDeclinedIncorrectCvc", "4000000000000127", "", cardError("incorrect_cvc", "", "Your card's security code is incorrect.")},
		{
			"pm_card_chargeDeclinedProcessingError", "4000000000000119", "",
			cardError("processing_error", "", "An error occurred while processing your card. Try again in a little bit."),
		},
		{"pm_card_authenticationRequired", "4000002760003184", "requires_action", none},
		{"pm_card_authenticationRequiredOnSetup", "4000002500003155", "requires_action", none},
		{"pm_card_threeDSecure2Required", "4000000000003220", "requires_action", none},
		{"pm_card_threeDSecureRequiredChargeDeclined", "4000008400001629", "requires_action", none},
		{"pm_card_authenticationRequiredChargeDeclinedInsufficientFunds", "4000008260003178", "requires_action", none},
		{"pm_card_createDispute", "4000000000000259", "succeeded", none},
		{"pm_usBankAccount_processing", "", "processing", none},
		{"pm_usBankAccount_success", "", "processing", none},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEnv(t)
			byName := e.intent()
			e.wantOutcome(t, byName, e.confirm(byName, c.name), c.status, c.want)
			if c.number == "" {
				return
			}
			byNumber := e.intent()
			a := e.send("POST", "/v1/payment_intents/"+byNumber.ID+"/confirm", publishableKey, card(byNumber, c.number))
			e.wantOutcome(t, byNumber, a, c.status, c.want)
		})
	}
}

// wantOutcome checks the response of a confirmation and the intent's state after it.
func (e *env) wantOutcome(t *testing.T, i *stripe.PaymentIntent, a response, status stripe.PaymentIntentStatus, want apiError) {
	t.Helper()
	now := e.getIntent(i.ID)
	if want.Code == "" {
		if a.status != 200 || a.intent.Status != status || now.Status != status {
			t.Fatalf("the response is %d %s, the intent is %s, want %s", a.status, a.body, now.Status, status)
		}
		if (now.NextAction != nil) != (status == "requires_action") {
			t.Errorf("next action %+v", now.NextAction)
		}
		return
	}
	got := a.apiError
	got.Charge, got.Intent, got.Param = "", nil, ""
	if a.status != 402 || got != want {
		t.Fatalf("the response is %d %s, want 402 with %+v", a.status, a.body, want)
	}
	if a.Intent == nil || a.Intent.Status != "requires_payment_method" || a.Charge == "" {
		t.Errorf("the error is %s", a.body)
	}
	last := now.LastPaymentError
	if now.Status != "requires_payment_method" || last == nil || string(last.Code) != want.Code || last.Msg != want.Message ||
		last.ChargeID != now.LatestCharge.ID || last.PaymentMethod == nil || now.PaymentMethod != nil || now.AmountReceived != 0 {
		t.Errorf("the intent is %+v, its last error %+v", now, last)
	}
	if ch := now.LatestCharge; ch.Status != "failed" || ch.Paid || ch.FailureCode != want.Code || ch.AmountCaptured != 0 {
		t.Errorf("the charge is %+v", ch)
	}
	if a := e.confirm(i, "pm_card_visa"); a.intent.Status != "succeeded" {
		t.Errorf("another card after the decline: %s", a.body)
	}
	if now = e.getIntent(i.ID); now.LastPaymentError != nil || now.AmountReceived != 12300 {
		t.Errorf("after another card the intent is %+v", now)
	}
}

func TestUnknownCards(t *testing.T) {
	for name, c := range map[string]struct {
		change url.Values
		code   string
	}{
		"a wrong digit":  {url.Values{"payment_method_data[card][number]": {"4242424242424241"}}, "incorrect_number"},
		"letters":        {url.Values{"payment_method_data[card][number]": {"4242abcd42424242"}}, "invalid_number"},
		"short":          {url.Values{"payment_method_data[card][number]": {"42"}}, "invalid_number"},
		"a real card":    {url.Values{"payment_method_data[card][number]": {"4539578763621486"}}, "card_declined"},
		"month 13":       {url.Values{"payment_method_data[card][exp_month]": {"13"}}, "invalid_expiry_month"},
		"past year":      {url.Values{"payment_method_data[card][exp_year]": {"2020"}}, "invalid_expiry_year"},
		"two-digit year": {url.Values{"payment_method_data[card][exp_year]": {"20"}}, "invalid_expiry_year"},
		"a long CVC":     {url.Values{"payment_method_data[card][cvc]": {"12345"}}, "invalid_cvc"},
		"letters as CVC": {url.Values{"payment_method_data[card][cvc]": {"abc"}}, "invalid_cvc"},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			i := e.intent()
			form := card(i, "4242424242424242")
			for field := range c.change {
				form.Set(field, c.change.Get(field))
			}
			a := e.send("POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey, form)
			if a.status != 402 || a.Type != "card_error" || a.Code != c.code {
				t.Errorf("the response is %d %s, want 402 %q", a.status, a.body, c.code)
			}
			if now := e.getIntent(i.ID); now.Status != "requires_payment_method" || now.LatestCharge != nil {
				t.Errorf("the intent is %+v", now)
			}
		})
	}
}

func TestThreeDSecure(t *testing.T) {
	for _, c := range []struct {
		method, outcome string
		status          stripe.PaymentIntentStatus
		code            string // of the last error
		events          string
	}{
		{"pm_card_authenticationRequired", "complete", "succeeded", "", "charge.succeeded payment_intent.succeeded"},
		{"pm_card_authenticationRequired", "fail", "requires_payment_method", "payment_intent_authentication_failure", "payment_intent.payment_failed"},
		{"pm_card_threeDSecureRequiredChargeDeclined", "complete", "requires_payment_method", "card_declined", "payment_intent.payment_failed"},
		{
			"pm_card_authenticationRequiredChargeDeclinedInsufficientFunds", "complete",
			"requires_payment_method", "card_declined", "payment_intent.payment_failed",
		},
	} {
		t.Run(c.method+" "+c.outcome, func(t *testing.T) {
			e := newEnv(t)
			i := e.intent()
			e.confirm(i, c.method)
			e.step()
			if got := e.shop.eventTypes(); got != "payment_intent.created payment_intent.requires_action" {
				t.Errorf("events before the authentication: %q", got)
			}
			e.restart()
			a := e.authenticate(i, c.outcome)
			now := e.getIntent(i.ID)
			if a.status != 200 || a.intent.Status != c.status || now.Status != c.status || now.NextAction != nil {
				t.Fatalf("the response is %d %s, want 200", a.status, a.body)
			}
			if c.code == "" && now.LastPaymentError != nil || c.code != "" && string(now.LastPaymentError.Code) != c.code {
				t.Errorf("last error %+v", now.LastPaymentError)
			}
			e.step()
			if got := e.shop.eventTypes(); got != c.events {
				t.Errorf("events after the authentication: %q", got)
			}
			if a := e.authenticate(i, "complete"); a.status != 400 || a.Code != "payment_intent_unexpected_state" {
				t.Errorf("a second authentication: %d %s", a.status, a.body)
			}
		})
	}
}

func TestThreeDSecureCanBeAbandoned(t *testing.T) {
	e := newEnv(t)
	i := e.intent()
	e.confirm(i, "pm_card_authenticationRequired")
	if a := e.confirm(i, "pm_card_visa"); a.intent.Status != "succeeded" {
		t.Errorf("another card: %s", a.body)
	}
	if a := e.authenticate(i, "complete"); a.Code != "payment_intent_unexpected_state" {
		t.Errorf("the authentication after that: %s", a.body)
	}
}

func TestCancel(t *testing.T) {
	for method, possible := range map[string]bool{
		"": true, "pm_card_chargeDeclined": true, "pm_card_authenticationRequired": true,
		"pm_card_visa": false, "pm_usBankAccount_processing": false,
	} {
		t.Run("after "+method, func(t *testing.T) {
			e := newEnv(t)
			i := e.intent()
			if method != "" {
				e.confirm(i, method)
			}
			before := e.getIntent(i.ID).Status
			p := &stripe.PaymentIntentCancelParams{CancellationReason: new("abandoned")}
			got, err := e.stripe.PaymentIntents.Cancel(i.ID, p)
			if !possible {
				e := stripeError(t, err)
				if e.HTTPStatusCode != 400 || e.Code != "payment_intent_unexpected_state" || e.PaymentIntent.Status != before {
					t.Errorf("the error of the cancellation is %+v", e)
				}
				return
			}
			must(t, err)
			if got.Status != "canceled" || got.CancellationReason != "abandoned" || got.CanceledAt != e.clock.Now().Unix() {
				t.Errorf("the cancelled intent is %+v", got)
			}
			for name, a := range map[string]response{
				"confirm": e.confirm(i, "pm_card_visa"), "authenticate": e.authenticate(i, "complete"),
				"cancel": e.send("POST", "/v1/payment_intents/"+i.ID+"/cancel", secretKey, nil),
			} {
				if a.status != 400 || a.Code != "payment_intent_unexpected_state" || a.Intent == nil || a.Intent.Status != "canceled" {
					t.Errorf("%s after the cancellation: %d %s", name, a.status, a.body)
				}
			}
			e.step()
			if got := e.shop.eventTypes(); !strings.HasSuffix(got, "payment_intent.canceled") {
				t.Errorf("the events are %q", got)
			}
		})
	}
}

func TestPaidIntentCannotBePaidAgain(t *testing.T) {
	e := newEnv(t)
	i := e.confirmedIntent("pm_card_visa")
	a := e.confirm(i, "pm_card_visa")
	if a.status != 400 || a.Type != "invalid_request_error" || a.Code != "payment_intent_unexpected_state" || a.Intent.Status != "succeeded" {
		t.Errorf("the response is %d %s, want 400", a.status, a.body)
	}
}

func TestProcessingPayment(t *testing.T) {
	for method, c := range map[string]struct{ status, events string }{
		"pm_usBankAccount_success":           {"succeeded", "charge.succeeded payment_intent.succeeded"},
		"pm_usBankAccount_processing":        {"processing", ""},
		"pm_usBankAccount_insufficientFunds": {"requires_payment_method", "payment_intent.payment_failed"},
	} {
		t.Run(method, func(t *testing.T) {
			e := newEnv(t)
			i := e.confirmedIntent(method)
			if i.LatestCharge.Status != "pending" || i.LatestCharge.Paid || i.AmountReceived != 0 {
				t.Errorf("charge %+v", i.LatestCharge)
			}
			if a := e.confirm(i, "pm_card_visa"); a.Code != "payment_intent_unexpected_state" {
				t.Errorf("a card while the payment is processing: %s", a.body)
			}
			e.step()
			if got := e.shop.eventTypes(); got != "payment_intent.created payment_intent.processing" || e.getIntent(i.ID).Status != "processing" {
				t.Errorf("the events are %q", got)
			}
			e.clock.Pass(3 * time.Second)
			e.restart()
			e.step()
			if got := e.shop.eventTypes(); got != c.events || string(e.getIntent(i.ID).Status) != c.status {
				t.Errorf("status %s, events %q", e.getIntent(i.ID).Status, got)
			}
		})
	}
}

func TestDispute(t *testing.T) {
	e := newEnv(t)
	i := e.confirmedIntent("pm_card_createDispute")
	e.step()
	if got := e.shop.eventTypes(); got != "payment_intent.created charge.succeeded payment_intent.succeeded" || i.LatestCharge.Disputed {
		t.Errorf("the events are %q", got)
	}
	e.clock.Pass(time.Second)
	e.step()
	got := e.shop.take()
	if len(got) != 2 || got[0].Type != "charge.dispute.created" || got[1].Type != "charge.dispute.funds_withdrawn" || got[0].GetObjectValue("charge") != i.LatestCharge.ID ||
		got[0].GetObjectValue("payment_intent") != i.ID || got[0].GetObjectValue("reason") != "fraudulent" {
		t.Fatalf("events %+v", got)
	}
	if now := e.getIntent(i.ID); !now.LatestCharge.Disputed || now.Status != "succeeded" {
		t.Errorf("charge %+v", now.LatestCharge)
	}
	_, err := e.stripe.Refunds.New(&stripe.RefundParams{PaymentIntent: &i.ID})
	if e := stripeError(t, err); e.Code != "charge_disputed" {
		t.Errorf("the refund of a disputed charge: %v", e)
	}
}

func TestDisputeIsClosedOnce(t *testing.T) {
	for method, c := range map[string]struct{ status, events string }{
		"pm_card_createDispute":        {"won", "charge.dispute.closed charge.dispute.funds_reinstated"},
		"pm_card_createDisputeInquiry": {"warning_closed", "charge.dispute.closed"},
	} {
		e := newEnv(t)
		e.confirmedIntent(method)
		e.step()
		e.clock.Pass(time.Second)
		e.step()
		created := e.shop.take()[3]
		submit := func(evidence, submit string) response {
			return e.send("POST", "/v1/disputes/"+created.GetObjectValue("id"), secretKey,
				url.Values{"evidence[uncategorized_text]": {evidence}, "submit": {submit}})
		}
		if a := submit("winning_evidence", "false"); a.status != 400 || a.Param != "submit" {
			t.Errorf("%s: evidence that is not submitted: %d %s", method, a.status, a.body)
		}
		if a := submit("winning_evidence", "true"); string(a.intent.Status) != c.status {
			t.Errorf("%s: the closed dispute is %s, want the status %s", method, a.body, c.status)
		}
		if a := submit("losing_evidence", "true"); a.status != 400 || a.Type != "invalid_request_error" {
			t.Errorf("%s: evidence after the end: %d %s", method, a.status, a.body)
		}
		e.step()
		if got := e.shop.eventTypes(); got != c.events {
			t.Errorf("%s: the events are %q, want %q", method, got, c.events)
		}
	}
}

func TestPaymentMethodIsCreatedFirst(t *testing.T) {
	e := newEnv(t)
	i := e.intent()
	a := e.send("POST", "/v1/payment_methods", publishableKey, url.Values{
		"type": {"card"}, "card[number]": {"4242424242424242"}, "card[exp_month]": {"1"}, "card[exp_year]": {"40"}, "card[cvc]": {"123"},
		"billing_details[name]": {"Grace"},
	})
	if a.status != http.StatusOK || !strings.HasPrefix(a.intent.ID, "pm_") {
		t.Fatalf("the response is %d %s, want 200", a.status, a.body)
	}
	if confirmed := e.confirm(i, a.intent.ID); confirmed.intent.Status != "succeeded" {
		t.Errorf("confirmed with the payment method: %s", confirmed.body)
	}
	c := e.getIntent(i.ID).LatestCharge
	if c.PaymentMethod != a.intent.ID || c.BillingDetails.Name != "Grace" || c.PaymentMethodDetails.Card.ExpYear != 2040 {
		t.Errorf("charge %+v", c)
	}
	e.clock.Pass(25 * time.Hour)
	if late := e.confirm(e.intent(), a.intent.ID); late.status != 400 || late.Code != "resource_missing" || late.Param != "payment_method" {
		t.Errorf("the payment method after 25 hours: %d %s", late.status, late.body)
	}
}

func TestPaymentMethodWithIntent(t *testing.T) {
	e := newEnv(t)
	p := intentParams()
	p.PaymentMethod = new("pm_card_visa")
	i, err := e.stripe.PaymentIntents.New(p)
	must(t, err)
	if i.Status != "requires_confirmation" || i.PaymentMethod == nil {
		t.Errorf("the new intent is %+v", i)
	}
	confirmed, err := e.stripe.PaymentIntents.Confirm(i.ID, nil)
	must(t, err)
	if confirmed.Status != "succeeded" {
		t.Errorf("the confirmed intent is %+v", confirmed)
	}
	p.Confirm = new(true)
	if i, err = e.stripe.PaymentIntents.New(p); err != nil || i.Status != "succeeded" {
		t.Errorf("confirmed at once: %+v, %v", i, err)
	}
	p.PaymentMethod = new("pm_card_chargeDeclined")
	_, err = e.stripe.PaymentIntents.New(p)
	if e := stripeError(t, err); e.Code != "card_declined" || e.PaymentIntent.Status != "requires_payment_method" {
		t.Errorf("declined at once: %+v", e)
	}
	_, err = e.stripe.PaymentIntents.Confirm(e.intent().ID, nil)
	if e := stripeError(t, err); e.Code != "payment_intent_unexpected_state" {
		t.Errorf("confirmed without a method: %+v", e)
	}
}
