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
		e.admin("Second").postIntent(fields{"price": 120}).wantError(http.StatusForbidden, market.CodeForbidden)
		buyer.postIntent(body.with("price", "much")).wantInvalid("price")
	})
	t.Run("422 for a price that is not the booking's", func(t *testing.T) {
		for _, price := range []any{nil, 1, 119, 121, 12000, 0, -120, 120.5, "119", "120.5", "", true, 99999999999} {
			buyer.postIntent(body.with("price", price)).wantInvalid("price")
		}
		buyer.postIntent(body.with("bookingId", 7)).wantInvalid("bookingId")
		buyer.postIntent(body.with("bookingId", 7).with("price", nil)).wantInvalid("bookingId", "price")
	})
	t.Run("200, and again with the same intent", func(t *testing.T) {
		secret := buyer.createIntent(booking)
		for range 3 {
			if again := buyer.createIntent(booking); again != secret {
				t.Errorf("the client secret is %s, want %s", again, secret)
			}
		}
		if got := buyer.postIntent(body); got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("Cache-Control is %q, want no-store", got.Header.Get("Cache-Control"))
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
	t.Run("200 without bookingId if one booking has the price", func(t *testing.T) {
		var got struct{ ClientSecret string }
		buyer.postIntent(fields{"price": 120}).wantStatus(http.StatusOK).decode(&got)
		if got.ClientSecret != buyer.createIntent(booking) {
			t.Error("the client secret belongs to another intent")
		}
		otherBuyer.postIntent(fields{"price": 120}).wantInvalid("bookingId") // none
		buyer.postIntent(fields{"price": 121}).wantInvalid("bookingId")
		buyer.book(seller.addPhone(brand))
		buyer.postIntent(fields{"price": 120}).wantInvalid("bookingId") // several
	})
	t.Run("of several at one price, the one on whose payment page the buyer is", func(t *testing.T) {
		rita := e.buyer("Rita B")
		orders := []string{rita.book(seller.addPhone(brand)), rita.book(seller.addPhone(brand)), rita.book(seller.addPhone(brand))}
		foreign := e.buyer("Ann").book(seller.addPhone(brand))
		on := func(page string) func(*http.Request) { return header("Referer", page) }
		secrets := map[string]string{}
		for _, id := range orders {
			secrets[id] = rita.createIntent(id)
		}
		page := e.server.URL + "/dashboard/payment/"
		for _, id := range orders {
			for _, referer := range []string{page + id, page + id + "/", page + id + "?from=mail", page + id + "#card", page + url.PathEscape(id)} {
				var got struct{ ClientSecret string }
				rita.do(http.MethodPost, "/create-payment-intent", fields{"price": 120}, on(referer)).wantStatus(http.StatusOK).decode(&got)
				if got.ClientSecret != secrets[id] {
					t.Errorf("on %s the intent is of another order", referer)
				}
			}
		}
		for _, referer := range []string{
			"", e.server.URL, e.server.URL + "/", page, page + "none", page + foreign, page + orders[0] + "/more", page + "x/" + orders[0],
			"https://shop.example/dashboard/payment/" + orders[0], e.server.URL + ".evil.example/dashboard/payment/" + orders[0],
			e.server.URL + "/dashboard/order/" + orders[0], e.server.URL + "/?next=/dashboard/payment/" + orders[0],
			strings.Replace(page, "http://", "https://", 1) + orders[0], "/dashboard/payment/" + orders[0], "%zz" + orders[0],
		} {
			rita.do(http.MethodPost, "/create-payment-intent", fields{"price": 120}, on(referer)).wantInvalid("bookingId")
		}
		rita.do(http.MethodPost, "/create-payment-intent", fields{"price": 119}, on(page+orders[0])).wantInvalid("bookingId")
		rita.do(http.MethodPost, "/create-payment-intent", fields{"price": 120, "bookingId": orders[1]}, on(page+orders[0])).wantStatus(http.StatusOK)
		rita.cancel(orders[0])
		rita.do(http.MethodPost, "/create-payment-intent", fields{"price": 120}, on(page+orders[0])).wantInvalid("bookingId")
	})
	t.Run("409 for a paid, cancelled or expired booking", func(t *testing.T) {
		secret := buyer.createIntent(booking)
		e.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
		buyer.postIntent(body).wantError(http.StatusConflict, market.CodePaid)
		buyer.wantPaid(t, booking) // the refused request has not changed the payment
		cancelled := buyer.book(seller.addPhone(brand))
		buyer.cancel(cancelled).wantCount("deletedCount", 1)
		buyer.postIntent(body.with("bookingId", cancelled)).wantError(http.StatusConflict, market.CodeClosed)
		expired := otherBuyer.book(seller.addPhone(brand))
		e.clock.Pass(25 * time.Hour)
		otherBuyer.refreshToken().postIntent(body.with("bookingId", expired)).wantError(http.StatusConflict, market.CodeClosed)
	})
}

func TestPayments(t *testing.T) {
	e := newEnv(t)
	seller, buyer, otherBuyer := e.seller("Sue"), e.buyer("Bob"), e.buyer("Rita")
	brand := e.brand("Nokia")
	phone := seller.addPhone(brand)
	booking, other := buyer.book(phone), buyer.book(seller.addPhone(brand))
	otherBuyersBooking := otherBuyer.book(seller.addPhone(brand))
	secret, otherSecret, otherBuyersSecret := buyer.createIntent(booking), buyer.createIntent(other), otherBuyer.createIntent(otherBuyersBooking)
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
	t.Run("422 for missing, invalid or wrong fields", func(t *testing.T) {
		for name, values := range map[string][]any{
			"price":         {nil, 1, 119, 12000, 120.5, "119", "120-"},
			"transactionId": {nil, "", 7, "pi_none", "none", "..", intentOf(otherSecret), intentOf(otherBuyersSecret), secret},
			"email":         {nil, "", 7},
			"bookingId":     {nil, "", 7},
		} {
			for _, value := range values {
				buyer.postPayment(body.with(name, value)).wantInvalid(name)
			}
		}
	})
	t.Run("402 before the charge has succeeded", func(t *testing.T) {
		buyer.postPayment(body).wantError(http.StatusPaymentRequired, market.CodeUnpaid)
		e.confirm(secret, "pm_card_chargeDeclined").wantStatus(http.StatusPaymentRequired)
		buyer.postPayment(body).wantError(http.StatusPaymentRequired, market.CodeUnpaid)
		e.confirm(secret, "pm_card_authenticationRequired").wantStatus(http.StatusOK)
		buyer.postPayment(body).wantError(http.StatusPaymentRequired, market.CodeUnpaid)
		if got := buyer.getBooking(booking); got["status"] != "held" {
			t.Errorf("the booking is %v, want another status", got)
		}
		buyer.createIntent(booking) // the payment can be tried again
	})
	t.Run("422 for a successful payment of another booking", func(t *testing.T) {
		e.confirm(otherSecret, "pm_card_visa").wantStatus(http.StatusOK)
		e.confirm(otherBuyersSecret, "pm_card_visa").wantStatus(http.StatusOK)
		buyer.postPayment(body.with("transactionId", intentOf(otherSecret))).wantInvalid("transactionId")
		buyer.postPayment(body.with("transactionId", intentOf(otherBuyersSecret))).wantInvalid("transactionId")
	})
	t.Run("200, and again with the same insertedId", func(t *testing.T) {
		e.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
		first := buyer.postPayment(body).insertedID()
		for range 3 {
			if again := buyer.postPayment(body).insertedID(); again != first {
				t.Errorf("the payment is %s, want %s", again, first)
			}
		}
		buyer.wantPaid(t, booking)
		mine := seller.ownProducts().product(phone)
		if got, _ := mine["buyer"].(map[string]any); mine["sold"] != true || got["email"] != buyer.user.Email {
			t.Errorf("the seller's phone is %v, want it sold to the buyer", mine)
		}
	})
	t.Run("200 for the email address in another case", func(t *testing.T) {
		if id := buyer.postPayment(body.with("email", strings.ToUpper(buyer.user.Email))).insertedID(); id == "" {
			t.Error("no id")
		}
	})
	t.Run("409 after a refund", func(t *testing.T) {
		e.refundAtStripe(intentOf(secret))
		e.runDueWork()
		if got := buyer.getBooking(booking); got["status"] != "refunded" || got["paid"] != false {
			t.Errorf("the booking is %v, want another status", got)
		}
		buyer.postPayment(body).wantError(http.StatusConflict, market.CodeRefunded)
		buyer.postIntent(fields{"price": 120, "bookingId": booking}).wantError(http.StatusConflict, market.CodeClosed)
	})
}

// An intent with another currency, amount or buyer does not pay for a booking.
func TestIntentsOfOtherAmountsAreRefused(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	phone := seller.addPhone(e.brand("Nokia"))
	booking := buyer.book(phone)
	right := url.Values{
		"amount": {"12000"}, "currency": {"usd"},
		"metadata[booking]": {booking}, "metadata[product]": {phone}, "metadata[buyer]": {buyer.user.UID},
	}
	for name, value := range map[string]string{
		"amount": "100", "currency": "eur", "metadata[booking]": "another", "metadata[product]": "another", "metadata[buyer]": "another",
	} {
		t.Run(name, func(t *testing.T) {
			form := maps.Clone(right)
			form.Set(name, value)
			var made struct {
				ID     string
				Secret string `json:"client_secret"`
			}
			e.postToStripe("/v1/payment_intents", stripeSecretKey, form).wantStatus(http.StatusOK).decode(&made)
			e.confirm(made.Secret, "pm_card_visa").wantStatus(http.StatusOK)
			buyer.postPayment(buyer.paymentFields(booking, made.ID)).wantInvalid("transactionId")
			e.runDueWork() // the webhook is delivered too
			if got := buyer.getBooking(booking); got["status"] != "held" {
				t.Errorf("the booking is %v, want another status", got)
			}
		})
	}
}

func TestPaymentArrivesByEveryPath(t *testing.T) {
	for name, deliver := range map[string]func(e *env){
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
			deliver(e)
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
	t.Run("400 for an event without a valid signature, and for an old one", func(t *testing.T) {
		body := succeededEvent("evt_1", intentOf(secret))
		for _, signature := range []string{
			"", "t=1,v1=00", signEvent(body, "whsec_another", now), signEvent(body, stripeWebhookSecret, now.Add(-6*time.Minute)), signEvent(body, stripeWebhookSecret, now.Add(6*time.Minute)),
		} {
			e.postWebhook(body, signature).wantError(http.StatusBadRequest, market.CodeBadRequest)
		}
		if got := buyer.getBooking(booking); got["status"] != "held" {
			t.Errorf("the booking is %v, want another status", got)
		}
	})
	t.Run("413 for more than 1 MB", func(t *testing.T) {
		e.postWebhook(strings.Repeat(" ", 1<<20+1), "t=1").wantError(http.StatusRequestEntityTooLarge, rest.CodeTooLarge)
	})
	t.Run("503 while Stripe is unavailable, and 200 for the next delivery", func(t *testing.T) {
		e.stripe.offline.Store(true)
		body := succeededEvent("evt_2", intentOf(secret))
		e.postWebhook(body, signEvent(body, stripeWebhookSecret, now)).wantUnavailable()
		e.stripe.offline.Store(false)
		if got := e.postWebhook(body, signEvent(body, stripeWebhookSecret, now)).wantStatus(http.StatusOK); string(got.body) != `{"received":true}` {
			t.Errorf("the body is %s", got.body)
		}
		buyer.wantPaid(t, booking)
	})
	t.Run("200 for a repeated event, without a request to Stripe", func(t *testing.T) {
		e.stripe.offline.Store(true)
		defer e.stripe.offline.Store(false)
		body := succeededEvent("evt_2", intentOf(secret))
		if got := e.postWebhook(body, signEvent(body, stripeWebhookSecret, now)).wantStatus(http.StatusOK); string(got.body) != `{"received":true,"duplicate":true}` {
			t.Errorf("the body is %s", got.body)
		}
	})
	if strings.Contains(e.log.String(), stripeWebhookSecret) || strings.Contains(e.log.String(), secret) {
		t.Error("the log contains a secret")
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
		t.Error("the log does not contain the cause")
	}
	e.stripe.offline.Store(false)
	buyer.postPayment(buyer.paymentFields(booking, secret)).insertedID()
	buyer.createIntent(fresh)
	for _, private := range []string{buyer.user.Email, secret, stripeSecretKey} {
		if strings.Contains(e.log.String(), private) {
			t.Errorf("the log contains %q", private)
		}
	}
}
