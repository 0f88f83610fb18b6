package app_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
	"secondring/store/sqlite"
)

// keys are Stripe's, of a mode.
func keys(mode, dir string) map[string]string {
	return map[string]string{
		"DATA_DIR": dir, "STRIPE_SECRET_KEY": "sk_" + mode + "_1",
		"STRIPE_PUBLISHABLE_KEY": "pk_" + mode + "_1", "STRIPE_WEBHOOK_SECRET": "whsec_1",
	}
}

// told is the payment part of the client's settings.
type clientConfig struct {
	Stripe struct {
		PublishableKey string
		Sandbox        bool
	}
}

func (r *running) clientConfig() clientConfig {
	r.t.Helper()
	var config clientConfig
	r.visitor().call(http.MethodGet, "/config", nil, &config)
	return config
}

// status asks for a path as it is.
func (r *running) status(path string) (int, http.Header) {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, r.URL()+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode, answer.Header
}

func TestSandboxWithoutStripeKeys(t *testing.T) {
	s := settingsFor(t, nil)
	first := start(t, s)
	stripe := first.clientConfig().Stripe
	if !stripe.Sandbox || !strings.HasPrefix(stripe.PublishableKey, "pk_test_sandbox_") {
		t.Errorf("%+v", stripe)
	}
	if status, header := first.status("/sandbox/stripe/v3.js"); status != http.StatusOK || !strings.Contains(header.Get("Content-Type"), "javascript") {
		t.Errorf("the script: %d %v", status, header)
	}
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	if again := start(t, s).clientConfig().Stripe; again != stripe {
		t.Errorf("a second start has other keys: %+v", again)
	}
}

func TestNoSandboxWithStripeKeys(t *testing.T) {
	r := start(t, settingsFor(t, keys("test", t.TempDir())))
	if stripe := r.clientConfig().Stripe; stripe.Sandbox || stripe.PublishableKey != "pk_test_1" {
		t.Errorf("%+v", stripe)
	}
	for _, path := range []string{"/sandbox/stripe/v3.js", "/sandbox/stripe/v1/payment_intents/pi_1", "/sandbox/stripe"} {
		if status, _ := r.status(path); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
	if _, header := r.status("/dashboard/payment/1"); !strings.Contains(header.Get("Permissions-Policy"), "js.stripe.com") {
		t.Errorf("%v", header)
	}
}

// pay pays for a phone on the demo's server as a browser does that then goes
// away: the sandbox's webhook has to bring the news.
func (r *running) pay() {
	r.t.Helper()
	login := demo.Logins()[3]
	buyer := r.signIn(login.Email, login.Password)
	var advertised []struct {
		ID          string `json:"_id"`
		ResalePrice int
	}
	buyer.call(http.MethodGet, "/products/advertised", nil, &advertised)
	var booking struct{ InsertedID string }
	buyer.call(http.MethodPut, "/bookings", map[string]any{"productID": advertised[0].ID, "phone": "01700000"}, &booking)
	socket := buyer.live("me")
	hear(r.t, socket, `"subscribed"`)
	var opened struct{ ClientSecret string }
	buyer.call(http.MethodPost, "/create-payment-intent",
		map[string]any{"price": advertised[0].ResalePrice, "bookingId": booking.InsertedID}, &opened)
	intent, _, _ := strings.Cut(opened.ClientSecret, "_secret_")
	form := url.Values{"client_secret": {opened.ClientSecret}, "payment_method": {"pm_card_visa"}}
	request, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost,
		r.URL()+"/sandbox/stripe/v1/payment_intents/"+intent+"/confirm", strings.NewReader(form.Encode()))
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", "Bearer "+r.clientConfig().Stripe.PublishableKey)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		r.t.Fatalf("the confirmation: %s", answer.Status)
	}
	hear(r.t, socket, `"status":"paid"`)
}

// meta reads what a store that is not open has noted of itself.
func meta(t *testing.T, dir, name string) string {
	t.Helper()
	store, err := sqlite.Open(t.Context(), dir+"/secondring.db")
	if err != nil {
		t.Fatal(err)
	}
	noted, err := store.Meta(t.Context(), name)
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
	return noted
}

func TestSandboxPaymentsArrive(t *testing.T) {
	dir := t.TempDir()
	r := start(t, settingsFor(t, map[string]string{"DATA_DIR": dir, "DEMO": "1"}))
	r.pay()
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if meta(t, dir, "payments.sandbox") == "" || meta(t, dir, "payments.live") != "" {
		t.Error("the store does not say what it was paid with")
	}
	refused(t, settingsFor(t, keys("live", dir)), "DATA_DIR") // the demo's phones are not for real money
}

// note says in a store that is not open what it was paid with.
func note(t *testing.T, dir, name string) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), dir+"/secondring.db")
	if err != nil {
		t.Fatal(err)
	}
	if err := store.SetMeta(t.Context(), name, "begun"); err != nil {
		t.Error(err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

func TestLiveAndTestModeDoNotMix(t *testing.T) {
	t.Run("a store that saw play money takes no real money, but other play money", func(t *testing.T) {
		dir := t.TempDir()
		for noted, pairs := range map[string]map[string]string{"payments.test": keys("test", dir), "payments.sandbox": {"DATA_DIR": dir}} {
			if err := start(t, settingsFor(t, pairs)).stop(); err != nil {
				t.Fatal(err)
			}
			note(t, dir, noted)
			refused(t, settingsFor(t, keys("live", dir)), "STRIPE_SECRET_KEY")
		}
	})
	t.Run("a store that saw real money takes no play money", func(t *testing.T) {
		dir := t.TempDir()
		live := settingsFor(t, keys("live", dir))
		if err := start(t, live).stop(); err != nil {
			t.Fatal(err)
		}
		note(t, dir, "payments.live")
		for _, other := range []settings.Settings{
			settingsFor(t, map[string]string{"DATA_DIR": dir}), settingsFor(t, keys("test", dir)),
			settingsFor(t, map[string]string{"DATA_DIR": dir, "STRIPE_SECRET_KEY": "sandbox"}),
		} {
			refused(t, other, "STRIPE_SECRET_KEY")
		}
		if err := start(t, live).stop(); err != nil {
			t.Error(err)
		}
	})
	t.Run("a store without payments takes either", func(t *testing.T) {
		dir := t.TempDir()
		for _, pairs := range []map[string]string{{"DATA_DIR": dir}, keys("live", dir), keys("test", dir)} {
			if err := start(t, settingsFor(t, pairs)).stop(); err != nil {
				t.Error(err)
			}
		}
	})
}
