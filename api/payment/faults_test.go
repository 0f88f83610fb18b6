package payment_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"secondring/api/payment"
	"secondring/market"
)

// scriptedStripe is a transport to a fake Stripe with a list of replies; the last one repeats.
type scriptedStripe struct {
	replies []reply
	keys    []string // the idempotency keys that it received
}

type reply struct {
	status int
	body   string
	header string // a name and a value
	err    error
}

func (s *scriptedStripe) RoundTrip(r *http.Request) (*http.Response, error) {
	s.keys = append(s.keys, r.Header.Get("Idempotency-Key"))
	next := s.replies[0]
	if len(s.replies) > 1 {
		s.replies = s.replies[1:]
	}
	if next.err != nil {
		return nil, next.err
	}
	header := http.Header{"Request-Id": {"req_1"}}
	if name, value, ok := strings.Cut(next.header, ": "); ok {
		header.Set(name, value)
	}
	return &http.Response{
		StatusCode: next.status, Header: header, Body: io.NopCloser(strings.NewReader(next.body)), Request: r,
	}, nil
}

const (
	key    = "sk_test_THEKEY"
	secret = "pi_1_secret_HIDDEN"
	email  = "buyer@phones.example"
)

// errorReply returns an error response of Stripe. Its text and its intent must not be logged.
func errorReply(status int, kind, code, param string) reply {
	return reply{status: status, body: `{"error":{"type":"` + kind + `","code":"` + code + `","param":"` + param +
		`","message":"About ` + email + ` and ` + key + `","payment_intent":{"id":"pi_1","client_secret":"` + secret +
		`","receipt_email":"` + email + `"}}}`}
}

func newScriptedGateway(replies ...reply) (*payment.Gateway, *scriptedStripe, *bytes.Buffer) {
	stripe, log := &scriptedStripe{replies: replies}, &bytes.Buffer{}
	return payment.NewGateway(payment.GatewayConfig{
		SecretKey: key, Client: &http.Client{Transport: stripe},
		Log: slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}), stripe, log
}

var order = market.IntentRequest{
	BookingID: "b1", ProductID: "p1", BuyerUID: "u1", Attempt: 2, Cents: 12000, Email: email, About: "Nokia Nexus 5",
}

func TestProviderErrors(t *testing.T) {
	errReset := errors.New("connection reset")
	for name, c := range map[string]struct {
		reply  reply
		want   error // nil for an error that is none of package market
		logged string
	}{
		"no connection":            {reply{err: errReset}, market.ErrPaymentsUnavailable, "connection reset"},
		"HTML of a proxy":          {reply{status: 502, body: "<html>" + secret}, market.ErrPaymentsUnavailable, "Stripe did not answer"},
		"a cut body":               {reply{status: 200, body: `{"id":"pi_1","client_secret":"` + secret}, market.ErrPaymentsUnavailable, "Stripe did not answer"},
		"500":                      {errorReply(500, "api_error", "", ""), market.ErrPaymentsUnavailable, "req_1"},
		"503":                      {errorReply(503, "api_error", "", ""), market.ErrPaymentsUnavailable, "is unavailable"},
		"429":                      {errorReply(429, "invalid_request_error", "rate_limit", ""), market.ErrPaymentsUnavailable, "rate_limit"},
		"429 over a lock":          {errorReply(429, "invalid_request_error", "lock_timeout", ""), market.ErrPaymentsUnavailable, "lock_timeout"},
		"409 while it is busy":     {errorReply(409, "idempotency_error", "idempotency_key_in_use", ""), market.ErrPaymentsUnavailable, "idempotency_key_in_use"},
		"401 for a wrong key":      {errorReply(401, "invalid_request_error", "", ""), market.ErrPaymentsUnavailable, "STRIPE_SECRET_KEY"},
		"403 for a restricted key": {errorReply(403, "invalid_request_error", "more_permissions_required", ""), market.ErrPaymentsUnavailable, "STRIPE_SECRET_KEY"},
		"404":                      {errorReply(404, "invalid_request_error", "resource_missing", "intent"), market.ErrNoIntent, ""},
		"400":                      {errorReply(400, "invalid_request_error", "parameter_unknown", "colour"), nil, ""},
		"402":                      {errorReply(402, "card_error", "card_declined", ""), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for call, request := range map[string]func(*payment.Gateway) error{
				"open":   func(g *payment.Gateway) error { _, err := g.OpenIntent(t.Context(), order); return err },
				"read":   func(g *payment.Gateway) error { _, err := g.Intent(t.Context(), "pi_1"); return err },
				"cancel": func(g *payment.Gateway) error { _, err := g.CancelIntent(t.Context(), "pi_1"); return err },
				"refund": func(g *payment.Gateway) error { return g.Refund(t.Context(), "pi_1", 0) },
			} {
				synctest.Test(t, func(t *testing.T) { // the library sleeps between its attempts
					gateway, _, log := newScriptedGateway(c.reply)
					err := request(gateway)
					unavailable, unknown := errors.Is(err, market.ErrPaymentsUnavailable), errors.Is(err, market.ErrNoIntent)
					if err == nil || unavailable != errors.Is(c.want, market.ErrPaymentsUnavailable) || unknown != errors.Is(c.want, market.ErrNoIntent) {
						t.Errorf("%s: %v, want %v", call, err, c.want)
					}
					if !strings.Contains(log.String(), c.logged) {
						t.Errorf("%s: the log is %s, want it to contain %q", call, log, c.logged)
					}
					wantNoSecrets(t, call, err.Error()+log.String())
				})
			}
		})
	}
}

// wantNoSecrets fails the test if the text has a secret or an address.
func wantNoSecrets(t *testing.T, call, text string) {
	t.Helper()
	for _, secret := range []string{key, "HIDDEN", email} {
		if strings.Contains(text, secret) {
			t.Errorf("the error or the log of %s contains %s: %s", call, secret, text)
		}
	}
}

// A redirect of Stripe is not followed, even if its response would be valid: the key and
// the order must not be sent to another host.
func TestStripeRedirectsAreNotFollowed(t *testing.T) {
	var followed atomic.Int32
	otherHost := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		followed.Add(1)
		_, _ = io.WriteString(w, `{"id":"pi_1","object":"payment_intent","status":"succeeded","amount":12000,"currency":"usd"}`)
	}))
	t.Cleanup(otherHost.Close)
	stripe := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/no-redirect/") {
			_, _ = io.WriteString(w, intentJSON)
			return
		}
		w.Header().Set("Location", otherHost.URL+r.URL.Path)
		w.WriteHeader(http.StatusTemporaryRedirect)
		_, _ = io.WriteString(w, `{"id":"pi_1","object":"payment_intent","status":"succeeded","amount":12000,"currency":"usd"}`)
	}))
	t.Cleanup(stripe.Close)
	log := slog.New(slog.DiscardHandler)
	gateway := payment.NewGateway(payment.GatewayConfig{SecretKey: key, URL: stripe.URL, Log: log})
	if in, err := gateway.Intent(t.Context(), "pi_1"); !errors.Is(err, market.ErrPaymentsUnavailable) {
		t.Errorf("the redirected read returns %+v, %v", in, err)
	}
	if in, err := gateway.OpenIntent(t.Context(), order); !errors.Is(err, market.ErrPaymentsUnavailable) {
		t.Errorf("the redirected order returns %+v, %v", in, err)
	}
	if n := followed.Load(); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
	direct := payment.NewGateway(payment.GatewayConfig{SecretKey: key, URL: stripe.URL + "/no-redirect", Log: log})
	if in, err := direct.Intent(t.Context(), "pi_1"); err != nil || in.ID != "pi_1" {
		t.Errorf("without a redirect: %+v, %v", in, err)
	}
}

func TestCancelledRequestIsNotLoggedAsError(t *testing.T) {
	gateway, _, log := newScriptedGateway(reply{err: context.Canceled})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := gateway.Intent(ctx, "pi_1")
	if !errors.Is(err, context.Canceled) || strings.Contains(log.String(), "WARN") {
		t.Errorf("%v, log %s", err, log)
	}
}

const intentJSON = `{"id":"pi_1","object":"payment_intent","status":"requires_payment_method","amount":12000,"currency":"usd"}`

// If Stripe has stored an old failure under an idempotency key, the next key is used.
func TestUsedIdempotencyKeys(t *testing.T) {
	replay := func(r reply) reply { r.header = "Idempotent-Replayed: true"; return r }
	failure := errorReply(500, "api_error", "", "")
	for name, c := range map[string]struct {
		replies  []reply
		attempts int
		succeeds bool
	}{
		"other parameters under the key": {[]reply{errorReply(400, "idempotency_error", "", ""), {status: 200, body: intentJSON}}, 2, true},
		"a stored failure under the key": {[]reply{replay(failure), {status: 200, body: intentJSON}}, 2, true},
		"stored failures, two keys":      {[]reply{replay(failure), replay(failure), {status: 200, body: intentJSON}}, 3, true},
		"stored failures, all keys":      {[]reply{replay(failure)}, 3, false},
		"a new failure":                  {[]reply{failure, {status: 200, body: intentJSON}}, 1, false},
		"an invalid receipt address":     {[]reply{errorReply(400, "invalid_request_error", "email_invalid", "receipt_email"), {status: 200, body: intentJSON}}, 2, true},
		"another refused parameter":      {[]reply{errorReply(400, "invalid_request_error", "amount_too_large", "amount"), {status: 200, body: intentJSON}}, 1, false},
		"the key of a running request":   {[]reply{errorReply(409, "idempotency_error", "idempotency_key_in_use", "")}, 3, false}, // the number of the library's attempts
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gateway, stripe, _ := newScriptedGateway(c.replies...)
				in, err := gateway.OpenIntent(t.Context(), order)
				if (err == nil) != c.succeeds || (c.succeeds && in.ID != "pi_1") || len(stripe.keys) != c.attempts {
					t.Errorf("%+v, %v after %q", in, err, stripe.keys)
				}
				if stripe.keys[0] != "secondring-intent-b1-2" {
					t.Errorf("keys %q", stripe.keys)
				}
			})
		})
	}
}

func TestRefunds(t *testing.T) {
	replay := func(r reply) reply { r.header = "Idempotent-Replayed: true"; return r }
	for name, c := range map[string]struct {
		replies  []reply
		attempts int
		succeeds bool
		logged   string
	}{
		"succeeded":              {[]reply{{status: 200, body: `{"id":"re_1","status":"succeeded"}`}}, 1, true, ""},
		"pending":                {[]reply{{status: 200, body: `{"id":"re_1","status":"pending"}`}}, 1, true, ""},
		"already refunded":       {[]reply{errorReply(400, "invalid_request_error", "charge_already_refunded", "")}, 1, true, ""},
		"disputed":               {[]reply{errorReply(400, "invalid_request_error", "charge_disputed", "")}, 1, true, `the charge is disputed: the dispute decides who gets the money","intent":"pi_1"`},
		"failed":                 {[]reply{{status: 200, body: `{"id":"re_1","status":"failed"}`}}, 1, false, ""},
		"after a stored failure": {[]reply{replay(errorReply(500, "api_error", "", "")), {status: 200, body: `{"id":"re_1","status":"succeeded"}`}}, 2, true, ""},
		"without a charge":       {[]reply{errorReply(400, "invalid_request_error", "missing", "")}, 1, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			gateway, stripe, log := newScriptedGateway(c.replies...)
			err := gateway.Refund(t.Context(), "pi_1", 0)
			if (err == nil) != c.succeeds || len(stripe.keys) != c.attempts || stripe.keys[0] != "secondring-refund-pi_1" {
				t.Errorf("%v after %q", err, stripe.keys)
			}
			if !strings.Contains(log.String(), c.logged) {
				t.Errorf("the log is %q, want %q", log, c.logged)
			}
		})
	}
}

// A buyer's transaction ID becomes part of a URL only if it has the form of an intent's ID.
func TestOnlyIntentIDsReachStripe(t *testing.T) {
	gateway, stripe, _ := newScriptedGateway(reply{status: 200, body: intentJSON})
	for _, id := range []string{"", "pi_", "..", "../charges", "pi_1/../../charges", "ch_1", "pi_1?x=1", "pi_1\n", "pi_é", "pi_" + strings.Repeat("1", 300)} {
		_, readErr := gateway.Intent(t.Context(), id)
		_, cancelErr := gateway.CancelIntent(t.Context(), id)
		for _, err := range []error{readErr, cancelErr, gateway.Refund(t.Context(), id, 0)} {
			if !errors.Is(err, market.ErrNoIntent) {
				t.Errorf("the intent %q: %v, want unknown", id, err)
			}
		}
	}
	if len(stripe.keys) != 0 {
		t.Errorf("%d requests were sent to Stripe", len(stripe.keys))
	}
}
