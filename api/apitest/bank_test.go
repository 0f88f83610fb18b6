package apitest_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"secondring/api/payment"
	"secondring/api/payment/stripetest"
	"secondring/api/rest"
	stripesandbox "secondring/sandbox/stripe"
)

const (
	bankKey     = "pk_test_test"
	bankWebhook = "whsec_test"
	bankSecret  = "sk_test_test"
)

// bank is the card sandbox of an env. Each request to it is also sent to stripe-mock, which
// validates it. The connection to it can be interrupted.
type bank struct {
	box     *stripesandbox.Sandbox
	gateway *payment.Gateway
	webhook http.Handler // set before the first request
	line    http.RoundTripper
	cut     atomic.Bool
}

var errCut = errors.New("the line is cut")

// RoundTrip implements http.RoundTripper.
func (b *bank) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.cut.Load() {
		return nil, errCut
	}
	return b.line.RoundTrip(r)
}

// ServeHTTP receives the sandbox's events as the webhook.
func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.webhook.ServeHTTP(w, r) }

func newBank(w *env, log *slog.Logger) *bank {
	w.t.Helper()
	b := &bank{}
	var err error
	b.box, err = stripesandbox.New(stripesandbox.Config{
		Records: w.store, Clock: w.clock, SecretKey: bankSecret, PublishableKey: bankKey,
		WebhookSecret: bankWebhook, Webhook: b, Log: log,
	})
	must(w.t, err)
	b.line = stripetest.Checking(w.t, stripesandbox.Path, b.box.Client().Transport)
	b.gateway = payment.NewGateway(payment.GatewayConfig{
		SecretKey: bankSecret, URL: "http://stripe.sandbox" + stripesandbox.Path, ReturnURL: w.server.URL + "/dashboard/earnings", Client: &http.Client{Transport: b}, Log: log,
	})
	return b
}

// calls returns the payment routes of an env.
func (b *bank) calls(w *env, log *slog.Logger) []rest.Route {
	w.t.Helper()
	service, err := payment.New(payment.Config{
		Market: w.market, Records: w.store, Clock: w.clock, WebhookSecret: bankWebhook, Log: log,
	})
	must(w.t, err)
	b.webhook = service.Webhook()
	return service.Routes()
}

// ask sends a request to the sandbox over HTTP, as Stripe.js does.
func (w *env) ask(path, key string, form url.Values) answer {
	w.t.Helper()
	return w.send(http.MethodPost, stripesandbox.Path+path, form.Encode(),
		header("Content-Type", "application/x-www-form-urlencoded"), header("Authorization", "Bearer "+key))
}

// intentOf returns the ID of the intent that a client secret belongs to.
func intentOf(secret string) string {
	id, _, _ := strings.Cut(secret, "_secret_")
	return id
}

// confirm pays with one of Stripe's test cards, as the browser does.
func (w *env) confirm(secret, card string) answer {
	w.t.Helper()
	return w.ask("/v1/payment_intents/"+intentOf(secret)+"/confirm", bankKey, url.Values{"client_secret": {secret}, "payment_method": {card}})
}

// refund refunds a payment at the provider, without a call to the server.
func (w *env) refund(intent string) {
	w.t.Helper()
	w.ask("/v1/refunds", bankSecret, url.Values{"payment_intent": {intent}}).is(http.StatusOK)
}

// begins creates the payment intent of a booking of 120 dollars and returns its client
// secret.
func (p *person) begins(booking string) string {
	p.t.Helper()
	var got struct{ ClientSecret string }
	p.opens(fields{"price": 120, "bookingId": booking}).is(http.StatusOK).into(&got)
	if got.ClientSecret == "" {
		p.t.Fatal("no client secret")
	}
	return got.ClientSecret
}

func (p *person) opens(body any) answer {
	p.t.Helper()
	return p.do(http.MethodPost, "/create-payment-intent", body)
}

func (p *person) pays(body any) answer {
	p.t.Helper()
	return p.do(http.MethodPost, "/payments", body)
}

// paymentFields returns a valid body of POST /payments.
func (p *person) paymentFields(booking, secret string) fields {
	return fields{"price": 120, "transactionId": intentOf(secret), "email": p.user.Email, "bookingId": booking}
}

// order returns the user's own booking from the list.
func (p *person) order(id string) map[string]any {
	p.t.Helper()
	var got map[string]any
	p.get("/booking/" + id).is(http.StatusOK).into(&got)
	return got
}

// postWebhook posts an event to the webhook over HTTP.
func (w *env) postWebhook(body, signature string) answer {
	w.t.Helper()
	return w.send(http.MethodPost, payment.WebhookPath, body, func(r *http.Request) {
		if signature != "" {
			r.Header.Set("Stripe-Signature", signature)
		}
	})
}

// paid fails the test unless the booking is paid, and the phone sold.
func (p *person) paid(t *testing.T, booking string) {
	t.Helper()
	if got := p.order(booking); got["status"] != "paid" || got["paid"] != true {
		t.Errorf("the booking is %v", got)
	}
}
