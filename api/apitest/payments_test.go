package apitest_test

import (
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76/webhook"

	"secondring/api/rest"
	"secondring/market"
)

func TestCreatePaymentIntent(t *testing.T) {
	e := newEnv(t)
	seller, buyer, rival := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita")
	brand := e.brand("Nokia")
	booking := buyer.books(seller.sells(brand))
	body := fields{"price": 120, "bookingId": booking}

	t.Run("401, 400, 404, 403, 422 in this order", func(t *testing.T) {
		e.visitor().opens("{").refused(http.StatusUnauthorized, market.CodeNoToken)
		rival.opens("{").refused(http.StatusBadRequest, market.CodeBadRequest)
		rival.opens(fields{"bookingId": "none", "price": "much"}).refused(http.StatusNotFound, market.CodeNotFound)
		for _, p := range []*person{rival, seller, e.admin("Root")} {
			p.opens(body.with("price", "much")).refused(http.StatusForbidden, market.CodeForbidden)
		}
		seller.opens(fields{"price": 120}).refused(http.StatusForbidden, market.CodeForbidden)
		buyer.opens(body.with("price", "much")).invalid("price")
	})
	t.Run("422 for a price that is not the booking's", func(t *testing.T) {
		for _, price := range []any{nil, 1, 119, 121, 12000, 0, -120, 120.5, "119", "120.0", "", true, 99999999999} {
			buyer.opens(body.with("price", price)).invalid("price")
		}
		buyer.opens(body.with("bookingId", 7)).invalid("bookingId")
		buyer.opens(body.with("bookingId", 7).with("price", nil)).invalid("bookingId", "price")
	})
	t.Run("200, and the same intent each time", func(t *testing.T) {
		secret := buyer.begins(booking)
		for range 3 {
			if again := buyer.begins(booking); again != secret {
				t.Errorf("%s after %s", again, secret)
			}
		}
		if got := buyer.opens(body); got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("the secret may be kept: %v", got.Header)
		}
		seen := string(e.send(http.MethodGet, "/sandbox/stripe/v1/payment_intents/"+intentOf(secret), nil,
			header("Authorization", "Bearer "+bankSecret)).is(http.StatusOK).body)
		for _, part := range []string{
			`"amount":12000`, `"currency":"usd"`, `"booking":"` + booking + `"`, `"buyer":"` + buyer.user.UID + `"`,
			`"receipt_email":"` + buyer.user.Email + `"`, `"livemode":false`,
		} {
			if !strings.Contains(seen, part) {
				t.Errorf("no %s in %s", part, seen)
			}
		}
	})
	t.Run("200 without bookingId, for the one booking at that price", func(t *testing.T) {
		var got struct{ ClientSecret string }
		buyer.opens(fields{"price": 120}).is(http.StatusOK).into(&got)
		if got.ClientSecret != buyer.begins(booking) {
			t.Error("another payment")
		}
		rival.opens(fields{"price": 120}).invalid("bookingId") // none
		buyer.opens(fields{"price": 121}).invalid("bookingId")
		buyer.books(seller.sells(brand))
		buyer.opens(fields{"price": 120}).invalid("bookingId") // several
	})
	t.Run("409 once it is paid, cancelled or expired", func(t *testing.T) {
		secret := buyer.begins(booking)
		e.confirm(secret, "pm_card_visa").is(http.StatusOK)
		buyer.opens(body).refused(http.StatusConflict, market.CodePaid)
		buyer.paid(t, booking) // repeating the request returns the refund
		cancelled := buyer.books(seller.sells(brand))
		buyer.do(http.MethodDelete, "/bookings/"+cancelled, nil).count("deletedCount", 1)
		buyer.opens(body.with("bookingId", cancelled)).refused(http.StatusConflict, market.CodeClosed)
		lapsed := rival.books(seller.sells(brand))
		e.clock.Pass(25 * time.Hour)
		rival.renewed().opens(body.with("bookingId", lapsed)).refused(http.StatusConflict, market.CodeClosed)
	})
}

func TestPayments(t *testing.T) {
	e := newEnv(t)
	seller, buyer, rival := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita")
	brand := e.brand("Nokia")
	phone := seller.sells(brand)
	booking, other := buyer.books(phone), buyer.books(seller.sells(brand))
	foreign := rival.books(seller.sells(brand))
	secret, otherSecret, foreignSecret := buyer.begins(booking), buyer.begins(other), rival.begins(foreign)
	body := buyer.paymentFields(booking, secret)

	t.Run("401, 400, 404, 403, 422 in this order", func(t *testing.T) {
		e.visitor().pays("{").refused(http.StatusUnauthorized, market.CodeNoToken)
		rival.pays("{").refused(http.StatusBadRequest, market.CodeBadRequest)
		rival.pays(body.with("bookingId", "none").with("price", "much")).refused(http.StatusNotFound, market.CodeNotFound)
		for _, p := range []*person{rival, seller, e.admin("Root")} {
			p.pays(body.with("price", "much")).refused(http.StatusForbidden, market.CodeForbidden)
			p.pays(body.with("email", p.user.Email)).refused(http.StatusForbidden, market.CodeForbidden)
		}
		buyer.pays(body.with("email", rival.user.Email).with("price", nil)).refused(http.StatusForbidden, market.CodeForbidden)
		buyer.pays(fields{}).invalid("price", "transactionId", "email", "bookingId")
	})
	t.Run("422 for missing, invalid or untrue fields", func(t *testing.T) {
		for name, values := range map[string][]any{
			"price":         {nil, 1, 119, 12000, 120.5, "119", "120 "},
			"transactionId": {nil, "", 7, "pi_none", "none", "..", intentOf(otherSecret), intentOf(foreignSecret), secret},
			"email":         {nil, "", 7},
			"bookingId":     {nil, "", 7},
		} {
			for _, value := range values {
				buyer.pays(body.with(name, value)).invalid(name)
			}
		}
	})
	t.Run("402 before the payment has succeeded", func(t *testing.T) {
		buyer.pays(body).refused(http.StatusPaymentRequired, market.CodeUnpaid)
		e.confirm(secret, "pm_card_chargeDeclined").is(http.StatusPaymentRequired)
		buyer.pays(body).refused(http.StatusPaymentRequired, market.CodeUnpaid)
		e.confirm(secret, "pm_card_authenticationRequired").is(http.StatusOK)
		buyer.pays(body).refused(http.StatusPaymentRequired, market.CodeUnpaid)
		if got := buyer.order(booking); got["status"] != "held" {
			t.Errorf("the booking is %v", got)
		}
		buyer.begins(booking) // the payment can be tried again
	})
	t.Run("422 for another booking's payment, though it succeeded", func(t *testing.T) {
		e.confirm(otherSecret, "pm_card_visa").is(http.StatusOK)
		e.confirm(foreignSecret, "pm_card_visa").is(http.StatusOK)
		buyer.pays(body.with("transactionId", intentOf(otherSecret))).invalid("transactionId")
		buyer.pays(body.with("transactionId", intentOf(foreignSecret))).invalid("transactionId")
	})
	t.Run("200, and again with the same insertedId", func(t *testing.T) {
		e.confirm(secret, "pm_card_visa").is(http.StatusOK)
		first := buyer.pays(body).id()
		for range 3 {
			if again := buyer.pays(body).id(); again != first {
				t.Errorf("%s after %s", again, first)
			}
		}
		buyer.paid(t, booking)
		mine := seller.get("/products?email=" + seller.user.Email).product(phone)
		if got, _ := mine["buyer"].(map[string]any); mine["sold"] != true || got["email"] != buyer.user.Email {
			t.Errorf("the seller sees %v", mine)
		}
	})
	t.Run("an address in another case is the same", func(t *testing.T) {
		if id := buyer.pays(body.with("email", strings.ToUpper(buyer.user.Email))).id(); id == "" {
			t.Error("no id")
		}
	})
	t.Run("409 once the money went back", func(t *testing.T) {
		e.refund(intentOf(secret))
		e.settle()
		if got := buyer.order(booking); got["status"] != "refunded" || got["paid"] != false {
			t.Errorf("the booking is %v", got)
		}
		buyer.pays(body).refused(http.StatusConflict, market.CodeRefunded)
		buyer.opens(fields{"price": 120, "bookingId": booking}).refused(http.StatusConflict, market.CodeClosed)
	})
}

// An intent in another currency, of another amount or of another buyer pays for nothing.
func TestIntentsOfOtherAmountsAreRefused(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	phone := seller.sells(e.brand("Nokia"))
	booking := buyer.books(phone)
	right := url.Values{
		"amount": {"12000"}, "currency": {"usd"}, "confirm": {"true"}, "payment_method": {"pm_card_visa"},
		"metadata[booking]": {booking}, "metadata[product]": {phone}, "metadata[buyer]": {buyer.user.UID},
	}
	for name, value := range map[string]string{
		"amount": "100", "currency": "eur", "metadata[booking]": "another", "metadata[product]": "another", "metadata[buyer]": "another",
	} {
		t.Run(name, func(t *testing.T) {
			form := maps.Clone(right)
			form.Set(name, value)
			var made struct{ ID, Status string }
			e.ask("/v1/payment_intents", bankSecret, form).is(http.StatusOK).into(&made)
			if made.Status != "succeeded" {
				t.Fatalf("the intent is %+v", made)
			}
			buyer.pays(buyer.paymentFields(booking, made.ID)).invalid("transactionId")
			e.settle() // the webhook is delivered too
			if got := buyer.order(booking); got["status"] != "held" {
				t.Errorf("the booking is %v", got)
			}
		})
	}
}

func TestPaymentArrivesByEveryPath(t *testing.T) {
	for name, arrive := range map[string]func(e *env){
		"the webhook, without the browser": func(e *env) { must(e.t, e.bank.box.Step(e.t.Context())) },
		"the payment reconciler, without a webhook": func(e *env) {
			e.clock.Pass(10 * time.Minute)
			must(e.t, e.reconciler.Step(e.t.Context()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			buyer := e.buyer("Bob")
			booking := buyer.books(e.seller("Sue").sells(e.brand("Nokia")))
			e.confirm(buyer.begins(booking), "pm_card_visa").is(http.StatusOK)
			arrive(e)
			buyer.paid(t, booking)
		})
	}
}

func TestWebhook(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer("Bob")
	booking := buyer.books(e.seller("Sue").sells(e.brand("Nokia")))
	secret := buyer.begins(booking)
	e.confirm(secret, "pm_card_visa").is(http.StatusOK)
	event := func(id string) string {
		return fmt.Sprintf(`{"id":"%s","object":"event","type":"payment_intent.succeeded","livemode":false,`+
			`"data":{"object":{"object":"payment_intent","id":"%s"}}}`, id, intentOf(secret))
	}
	sign := func(body, key string, at time.Time) string {
		return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(webhook.ComputeSignature(at, []byte(body), key)))
	}
	now := e.clock.Now()
	t.Run("400 for an unsigned or old event", func(t *testing.T) {
		body := event("evt_1")
		for _, signature := range []string{
			"", "t=1,v1=00", sign(body, "whsec_another", now), sign(body, bankWebhook, now.Add(-6*time.Minute)), sign(body, bankWebhook, now.Add(6*time.Minute)),
		} {
			e.postWebhook(body, signature).refused(http.StatusBadRequest, market.CodeBadRequest)
		}
		if got := buyer.order(booking); got["status"] != "held" {
			t.Errorf("the booking is %v", got)
		}
	})
	t.Run("413 for more than 1 MB", func(t *testing.T) {
		e.postWebhook(strings.Repeat(" ", 1<<20+1), "t=1").refused(http.StatusRequestEntityTooLarge, rest.CodeTooLarge)
	})
	t.Run("503 while the provider is unavailable, and then it is delivered again", func(t *testing.T) {
		e.bank.cut.Store(true)
		body := event("evt_2")
		got := e.postWebhook(body, sign(body, bankWebhook, now))
		if got.refused(http.StatusServiceUnavailable, market.CodeUnavailable); got.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		e.bank.cut.Store(false)
		if got := e.postWebhook(body, sign(body, bankWebhook, now)).is(http.StatusOK); string(got.body) != `{"received":true}` {
			t.Errorf("%s", got.body)
		}
		buyer.paid(t, booking)
	})
	t.Run("200 for a handled event, without effect", func(t *testing.T) {
		e.bank.cut.Store(true)
		defer e.bank.cut.Store(false)
		body := event("evt_2")
		if got := e.postWebhook(body, sign(body, bankWebhook, now)).is(http.StatusOK); string(got.body) != `{"received":true,"duplicate":true}` {
			t.Errorf("%s", got.body)
		}
	})
	if strings.Contains(e.log.String(), bankWebhook) || strings.Contains(e.log.String(), secret) {
		t.Error("a secret is in the log")
	}
}

func TestPaymentProviderUnavailable(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer("Bob")
	brand, seller := e.brand("Nokia"), e.seller("Sue")
	booking, fresh := buyer.books(seller.sells(brand)), buyer.books(seller.sells(brand))
	secret := buyer.begins(booking)
	e.confirm(secret, "pm_card_visa").is(http.StatusOK)
	e.bank.cut.Store(true)
	for _, got := range []answer{buyer.opens(fields{"price": 120, "bookingId": fresh}), buyer.pays(buyer.paymentFields(booking, secret))} {
		if got.refused(http.StatusServiceUnavailable, market.CodeUnavailable); got.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
	if !strings.Contains(e.log.String(), errCut.Error()) {
		t.Error("the cause is not in the log")
	}
	e.bank.cut.Store(false)
	buyer.pays(buyer.paymentFields(booking, secret)).id()
	buyer.begins(fresh)
	for _, private := range []string{buyer.user.Email, secret, bankSecret} {
		if strings.Contains(e.log.String(), private) {
			t.Errorf("%q is in the log", private)
		}
	}
}
