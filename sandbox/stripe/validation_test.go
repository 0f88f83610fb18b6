package stripe_test

import (
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stripe/stripe-go/v76"

	"secondring/market/markettest"
	stripesandbox "secondring/sandbox/stripe"
)

func TestKeysDependOnTheSecretOnly(t *testing.T) {
	a1, a2, a3 := stripesandbox.Keys([]byte("one"))
	b1, b2, b3 := stripesandbox.Keys([]byte("one"))
	c1, c2, c3 := stripesandbox.Keys([]byte("two"))
	if a1 != b1 || a2 != b2 || a3 != b3 {
		t.Error("the same secret results in other keys")
	}
	suffixes := map[string]bool{}
	for prefix, keys := range map[string][]string{
		"sk_test_sandbox_": {a1, c1}, "pk_test_sandbox_": {a2, c2}, "whsec_sandbox_": {a3, c3},
	} {
		for _, k := range keys {
			suffix, ok := strings.CutPrefix(k, prefix)
			if !ok || len(suffix) < 32 || suffixes[suffix] {
				t.Errorf("the key %s is too short, not unique or has not the prefix %s", k, prefix)
			}
			suffixes[suffix] = true
		}
	}
}

func TestSandboxConfiguration(t *testing.T) {
	e := newEnv(t)
	valid := stripesandbox.Config{
		Records: e.records, Clock: e.clock, SecretKey: secretKey, PublishableKey: publishableKey, WebhookSecret: webhookSecret,
		Log: slog.New(slog.DiscardHandler),
	}
	for name, change := range map[string]func(c *stripesandbox.Config){
		"no store":               func(c *stripesandbox.Config) { c.Records = nil },
		"no clock":               func(c *stripesandbox.Config) { c.Clock = nil },
		"no log":                 func(c *stripesandbox.Config) { c.Log = nil },
		"no secret key":          func(c *stripesandbox.Config) { c.SecretKey = "" },
		"a live secret key":      func(c *stripesandbox.Config) { c.SecretKey = "sk_live_1" },
		"a live publishable key": func(c *stripesandbox.Config) { c.PublishableKey = "pk_live_1" },
		"half a webhook secret":  func(c *stripesandbox.Config) { c.WebhookSecret = "whsec_" },
	} {
		c := valid
		change(&c)
		if _, err := stripesandbox.New(c); err == nil {
			t.Errorf("%s: the configuration is accepted", name)
		}
	}
}

func TestKeyPermissions(t *testing.T) {
	e := newEnv(t)
	i, other := e.intent(), e.intent()
	intent := "/v1/payment_intents/" + i.ID
	with := func(secret string) url.Values {
		return url.Values{"client_secret": {secret}, "payment_method": {"pm_card_visa"}}
	}
	only := url.Values{"client_secret": {i.ClientSecret}}
	for _, c := range []struct {
		name, method, path, key string
		form                    url.Values
		status                  int
		code                    string
	}{
		{"no key", "GET", intent, "", nil, 401, ""},
		{"an unknown key", "GET", intent, "sk_test_sandbox_guess", nil, 401, ""},
		{"half a key", "GET", intent, secretKey[:20], nil, 401, ""},
		{"the browser creates an intent", "POST", "/v1/payment_intents", publishableKey, intentForm(), 403, "secret_key_required"},
		{"the browser cancels", "POST", intent + "/cancel", publishableKey, nil, 403, "secret_key_required"},
		{"the browser refunds", "POST", "/v1/refunds", publishableKey, url.Values{"payment_intent": {i.ID}}, 403, "secret_key_required"},
		{"the browser reads a charge", "GET", "/v1/charges/ch_1", publishableKey, nil, 403, "secret_key_required"},
		{"the browser reads a refund", "GET", "/v1/refunds/re_1", publishableKey, nil, 403, "secret_key_required"},
		{"no client secret", "GET", intent, publishableKey, nil, 400, "parameter_missing"},
		{"an empty client secret", "GET", intent, publishableKey, url.Values{"client_secret": {""}}, 400, "parameter_invalid_empty"},
		{"a wrong client secret", "GET", intent, publishableKey, url.Values{"client_secret": {i.ClientSecret + "0"}}, 404, "resource_missing"},
		{"the client secret of another intent", "GET", intent, publishableKey, url.Values{"client_secret": {other.ClientSecret}}, 404, "resource_missing"},
		{"confirm with that of another intent", "POST", intent + "/confirm", publishableKey, with(other.ClientSecret), 404, "resource_missing"},
		{"an unknown intent", "GET", "/v1/payment_intents/pi_none", publishableKey, url.Values{"client_secret": {"pi_none_secret_"}}, 404, "resource_missing"},
		{"the secret key with a wrong client secret", "GET", intent, secretKey, url.Values{"client_secret": {"guess"}}, 404, "resource_missing"},
		{"the browser expands the charge", "GET", intent, publishableKey, url.Values{"client_secret": only["client_secret"], "expand[]": {"latest_charge"}}, 400, ""},
		{"the browser reads the intent", "GET", intent, publishableKey, only, 200, ""},
		{"the secret key reads the intent", "GET", intent, secretKey, nil, 200, ""},
		{"the secret key confirms", "POST", intent + "/confirm", secretKey, url.Values{"payment_method": {"pm_card_authenticationRequired"}}, 200, ""},
		{"the browser confirms", "POST", intent + "/confirm", publishableKey, with(i.ClientSecret), 200, ""},
	} {
		a := e.send(c.method, c.path, c.key, c.form)
		if a.status != c.status || a.Code != c.code || c.status != 200 && a.Type != "invalid_request_error" {
			t.Errorf("%s: the response is %d %s, want %d %q", c.name, a.status, a.body, c.status, c.code)
		}
		if c.status != 200 && strings.Contains(a.body, "_secret_") {
			t.Errorf("%s: the response contains a client secret: %s", c.name, a.body)
		}
	}
	r := httptest.NewRequest(http.MethodGet, stripesandbox.Path+intent, nil)
	r.SetBasicAuth(secretKey, "")
	recorder := httptest.NewRecorder()
	if e.ServeHTTP(recorder, r); recorder.Code != 200 {
		t.Errorf("the key as the Basic user name: %d", recorder.Code)
	}
}

func TestParameterRefusals(t *testing.T) {
	e := newEnv(t)
	many := url.Values{}
	for n := range 51 {
		many.Set("metadata[k"+strconv.Itoa(n)+"]", "v")
	}
	for _, c := range []struct {
		name        string
		change      url.Values
		code, param string
	}{
		{"no amount", url.Values{"amount": nil}, "parameter_missing", "amount"},
		{"an empty amount", url.Values{"amount": {""}}, "parameter_invalid_empty", "amount"},
		{"a word", url.Values{"amount": {"many"}}, "parameter_invalid_integer", "amount"},
		{"dollars and cents", url.Values{"amount": {"50.00"}}, "parameter_invalid_integer", "amount"},
		{"a sign", url.Values{"amount": {"+5000"}}, "parameter_invalid_integer", "amount"},
		{"an exponent", url.Values{"amount": {"5e3"}}, "parameter_invalid_integer", "amount"},
		{"zero", url.Values{"amount": {"0"}}, "parameter_invalid_integer", "amount"},
		{"negative", url.Values{"amount": {"-5000"}}, "parameter_invalid_integer", "amount"},
		{"49 cents", url.Values{"amount": {"49"}}, "amount_too_small", "amount"},
		{"a million", url.Values{"amount": {"100000000"}}, "amount_too_large", "amount"},
		{"beyond 64 bits", url.Values{"amount": {"99999999999999999999"}}, "parameter_invalid_integer", "amount"},
		{"two amounts", url.Values{"amount": {"5000", "50"}}, "", "amount"},
		{"no currency", url.Values{"currency": nil}, "parameter_missing", "currency"},
		{"an unknown currency", url.Values{"currency": {"xyz"}}, "", "currency"},
		{"an unknown parameter", url.Values{"amuont": {"5000"}}, "parameter_unknown", "amuont"},
		{"a nested metadata key", url.Values{"metadata[a][b]": {"c"}}, "parameter_unknown", "metadata[a][b]"},
		{"metadata without a key", url.Values{"metadata[]": {"c"}}, "parameter_unknown", "metadata[]"},
		{"51 pairs", many, "", "metadata"},
		{"a long key", url.Values{"metadata[" + strings.Repeat("k", 41) + "]": {"v"}}, "", "metadata"},
		{"a long text", url.Values{"metadata[k]": {strings.Repeat("v", 501)}}, "", "metadata[k]"},
		{"an invalid email", url.Values{"receipt_email": {"grace"}}, "email_invalid", "receipt_email"},
		{"invalid UTF-8", url.Values{"description": {"\xff"}}, "", "description"},
		{"a long description", url.Values{"description": {strings.Repeat("v", 5001)}}, "", "description"},
		{"an unknown payment method type", url.Values{"payment_method_types[]": {"paypal"}}, "", "payment_method_types"},
		{"an invalid boolean", url.Values{"automatic_payment_methods[enabled]": {"maybe"}}, "", "automatic_payment_methods[enabled]"},
		{"capture later", url.Values{"capture_method": {"manual"}}, "", "capture_method"},
		{"an unknown expansion", url.Values{"expand[]": {"everything"}}, "", "expand"},
	} {
		form := intentForm()
		maps.Copy(form, c.change)
		a := e.send("POST", "/v1/payment_intents", secretKey, form)
		if a.status != 400 || a.Type != "invalid_request_error" || a.Code != c.code || a.Param != c.param {
			t.Errorf("%s: the response is %d %s, want code %q and parameter %q", c.name, a.status, a.body, c.code, c.param)
		}
	}
	limits := url.Values{
		"amount": {"99999999"}, "currency": {"USD"}, "metadata[" + strings.Repeat("ä", 40) + "]": {strings.Repeat("ö", 500)},
		"metadata[1]": {"a number"}, "metadata[empty]": {""}, "expand[0]": {"latest_charge"},
	}
	if a := e.send("POST", "/v1/payment_intents", secretKey, limits); a.status != 200 || a.intent.Currency != "usd" ||
		len(a.intent.Metadata) != 2 || a.intent.Metadata["1"] != "a number" {
		t.Errorf("at the limits: %d %s", a.status, a.body)
	}
}

func TestMalformedBodies(t *testing.T) {
	e := newEnv(t)
	for _, c := range []struct {
		name, media, body string
		status            int
	}{
		{"JSON", "application/json", `{"amount":5000,"currency":"usd"}`, 400},
		{"multipart", "multipart/form-data; boundary=x", "--x--", 400},
		{"a broken type", "a/b/c;;", "amount=5000&currency=usd", 400},
		{"a broken escape", "application/x-www-form-urlencoded", "amount=%zz", 400},
		{"a semicolon", "application/x-www-form-urlencoded", "amount=5000;currency=usd", 400},
		{"an empty body", "application/x-www-form-urlencoded", "", 400},
		{"65 KiB", "application/x-www-form-urlencoded", "amount=5000&currency=usd&description=" + strings.Repeat("a", 65<<10), 413},
		{"a thousand keys", "application/x-www-form-urlencoded", strings.Repeat("metadata[a]=1&", 1000) + "amount=5000&currency=usd", 400},
	} {
		r := httptest.NewRequest(http.MethodPost, stripesandbox.Path+"/v1/payment_intents", strings.NewReader(c.body))
		r.Header.Set("Authorization", "Bearer "+secretKey)
		r.Header.Set("Content-Type", c.media)
		got := httptest.NewRecorder()
		e.ServeHTTP(got, r)
		if a := read(t, got.Result()); a.status != c.status || a.Type != "invalid_request_error" || a.Message == "" {
			t.Errorf("%s: the response is %d %s, want %d", c.name, a.status, a.body, c.status)
		}
	}
}

func TestEveryResponseHasSecurityHeaders(t *testing.T) {
	e := newEnv(t)
	i := e.intent()
	for path, status := range map[string]int{
		"/v1/payment_intents/" + i.ID: 200, "/v1/nothing": 404, "/v1/payment_intents": 200, "/": 404, "": 404,
	} {
		a := e.send("GET", path, secretKey, nil)
		if a.status != status || a.header.Get("Content-Type") != "application/json" || a.header.Get("Cache-Control") != "no-store" ||
			a.header.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(a.header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: the response is %d %v, want %d", path, a.status, a.header, status)
		}
		if status == 404 && (a.Type != "invalid_request_error" || !strings.HasPrefix(a.Message, "Unrecognized request URL")) {
			t.Errorf("%s: the body of the 404 is %s", path, a.body)
		}
		if status == 200 && !strings.HasPrefix(a.header.Get("Request-Id"), "req_") {
			t.Errorf("%s: the headers lack the Request-Id: %v", path, a.header)
		}
	}
	if a := e.send("DELETE", "/v1/payment_intents/"+i.ID, secretKey, nil); a.status != 404 || a.Type != "invalid_request_error" {
		t.Errorf("DELETE: %d %s", a.status, a.body)
	}
}

func TestScriptIsServedWithRevalidation(t *testing.T) {
	e := newEnv(t)
	for path, media := range map[string]string{"/v3.js": "text/javascript", "/v3.css": "text/css"} {
		a := e.send("GET", path, "", nil)
		tag := a.header.Get("ETag")
		if a.status != 200 || a.body == "" || !strings.HasPrefix(a.header.Get("Content-Type"), media) || tag == "" ||
			a.header.Get("Cache-Control") != "no-cache" || a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: the response is %d %v, want 200", path, a.status, a.header)
		}
		if got := e.send("GET", path, "", nil, "If-None-Match", tag); got.status != 304 || got.body != "" {
			t.Errorf("%s with its ETag: %d", path, got.status)
		}
		for accept, isGzip := range map[string]bool{
			"gzip, deflate, br": true, "br;q=1.0, gzip;q=0.8": true, "br": false, "gzip;q=0": false, "identity, gzip;q=0.0": false,
		} {
			encoded := e.send("GET", path, "", nil, "Accept-Encoding", accept)
			if !isGzip {
				if encoded.body != a.body || encoded.header.Get("Content-Encoding") != "" || encoded.header.Get("ETag") != tag {
					t.Errorf("%s with Accept-Encoding %s: %v", path, accept, encoded.header)
				}
				continue
			}
			reader, err := gzip.NewReader(strings.NewReader(encoded.body))
			must(t, err)
			decoded, err := io.ReadAll(reader)
			must(t, err)
			if string(decoded) != a.body || encoded.header.Get("Content-Encoding") != "gzip" || encoded.header.Get("ETag") == tag || encoded.header.Get("Vary") == "" {
				t.Errorf("%s with Accept-Encoding %s: %v", path, accept, encoded.header)
			}
		}
	}
}

// A store outage is a 500, so the caller may try again. The log contains no card data.
func TestStoreErrorIsLoggedWithoutCard(t *testing.T) {
	e := newEnv(t)
	i := e.intent()
	var log strings.Builder
	s, err := stripesandbox.New(stripesandbox.Config{
		Records: &crashingStore{DocumentStore: e.records, left: -1}, Clock: markettest.NewClock(e.clock.Now()), SecretKey: secretKey,
		PublishableKey: publishableKey, WebhookSecret: webhookSecret, Log: slog.New(slog.NewTextHandler(io.Writer(&log), nil)),
	})
	must(t, err)
	a := send(t, s, "POST", "/v1/payment_intents/"+i.ID+"/confirm", publishableKey, card(i, "4242424242424242"))
	if a.status != 500 || a.Type != "api_error" || strings.Contains(a.body, errCrash.Error()) {
		t.Errorf("the response is %d %s, want 500", a.status, a.body)
	}
	if logged := log.String(); !strings.Contains(logged, errCrash.Error()) || !strings.Contains(logged, a.header.Get("Request-Id")) ||
		strings.Contains(logged, "4242") || strings.Contains(logged, i.ClientSecret) {
		t.Errorf("the log is %s", logged)
	}
}

func TestDisconnectedCallerIsNotLogged(t *testing.T) {
	e := newEnv(t)
	var log strings.Builder
	s, err := stripesandbox.New(stripesandbox.Config{
		Records: e.records, Clock: e.clock, SecretKey: secretKey, PublishableKey: publishableKey, WebhookSecret: webhookSecret,
		Log: slog.New(slog.NewTextHandler(io.Writer(&log), nil)),
	})
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, stripesandbox.Path+"/v1/payment_intents/pi_1", nil)
	r.Header.Set("Authorization", "Bearer "+secretKey)
	if s.ServeHTTP(httptest.NewRecorder(), r); log.Len() > 0 {
		t.Errorf("the log is %s", log.String())
	}
}

// The product's router stores its route in the request's context, and the sandbox is
// called from within such requests.
func TestSandboxIsServedWithinAnotherRouter(t *testing.T) {
	e := newEnv(t)
	i := e.intent()
	outer := chi.NewRouter()
	outer.Mount(stripesandbox.Path, e.Sandbox)
	outer.Get("/order/{id}", func(rw http.ResponseWriter, r *http.Request) {
		p := &stripe.PaymentIntentParams{}
		p.Context = r.Context()
		if got, err := e.stripe.PaymentIntents.Get(i.ID, p); err != nil || got.ID != i.ID {
			t.Errorf("from within a request: %+v, %v", got, err)
		}
	})
	for _, path := range []string{stripesandbox.Path + "/v1/payment_intents/" + i.ID, "/order/1"} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Authorization", "Bearer "+secretKey)
		got := httptest.NewRecorder()
		if outer.ServeHTTP(got, r); got.Code != 200 {
			t.Errorf("%s: the response is %d %s, want 200", path, got.Code, got.Body)
		}
	}
}
