package apitest_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76/webhook"

	"secondring/api/payment"
	"secondring/api/payment/stripetest"
	"secondring/api/rest"
	stripesandbox "secondring/sandbox/stripe"
)

const (
	stripePublishableKey = "pk_test_test"
	stripeWebhookSecret  = "whsec_test"
	stripeSecretKey      = "sk_test_test"
)

// stripeEnv is the Stripe sandbox of an env, and the gateway to it. stripe-mock validates each
// request. A test can interrupt the connection.
type stripeEnv struct {
	sandbox   *stripesandbox.Sandbox
	gateway   *payment.Gateway
	webhook   http.Handler // set before the first request
	transport http.RoundTripper
	offline   atomic.Bool
}

var errOffline = errors.New("the connection is interrupted")

// RoundTrip implements http.RoundTripper.
func (b *stripeEnv) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.offline.Load() {
		return nil, errOffline
	}
	return b.transport.RoundTrip(r)
}

// ServeHTTP receives the sandbox's events as the webhook.
func (b *stripeEnv) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.webhook.ServeHTTP(w, r) }

func newStripeEnv(e *env, log *slog.Logger) *stripeEnv {
	e.t.Helper()
	b := &stripeEnv{}
	b.sandbox = stripesandbox.New(stripesandbox.Config{
		Records: e.store, Clock: e.clock, SecretKey: stripeSecretKey, PublishableKey: stripePublishableKey,
		WebhookSecret: stripeWebhookSecret, Webhook: b, Log: log,
	})
	b.transport = stripetest.NewTransport(e.t, stripesandbox.Path, b.sandbox.Client().Transport)
	b.gateway = payment.NewGateway(payment.GatewayConfig{
		SecretKey: stripeSecretKey, URL: "http://stripe.sandbox" + stripesandbox.Path, ReturnURL: e.server.URL + "/dashboard/earnings", Client: &http.Client{Transport: b}, Log: log,
	})
	return b
}

// routes returns the payment routes of an env.
func (b *stripeEnv) routes(e *env, log *slog.Logger) []rest.Route {
	e.t.Helper()
	service, err := payment.New(payment.Config{
		Market: e.market, Records: e.store, Clock: e.clock, WebhookSecret: stripeWebhookSecret, Log: log,
	})
	must(e.t, err)
	b.webhook = service.Webhook()
	return service.Routes()
}

// postToStripe sends a request to the sandbox over HTTP, as Stripe.js does.
func (e *env) postToStripe(path, key string, form url.Values) response {
	e.t.Helper()
	return e.send(http.MethodPost, stripesandbox.Path+path, form.Encode(),
		header("Content-Type", "application/x-www-form-urlencoded"), header("Authorization", "Bearer "+key))
}

// getFromStripe sends a GET to the sandbox with the secret key.
func (e *env) getFromStripe(path string) response {
	e.t.Helper()
	return e.send(http.MethodGet, stripesandbox.Path+path, nil, header("Authorization", "Bearer "+stripeSecretKey)).wantStatus(http.StatusOK)
}

// succeededEvent returns the body of a webhook's event that a payment has succeeded.
func succeededEvent(id, intent string) string {
	return fmt.Sprintf(`{"id":%q,"object":"event","type":"payment_intent.succeeded","livemode":false,`+
		`"data":{"object":{"object":"payment_intent","id":%q}}}`, id, intent)
}

// signEvent returns the Stripe-Signature header of an event.
func signEvent(body, secret string, at time.Time) string {
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(webhook.ComputeSignature(at, []byte(body), secret)))
}

// intentOf returns the ID of the intent that a client secret belongs to.
func intentOf(secret string) string {
	id, _, _ := strings.Cut(secret, "_secret_")
	return id
}

// confirm confirms an intent with one of Stripe's test payment methods, as Stripe.js does.
func (e *env) confirm(secret, card string) response {
	e.t.Helper()
	return e.postToStripe("/v1/payment_intents/"+intentOf(secret)+"/confirm", stripePublishableKey, url.Values{"client_secret": {secret}, "payment_method": {card}})
}

// refundAtStripe refunds a payment at Stripe, without a request to the server.
func (e *env) refundAtStripe(intent string) {
	e.t.Helper()
	e.postToStripe("/v1/refunds", stripeSecretKey, url.Values{"payment_intent": {intent}}).wantStatus(http.StatusOK)
}

// createIntent creates the payment intent of a booking and returns its client secret.
func (p *person) createIntent(booking string) string {
	p.t.Helper()
	var got struct{ ClientSecret string }
	p.postIntent(fields{"price": p.getBooking(booking)["price"], "bookingId": booking}).wantStatus(http.StatusOK).decode(&got)
	if got.ClientSecret == "" {
		p.t.Fatal("no client secret")
	}
	return got.ClientSecret
}

func (p *person) postIntent(body any) response {
	p.t.Helper()
	return p.do(http.MethodPost, "/create-payment-intent", body)
}

func (p *person) postPayment(body any) response {
	p.t.Helper()
	return p.do(http.MethodPost, "/payments", body)
}

// paymentFields returns a valid body of POST /payments.
func (p *person) paymentFields(booking, secret string) fields {
	return fields{"price": p.getBooking(booking)["price"], "transactionId": intentOf(secret), "email": p.user.Email, "bookingId": booking}
}

// getBooking returns a booking as the person sees it.
func (p *person) getBooking(id string) map[string]any {
	p.t.Helper()
	var got map[string]any
	p.get("/booking/" + id).wantStatus(http.StatusOK).decode(&got)
	return got
}

// postWebhook posts an event to the webhook over HTTP.
func (e *env) postWebhook(body, signature string) response {
	e.t.Helper()
	return e.send(http.MethodPost, payment.WebhookPath, body, func(r *http.Request) {
		if signature != "" {
			r.Header.Set("Stripe-Signature", signature)
		}
	})
}

// wantPaid fails the test unless the booking is paid.
func (p *person) wantPaid(t *testing.T, booking string) {
	t.Helper()
	if got := p.getBooking(booking); got["status"] != "paid" || got["paid"] != true {
		t.Errorf("the booking is %v, want a paid one", got)
	}
}
