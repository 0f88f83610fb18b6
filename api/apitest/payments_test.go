package apitest_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

func TestCreatePaymentIntent(t *testing.T) {
	e := newEnv(t)
	seller, buyer, otherBuyer := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita")
	brand := e.brand("Nokia")
	booking := buyer.book(seller.addPhone(brand))
	body := fields{"price": 120, "bookingId": booking}

	t.Run("401, 400, 404, 403, 422 in this order", func(t *testing.T) {
		e.visitor().postIntent("{").wantError(http.StatusUnauthorized, market.CodeNoToken)
		otherBuyer.postIntent("{").wantError(http.StatusBadRequest, market.CodeBadRequest)
		otherBuyer.postIntent(fields{"bookingId": "none", "price": "much"}).wantError(http.StatusNotFound, market.CodeNotFound)
		for _, p := range []*person{otherBuyer, seller, e.admin("Root")} {
			p.postIntent(body.with("price", "much")).wantError(http.StatusForbidden, market.CodeForbidden)
		}
		seller.postIntent(fields{"price": 120}).wantError(http.StatusForbidden, market.CodeForbidden)
		buyer.postIntent(body.with("price", "much")).wantInvalid("price")
	})
	t.Run("422 for a price that is not the booking's", func(t *testing.T) {
		for _, price := range []any{nil, 1, 119, 121, 12000, 0, -120, 120.5, "119", "120.0", "", true, 99999999999} {
			buyer.postIntent(body.with("price", price)).wantInvalid("price")
		}
		buyer.postIntent(body.with("bookingId", 7)).wantInvalid("bookingId")
		buyer.postIntent(body.with("bookingId", 7).with("price", nil)).wantInvalid("bookingId", "price")
	})
	t.Run("200, and the same intent each time", func(t *testing.T) {
		secret := buyer.createIntent(booking)
		for range 3 {
			if again := buyer.createIntent(booking); again != secret {
				t.Errorf("%s after %s", again, secret)
			}
		}
		if got := buyer.postIntent(body); got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("the secret may be kept: %v", got.Header)
		}
		intent := string(e.getFromStripe("/v1/payment_intents/" + intentOf(secret)).body)
		for _, part := range []string{
			`"amount":12000`, `"currency":"usd"`, `"booking":"` + booking + `"`, `"buyer":"` + buyer.user.UID + `"`,
			`"receipt_email":"` + buyer.user.Email + `"`, `"livemode":false`,
		} {
			if !strings.Contains(intent, part) {
				t.Errorf("no %s in %s", part, intent)
			}
		}
	})
	t.Run("200 without bookingId, for the one booking at that price", func(t *testing.T) {
		var got struct{ ClientSecret string }
		buyer.postIntent(fields{"price": 120}).wantStatus(http.StatusOK).decode(&got)
		if got.ClientSecret != buyer.createIntent(booking) {
			t.Error("another payment")
		}
		otherBuyer.postIntent(fields{"price": 120}).wantInvalid("bookingId") // none
		buyer.postIntent(fields{"price": 121}).wantInvalid("bookingId")
		buyer.book(seller.addPhone(brand))
		buyer.postIntent(fields{"price": 120}).wantInvalid("bookingId") // several
	})
	t.Run("409 once it is paid, cancelled or expired", func(t *testing.T) {
		secret := buyer.createIntent(booking)
		e.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
		buyer.postIntent(body).wantError(http.StatusConflict, market.CodePaid)
		buyer.wantPaid(t, booking) // repeating the request returns the refund
		cancelled := buyer.book(seller.addPhone(brand))
		buyer.cancel(cancelled).wantCount("deletedCount", 1)
		buyer.postIntent(body.with("bookingId", cancelled)).wantError(http.StatusConflict, market.CodeClosed)
		lapsed := otherBuyer.book(seller.addPhone(brand))
		e.clock.Pass(25 * time.Hour)
		otherBuyer.refreshToken().postIntent(body.with("bookingId", lapsed)).wantError(http.StatusConflict, market.CodeClosed)
	})
}

func TestPayments(t *testing.T) {
	e := newEnv(t)
	seller, buyer, otherBuyer := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita")
	brand := e.brand("Nokia")
	phone := seller.addPhone(brand)
	booking, other := buyer.book(phone), buyer.book(seller.addPhone(brand))
	foreign := otherBuyer.book(seller.addPhone(brand))
	secret, otherSecret, foreignSecret := buyer.createIntent(booking), buyer.createIntent(other), otherBuyer.createIntent(foreign)
	body := buyer.paymentFields(booking, secret)

	t.Run("401, 400, 404, 403, 422 in this order", func(t *testing.T) {
		e.visitor().postPayment("{").wantError(http.StatusUnauthorized, market.CodeNoToken)
		otherBuyer.postPayment("{").wantError(http.StatusBadRequest, market.CodeBadRequest)
		otherBuyer.postPayment(body.with("bookingId", "none").with("price", "much")).wantError(http.StatusNotFound, market.CodeNotFound)
		for _, p := range []*person{otherBuyer, seller, e.admin("Root")} {
			p.postPayment(body.with("price", "much")).wantError(http.StatusForbidden, market.CodeForbidden)
			p.postPayment(body.with("email", p.user.Email)).wantError(http.StatusForbidden, market.CodeForbidden)
		}
		buyer.postPayment(body.with("email", otherBuyer.user.Email).with("price", nil)).wantError(http.StatusForbidden, market.CodeForbidden)
		buyer.postPayment(fields{}).wantInvalid("price", "transactionId", "email", "bookingId")
	})
	t.Run("422 for missing, invalid or untrue fields", func(t *testing.T) {
		for name, values := range map[string][]any{
			"price":         {nil, 1, 119, 12000, 120.5, "119", "120 "},
			"transactionId": {nil, "", 7, "pi_none", "none", "..", intentOf(otherSecret), intentOf(foreignSecret), secret},
			"email":         {nil, "", 7},
			"bookingId":     {nil, "", 7},
		} {
			for _, value := range values {
				buyer.postPayment(body.with(name, value)).wantInvalid(name)
			}
		}
	})
	t.Run("402 before the payment has succeeded", func(t *testing.T) {
		buyer.postPayment(body).wantError(http.StatusPaymentRequired, market.CodeUnpaid)
		e.confirm(secret, "pm_card_chargeDeclined").wantStatus(http.StatusPaymentRequired)
		buyer.postPayment(body).wantError(http.StatusPaymentRequired, market.CodeUnpaid)
		e.confirm(secret, "pm_card_authenticationRequired").wantStatus(http.StatusOK)
		buyer.postPayment(body).wantError(http.StatusPaymentRequired, market.CodeUnpaid)
		if got := buyer.getBooking(booking); got["status"] != "held" {
			t.Errorf("the booking is %v", got)
		}
		buyer.createIntent(booking) // the payment can be tried again
	})
	t.Run("422 for another booking's payment, though it succeeded", func(t *testing.T) {
		e.confirm(otherSecret, "pm_card_visa").wantStatus(http.StatusOK)
		e.confirm(foreignSecret, "pm_card_visa").wantStatus(http.StatusOK)
		buyer.postPayment(body.with("transactionId", intentOf(otherSecret))).wantInvalid("transactionId")
		buyer.postPayment(body.with("transactionId", intentOf(foreignSecret))).wantInvalid("transactionId")
	})
	t.Run("200, and again with the same insertedId", func(t *testing.T) {
		e.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
		first := buyer.postPayment(body).insertedID()
		for range 3 {
			if again := buyer.postPayment(body).insertedID(); again != first {
				t.Errorf("%s after %s", again, first)
			}
		}
		buyer.wantPaid(t, booking)
		mine := seller.ownProducts().product(phone)
		if got, _ := mine["buyer"].(map[string]any); mine["sold"] != true || got["email"] != buyer.user.Email {
			t.Errorf("the seller sees %v", mine)
		}
	})
	t.Run("an address in another case is the same", func(t *testing.T) {
		if id := buyer.postPayment(body.with("email", strings.ToUpper(buyer.user.Email))).insertedID(); id == "" {
			t.Error("no id")
		}
	})
	t.Run("409 once the money went back", func(t *testing.T) {
		e.refundAtStripe(intentOf(secret))
		e.settle()
		if got := buyer.getBooking(booking); got["status"] != "refunded" || got["paid"] != false {
			t.Errorf("the booking is %v", got)
		}
		buyer.postPayment(body).wantError(http.StatusConflict, market.CodeRefunded)
		buyer.postIntent(fields{"price": 120, "bookingId": booking}).wantError(http.StatusConflict, market.CodeClosed)
	})
}

// An intent in another currency, of another amount or of another buyer pays for nothing.
func TestIntentsOfOtherAmountsAreRefused(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	phone := seller.addPhone(e.brand("Nokia"))
	booking := buyer.book(phone)
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
			e.postToStripe("/v1/payment_intents", stripeSecretKey, form).wantStatus(http.StatusOK).decode(&made)
			if made.Status != "succeeded" {
				t.Fatalf("the intent is %+v", made)
			}
			buyer.postPayment(buyer.paymentFields(booking, made.ID)).wantInvalid("transactionId")
			e.settle() // the webhook is delivered too
			if got := buyer.getBooking(booking); got["status"] != "held" {
				t.Errorf("the booking is %v", got)
			}
		})
	}
}

func TestPaymentArrivesByEveryPath(t *testing.T) {
	for name, arrive := range map[string]func(e *env){
		"the webhook, without the browser": func(e *env) { must(e.t, e.stripe.sandbox.Step(e.t.Context())) },
		"the payment reconciler, without a webhook": func(e *env) {
			e.clock.Pass(10 * time.Minute)
			must(e.t, e.reconciler.Step(e.t.Context()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			buyer := e.buyer("Bob")
			booking := buyer.book(e.seller("Sue").addPhone(e.brand("Nokia")))
			e.confirm(buyer.createIntent(booking), "pm_card_visa").wantStatus(http.StatusOK)
			arrive(e)
			buyer.wantPaid(t, booking)
		})
	}
}

func TestWebhook(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer("Bob")
	booking := buyer.book(e.seller("Sue").addPhone(e.brand("Nokia")))
	secret := buyer.createIntent(booking)
	e.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
	now := e.clock.Now()
	t.Run("400 for an unsigned or old event", func(t *testing.T) {
		body := succeededEvent("evt_1", intentOf(secret))
		for _, signature := range []string{
			"", "t=1,v1=00", signEvent(body, "whsec_another", now), signEvent(body, stripeWebhookSecret, now.Add(-6*time.Minute)), signEvent(body, stripeWebhookSecret, now.Add(6*time.Minute)),
		} {
			e.postWebhook(body, signature).wantError(http.StatusBadRequest, market.CodeBadRequest)
		}
		if got := buyer.getBooking(booking); got["status"] != "held" {
			t.Errorf("the booking is %v", got)
		}
	})
	t.Run("413 for more than 1 MB", func(t *testing.T) {
		e.postWebhook(strings.Repeat(" ", 1<<20+1), "t=1").wantError(http.StatusRequestEntityTooLarge, rest.CodeTooLarge)
	})
	t.Run("503 while the provider is unavailable, and then it is delivered again", func(t *testing.T) {
		e.stripe.offline.Store(true)
		body := succeededEvent("evt_2", intentOf(secret))
		e.postWebhook(body, signEvent(body, stripeWebhookSecret, now)).wantUnavailable()
		e.stripe.offline.Store(false)
		if got := e.postWebhook(body, signEvent(body, stripeWebhookSecret, now)).wantStatus(http.StatusOK); string(got.body) != `{"received":true}` {
			t.Errorf("%s", got.body)
		}
		buyer.wantPaid(t, booking)
	})
	t.Run("200 for a handled event, without effect", func(t *testing.T) {
		e.stripe.offline.Store(true)
		defer e.stripe.offline.Store(false)
		body := succeededEvent("evt_2", intentOf(secret))
		if got := e.postWebhook(body, signEvent(body, stripeWebhookSecret, now)).wantStatus(http.StatusOK); string(got.body) != `{"received":true,"duplicate":true}` {
			t.Errorf("%s", got.body)
		}
	})
	if strings.Contains(e.log.String(), stripeWebhookSecret) || strings.Contains(e.log.String(), secret) {
		t.Error("a secret is in the log")
	}
}

func TestPaymentProviderUnavailable(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer("Bob")
	brand, seller := e.brand("Nokia"), e.seller("Sue")
	booking, fresh := buyer.book(seller.addPhone(brand)), buyer.book(seller.addPhone(brand))
	secret := buyer.createIntent(booking)
	e.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
	e.stripe.offline.Store(true)
	buyer.postIntent(fields{"price": 120, "bookingId": fresh}).wantUnavailable()
	buyer.postPayment(buyer.paymentFields(booking, secret)).wantUnavailable()
	if !strings.Contains(e.log.String(), errOffline.Error()) {
		t.Error("the cause is not in the log")
	}
	e.stripe.offline.Store(false)
	buyer.postPayment(buyer.paymentFields(booking, secret)).insertedID()
	buyer.createIntent(fresh)
	for _, private := range []string{buyer.user.Email, secret, stripeSecretKey} {
		if strings.Contains(e.log.String(), private) {
			t.Errorf("%q is in the log", private)
		}
	}
}
