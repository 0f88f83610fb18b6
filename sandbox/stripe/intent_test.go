package stripe_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
)

// card returns the fields of a card in a confirmation.
func card(number string) url.Values {
	return url.Values{
		"payment_method_data[type]": {"card"}, "payment_method_data[card][number]": {number}, "payment_method_data[card][exp_month]": {"12"},
		"payment_method_data[card][exp_year]": {"2040"}, "payment_method_data[card][cvc]": {"987"},
	}
}

func TestTestMethods(t *testing.T) {
	e := newEnv(t)
	const generic = "Your card was declined."
	for _, c := range []struct {
		name, number, status   string // the status of the intent after the confirmation
		code, decline, message string // of the error; "" if there is none
	}{
		{"pm_card_visa", "4242 4242 4242 4242", "succeeded", "", "", ""},
		{"pm_card_mastercard", "5555555555554444", "succeeded", "", "", ""},
		{"pm_card_amex", "378282246310005", "succeeded", "", "", ""},
		{"pm_card_discover", "6011111111111117", "succeeded", "", "", ""},
		{"pm_card_chargeDeclined", "4000000000000002", "", "card_declined", "generic_decline", generic},
		{"pm_card_visa_chargeDeclined", "4000000000000002", "", "card_declined", "generic_decline", generic},
		{"pm_card_chargeDeclinedInsufficientFunds", "4000000000009995", "", "card_declined", "insufficient_funds", "Your card has insufficient funds."},
		{"pm_card_chargeDeclinedLostCard", "4000000000009987", "", "card_declined", "lost_card", generic},
		{"pm_card_chargeDeclinedExpiredCard", "4000000000000069", "", "expired_card", "", "Your card has expired."},
		{"pm_card_chargeDeclinedIncorrectCvc", "4000000000000127", "", "incorrect_cvc", "", "Your card's security code is incorrect."},
		{
			"pm_card_chargeDeclinedProcessingError", "4000000000000119", "", "processing_error", "",
			"An error occurred while processing your card. Try again in a little bit.",
		},
		{"pm_card_authenticationRequired", "4000002760003184", "requires_action", "", "", ""},
		{"pm_card_threeDSecureRequiredChargeDeclined", "4000008400001629", "requires_action", "", "", ""},
		{"pm_card_createDispute", "4000000000000259", "succeeded", "", "", ""},
		{"pm_usBankAccount_processing", "", "processing", "", "", ""},
	} {
		for _, form := range []url.Values{{"payment_method": {c.name}}, card(c.number)} {
			if c.number == "" {
				form = url.Values{"payment_method": {c.name}}
			}
			i := e.intent()
			a := e.browser(i, "confirm", form)
			if a.Status != c.status || a.Code != c.code || a.Decline != c.decline || c.code != "" && (a.status != http.StatusPaymentRequired || a.Message != c.message) {
				t.Errorf("%s: the response is %d %s", c.name, a.status, a.body)
			}
			if c.code == "" {
				continue
			}
			if now := e.read(i); now.Status != "requires_payment_method" || !strings.Contains(now.body, `"last_payment_error":{"type":"card_error","code":"`+c.code) {
				t.Errorf("%s: the intent is %s", c.name, now.body)
			}
			if a := e.confirm(i, "pm_card_visa"); a.Status != "succeeded" || !strings.Contains(a.body, `"last_payment_error":null`) {
				t.Errorf("another card after %s: %s", c.name, a.body)
			}
		}
	}
}

// Cards that are no test cards, and wrong fields, are declined before the charge.
func TestOtherCardsAreDeclined(t *testing.T) {
	e := newEnv(t)
	for name, c := range map[string]struct{ field, value, code string }{
		"a wrong digit": {"number", "4242424242424241", "incorrect_number"},
		"a real card":   {"number", "4539578763621486", "card_declined"},
		"month 13":      {"exp_month", "13", "invalid_expiry_year"},
		"a past year":   {"exp_year", "20", "invalid_expiry_year"},
		"a long CVC":    {"cvc", "12345", "invalid_cvc"},
	} {
		i, form := e.intent(), card("4242424242424242")
		form.Set("payment_method_data[card]["+c.field+"]", c.value)
		if a := e.browser(i, "confirm", form); a.status != http.StatusPaymentRequired || a.Code != c.code || e.read(i).Status != "requires_payment_method" {
			t.Errorf("%s: the response is %d %s, want 402 %s", name, a.status, a.body, c.code)
		}
	}
	if a := e.confirm(e.intent(), "pm_card_unknown"); a.status != http.StatusBadRequest || a.Code != "resource_missing" {
		t.Errorf("an unknown payment method: %d %s", a.status, a.body)
	}
	made := e.send(http.MethodPost, "/v1/payment_methods", publishableKey, url.Values{
		"card[number]": {"4242424242424242"}, "card[exp_month]": {"1"}, "card[exp_year]": {"40"}, "card[cvc]": {"123"},
	})
	if a := e.confirm(e.intent(), made.ID); a.Status != "succeeded" {
		t.Errorf("confirmed with the payment method %s: %s", made.body, a.body)
	}
}

func TestThreeDSecure(t *testing.T) {
	e := newEnv(t)
	for _, c := range []struct{ method, outcome, status, code string }{
		{"pm_card_authenticationRequired", "complete", "succeeded", ""},
		{"pm_card_authenticationRequired", "fail", "requires_payment_method", "payment_intent_authentication_failure"},
		{"pm_card_threeDSecureRequiredChargeDeclined", "complete", "requires_payment_method", "card_declined"},
	} {
		i := e.intent()
		e.confirm(i, c.method)
		a := e.browser(i, "authenticate", url.Values{"outcome": {c.outcome}})
		if a.status != http.StatusOK || a.Status != c.status || !strings.Contains(a.body, c.code) || strings.Contains(a.body, "use_stripe_sdk") {
			t.Errorf("%s %s: the response is %d %s", c.method, c.outcome, a.status, a.body)
		}
		if a := e.browser(i, "authenticate", url.Values{"outcome": {"complete"}}); a.Code != "payment_intent_unexpected_state" {
			t.Errorf("a second authentication: %d %s", a.status, a.body)
		}
	}
	i := e.intent()
	e.confirm(i, "pm_card_authenticationRequired")
	if a := e.confirm(i, "pm_card_visa"); a.Status != "succeeded" {
		t.Errorf("another card instead of the authentication: %s", a.body)
	}
}

func TestBankDecidesLater(t *testing.T) {
	e := newEnv(t)
	for method, want := range map[string]string{
		"pm_usBankAccount_success": "succeeded", "pm_usBankAccount_processing": "processing", "pm_usBankAccount_insufficientFunds": "requires_payment_method",
	} {
		i := e.intent()
		e.confirm(i, method)
		if a := e.confirm(i, "pm_card_visa"); a.Code != "payment_intent_unexpected_state" || !strings.Contains(a.body, `"status":"processing"`) {
			t.Errorf("a card while the payment is processing: %s", a.body)
		}
		e.step(2 * time.Second)
		if now := e.read(i); now.Status != want {
			t.Errorf("after %s the intent is %s, want %s", method, now.body, want)
		}
	}
}

func TestKeyPermissions(t *testing.T) {
	e := newEnv(t)
	i, other := e.intent(), e.intent()
	path := "/v1/payment_intents/" + i.ID
	with := func(secret string) url.Values {
		return url.Values{"client_secret": {secret}, "payment_method": {"pm_card_visa"}}
	}
	for _, c := range []struct {
		name, method, path, key string
		form                    url.Values
		status                  int
	}{
		{"no key", "GET", path, "", nil, 401},
		{"a part of a key", "GET", path, secretKey[:20], nil, 401},
		{"the browser creates an intent", "POST", "/v1/payment_intents", publishableKey, order(), 403},
		{"the browser cancels", "POST", path + "/cancel", publishableKey, with(i.Secret), 403},
		{"the browser refunds", "POST", "/v1/refunds", publishableKey, url.Values{"payment_intent": {i.ID}}, 403},
		{"the browser lists intents", "GET", "/v1/payment_intents", publishableKey, nil, 403},
		{"no client secret", "GET", path, publishableKey, nil, 404},
		{"the client secret of another intent", "GET", path, publishableKey, with(other.Secret), 404},
		{"confirm with that of another intent", "POST", path + "/confirm", publishableKey, with(other.Secret), 404},
		{"an unknown intent", "GET", "/v1/payment_intents/pi_1", publishableKey, with("pi_1_secret_"), 404},
		{"an unknown call", "DELETE", path, secretKey, nil, 404},
		{"the secret key", "GET", path, secretKey, nil, 200},
		{"the browser confirms", "POST", path + "/confirm", publishableKey, with(i.Secret), 200},
		{"the browser reads the intent", "GET", path, publishableKey, with(i.Secret), 200},
	} {
		a := e.send(c.method, c.path, c.key, c.form)
		if a.status != c.status || c.status != 200 && (a.Type != "invalid_request_error" || strings.Contains(a.body, "_secret_")) {
			t.Errorf("%s: the response is %d %s, want %d", c.name, a.status, a.body, c.status)
		}
		if c.key == publishableKey && (strings.Contains(a.body, "b1") || strings.Contains(a.body, "latest_charge")) {
			t.Errorf("%s: the response has fields for the merchant only: %s", c.name, a.body)
		}
	}
}

// Of a confirmation and a cancellation at the same time one succeeds, and a charge is refunded at most
// once.
func TestConcurrentChanges(t *testing.T) {
	e := newEnv(t)
	other := e.newNode(e.store)
	for range 10 {
		i := e.intent()
		var succeeded atomic.Int32
		concurrently(6, func(n int) {
			step, form := "cancel", url.Values{}
			if n%2 == 1 {
				step, form = "confirm", url.Values{"payment_method": {"pm_card_visa"}}
			}
			if sendTo(t, other, http.MethodPost, "/v1/payment_intents/"+i.ID+"/"+step, secretKey, form).status == http.StatusOK {
				succeeded.Add(1)
			}
		})
		if n := succeeded.Load(); n != 1 {
			t.Errorf("%d of the requests succeeded, want 1", n)
		}
	}
	i := e.paid("pm_card_visa")
	concurrently(20, func(int) { e.post("/v1/refunds", url.Values{"payment_intent": {i.ID}, "amount": {"1000"}}) })
	if now := e.read(i); now.Charge.Refunded != 12000 {
		t.Errorf("the intent is %s, want 12000 cents refunded", now.body)
	}
}

func TestCardNumbersAreNotStored(t *testing.T) {
	e := newEnv(t)
	for _, number := range []string{"4242424242424242", "4000000000000002", "4539578763621486"} {
		e.browser(e.intent(), "confirm", card(number))
		e.post("/v1/payment_intents/"+e.intent().ID+"/confirm", card(number), "Idempotency-Key", "card "+number[:6])
	}
	var stored []byte
	for _, kind := range []string{"stripe.intent", "stripe.key"} {
		records, err := e.store.RecordsOf(t.Context(), kind, market.Page{Limit: 100})
		must(t, err)
		for _, record := range records {
			stored = append(stored, record.Data...)
		}
	}
	for text, want := range map[string]bool{"pm_card_visa": true, "42424242": false, "40000000": false, "3621486": false, `"987"`: false} {
		if bytes.Contains(stored, []byte(text)) != want {
			t.Errorf("the store contains %s: %v, want %v", text, !want, want)
		}
	}
}
