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

// scripted is a fake Stripe with a list of responses; the last one repeats.
type scripted struct {
	answers []reply
	keys    []string // the idempotency keys that it received
}

type reply struct {
	status int
	body   string
	header string // a name and a value
	err    error
}

func (s *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	s.keys = append(s.keys, r.Header.Get("Idempotency-Key"))
	next := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
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

// refused returns an error response of Stripe. Its text and its intent must not be logged.
func refused(status int, kind, code, param string) reply {
	return reply{status: status, body: `{"error":{"type":"` + kind + `","code":"` + code + `","param":"` + param +
		`","message":"About ` + email + ` and ` + key + `","payment_intent":{"id":"pi_1","client_secret":"` + secret +
		`","receipt_email":"` + email + `"}}}`}
}

func ask(answers ...reply) (*payment.Gateway, *scripted, *bytes.Buffer) {
	stripe, log := &scripted{answers: answers}, &bytes.Buffer{}
	return payment.NewGateway(payment.GatewayConfig{
		SecretKey: key, Client: &http.Client{Transport: stripe},
		Log: slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}), stripe, log
}

var order = market.IntentRequest{
	BookingID: "b1", ProductID: "p1", BuyerUID: "u1", Attempt: 2, Cents: 12000, Email: email, About: "Nokia Nexus 5",
}

func TestProviderErrors(t *testing.T) {
	broken := errors.New("connection reset")
	for name, c := range map[string]struct {
		answer reply
		want   error // nil for an error that is neither of market's
		logged string
	}{
		"no connection":            {reply{err: broken}, market.ErrPaymentsUnavailable, "connection reset"},
		"a gateway's page":         {reply{status: 502, body: "<html>" + secret}, market.ErrPaymentsUnavailable, "Stripe did not answer"},
		"half a body":              {reply{status: 200, body: `{"id":"pi_1","client_secret":"` + secret}, market.ErrPaymentsUnavailable, "Stripe did not answer"},
		"500":                      {refused(500, "api_error", "", ""), market.ErrPaymentsUnavailable, "req_1"},
		"503":                      {refused(503, "api_error", "", ""), market.ErrPaymentsUnavailable, "is unavailable"},
		"429":                      {refused(429, "invalid_request_error", "rate_limit", ""), market.ErrPaymentsUnavailable, "rate_limit"},
		"429 over a lock":          {refused(429, "invalid_request_error", "lock_timeout", ""), market.ErrPaymentsUnavailable, "lock_timeout"},
		"409 while it is busy":     {refused(409, "idempotency_error", "idempotency_key_in_use", ""), market.ErrPaymentsUnavailable, "idempotency_key_in_use"},
		"401 for a wrong key":      {refused(401, "invalid_request_error", "", ""), market.ErrPaymentsUnavailable, "STRIPE_SECRET_KEY"},
		"403 for a restricted key": {refused(403, "invalid_request_error", "more_permissions_required", ""), market.ErrPaymentsUnavailable, "STRIPE_SECRET_KEY"},
		"404":                      {refused(404, "invalid_request_error", "resource_missing", "intent"), market.ErrNoIntent, ""},
		"400":                      {refused(400, "invalid_request_error", "parameter_unknown", "colour"), nil, ""},
		"402":                      {refused(402, "card_error", "card_declined", ""), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for call, try := range map[string]func(*payment.Gateway) error{
				"open":   func(g *payment.Gateway) error { _, err := g.OpenIntent(t.Context(), order); return err },
				"look":   func(g *payment.Gateway) error { _, err := g.Intent(t.Context(), "pi_1"); return err },
				"cancel": func(g *payment.Gateway) error { _, err := g.CancelIntent(t.Context(), "pi_1"); return err },
				"refund": func(g *payment.Gateway) error { return g.Refund(t.Context(), "pi_1", 0) },
			} {
				synctest.Test(t, func(t *testing.T) { // the library sleeps between its tries
					gateway, _, log := ask(c.answer)
					err := try(gateway)
					away, none := errors.Is(err, market.ErrPaymentsUnavailable), errors.Is(err, market.ErrNoIntent)
					if err == nil || away != errors.Is(c.want, market.ErrPaymentsUnavailable) || none != errors.Is(c.want, market.ErrNoIntent) {
						t.Errorf("%s: %v, want %v", call, err, c.want)
					}
					if !strings.Contains(log.String(), c.logged) {
						t.Errorf("%s: the log says %s", call, log)
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
	for _, word := range []string{key, "HIDDEN", email} {
		if strings.Contains(text, word) {
			t.Errorf("%s tells %s: %s", call, word, text)
		}
	}
}

// A redirect of Stripe is not followed, even if its response would be valid: the key and
// the order must not be sent to another host.
func TestStripeRedirectsAreNotFollowed(t *testing.T) {
	var elsewhere atomic.Int32
	impostor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		elsewhere.Add(1)
		_, _ = io.WriteString(w, `{"id":"pi_1","object":"payment_intent","status":"succeeded","amount":12000,"currency":"usd"}`)
	}))
	t.Cleanup(impostor.Close)
	stripe := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/stays/") {
			_, _ = io.WriteString(w, made)
			return
		}
		w.Header().Set("Location", impostor.URL+r.URL.Path)
		w.WriteHeader(http.StatusTemporaryRedirect)
		_, _ = io.WriteString(w, `{"id":"pi_1","object":"payment_intent","status":"succeeded","amount":12000,"currency":"usd"}`)
	}))
	t.Cleanup(stripe.Close)
	log := slog.New(slog.DiscardHandler)
	gateway := payment.NewGateway(payment.GatewayConfig{SecretKey: key, URL: stripe.URL, Log: log})
	if in, err := gateway.Intent(t.Context(), "pi_1"); !errors.Is(err, market.ErrPaymentsUnavailable) {
		t.Errorf("%+v, %v", in, err)
	}
	if in, err := gateway.OpenIntent(t.Context(), order); !errors.Is(err, market.ErrPaymentsUnavailable) {
		t.Errorf("%+v, %v", in, err)
	}
	if n := elsewhere.Load(); n != 0 {
		t.Errorf("%d calls came elsewhere", n)
	}
	right := payment.NewGateway(payment.GatewayConfig{SecretKey: key, URL: stripe.URL + "/stays", Log: log})
	if in, err := right.Intent(t.Context(), "pi_1"); err != nil || in.ID != "pi_1" {
		t.Errorf("without a redirect: %+v, %v", in, err)
	}
}

func TestCancelledRequestIsNotLoggedAsError(t *testing.T) {
	gateway, _, log := ask(reply{err: context.Canceled})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := gateway.Intent(ctx, "pi_1")
	if !errors.Is(err, context.Canceled) || strings.Contains(log.String(), "WARN") {
		t.Errorf("%v, log %s", err, log)
	}
}

const made = `{"id":"pi_1","object":"payment_intent","status":"requires_payment_method","amount":12000,"currency":"usd"}`

// If Stripe has stored an old failure under an idempotency key, the next key is used.
func TestSpentIdempotencyKeys(t *testing.T) {
	replay := func(r reply) reply { r.header = "Idempotent-Replayed: true"; return r }
	fault := refused(500, "api_error", "", "")
	for name, c := range map[string]struct {
		answers []reply
		tries   int
		done    bool
	}{
		"other parameters under the key":    {[]reply{refused(400, "idempotency_error", "", ""), {status: 200, body: made}}, 2, true},
		"Stripe's old fault under the key":  {[]reply{replay(fault), {status: 200, body: made}}, 2, true},
		"old faults under two keys":         {[]reply{replay(fault), replay(fault), {status: 200, body: made}}, 3, true},
		"old faults under all keys":         {[]reply{replay(fault)}, 3, false},
		"a fault of now":                    {[]reply{fault, {status: 200, body: made}}, 1, false},
		"a receipt that cannot be sent":     {[]reply{refused(400, "invalid_request_error", "email_invalid", "receipt_email"), {status: 200, body: made}}, 2, true},
		"something else that is not taken":  {[]reply{refused(400, "invalid_request_error", "amount_too_large", "amount"), {status: 200, body: made}}, 1, false},
		"the key of a request in the works": {[]reply{refused(409, "idempotency_error", "idempotency_key_in_use", "")}, 3, false}, // the number of the library's tries
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gateway, stripe, _ := ask(c.answers...)
				in, err := gateway.OpenIntent(t.Context(), order)
				if (err == nil) != c.done || (c.done && in.ID != "pi_1") || len(stripe.keys) != c.tries {
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
		answers []reply
		tries   int
		back    bool
	}{
		"succeeded":           {[]reply{{status: 200, body: `{"id":"re_1","status":"succeeded"}`}}, 1, true},
		"pending":             {[]reply{{status: 200, body: `{"id":"re_1","status":"pending"}`}}, 1, true},
		"refunded already":    {[]reply{refused(400, "invalid_request_error", "charge_already_refunded", "")}, 1, true},
		"fetched by the bank": {[]reply{refused(400, "invalid_request_error", "charge_disputed", "")}, 1, true},
		"failed":              {[]reply{{status: 200, body: `{"id":"re_1","status":"failed"}`}}, 1, false},
		"after an old fault":  {[]reply{replay(refused(500, "api_error", "", "")), {status: 200, body: `{"id":"re_1","status":"succeeded"}`}}, 2, true},
		"of nothing charged":  {[]reply{refused(400, "invalid_request_error", "missing", "")}, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			gateway, stripe, _ := ask(c.answers...)
			err := gateway.Refund(t.Context(), "pi_1", 0)
			if (err == nil) != c.back || len(stripe.keys) != c.tries || stripe.keys[0] != "secondring-refund-pi_1" {
				t.Errorf("%v after %q", err, stripe.keys)
			}
		})
	}
}

// A buyer's transaction ID becomes part of a URL only if it has the form of an intent's ID.
func TestOnlyIntentIDsReachStripe(t *testing.T) {
	gateway, stripe, _ := ask(reply{status: 200, body: made})
	for _, id := range []string{"", "pi_", "..", "../charges", "pi_1/../../charges", "ch_1", "pi_1?x=1", "pi_1\n", "pi_é", "pi_" + strings.Repeat("1", 300)} {
		_, looked := gateway.Intent(t.Context(), id)
		_, cancelled := gateway.CancelIntent(t.Context(), id)
		for _, err := range []error{looked, cancelled, gateway.Refund(t.Context(), id, 0)} {
			if !errors.Is(err, market.ErrNoIntent) {
				t.Errorf("%q: %v", id, err)
			}
		}
	}
	if len(stripe.keys) != 0 {
		t.Errorf("%d requests", len(stripe.keys))
	}
}
