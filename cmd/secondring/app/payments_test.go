package app_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/nodetest"
	"secondring/cmd/secondring/settings"
	"secondring/store/sqlite/sqlitetest"
)

// stripeKeys returns the settings for Stripe in the mode "test" or "live".
func stripeKeys(mode, dir string) map[string]string {
	return map[string]string{
		"DATA_DIR": dir, "STRIPE_SECRET_KEY": "sk_" + mode + "_1",
		"STRIPE_PUBLISHABLE_KEY": "pk_" + mode + "_1", "STRIPE_WEBHOOK_SECRET": "whsec_1",
	}
}

// clientConfig is the part of GET /config about payments.
type clientConfig struct {
	Stripe struct {
		PublishableKey string
		Sandbox        bool
	}
}

func (s *testServer) clientConfig() clientConfig {
	s.t.Helper()
	var config clientConfig
	s.newBrowser().call(http.MethodGet, "/config", nil, &config)
	return config
}

func TestSandboxWithoutStripeKeys(t *testing.T) {
	s := nodetest.Settings(t, nil)
	first := start(t, s)
	stripe := first.clientConfig().Stripe
	if !stripe.Sandbox || !strings.HasPrefix(stripe.PublishableKey, "pk_test_sandbox_") {
		t.Errorf("/config has %+v, want the sandbox with its key", stripe)
	}
	if status, header := first.get("/sandbox/stripe/v3.js"); status != http.StatusOK || !strings.Contains(header.Get("Content-Type"), "javascript") {
		t.Errorf("the sandbox's script is served with %d %v", status, header)
	}
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	if again := start(t, s).clientConfig().Stripe; again != stripe {
		t.Errorf("after a restart /config has %+v, want %+v as before", again, stripe)
	}
}

func TestNoSandboxWithStripeKeys(t *testing.T) {
	srv := start(t, nodetest.Settings(t, stripeKeys("test", t.TempDir())))
	if stripe := srv.clientConfig().Stripe; stripe.Sandbox || stripe.PublishableKey != "pk_test_1" {
		t.Errorf("/config has %+v, want the key pk_test_1 and no sandbox", stripe)
	}
	for _, path := range []string{"/sandbox/stripe/v3.js", "/sandbox/stripe/v1/payment_intents/pi_1", "/sandbox/stripe"} {
		if status, _ := srv.get(path); status != http.StatusNotFound {
			t.Errorf("GET %s returns %d, want 404", path, status)
		}
	}
	if _, header := srv.get("/dashboard/payment/1"); !strings.Contains(header.Get("Permissions-Policy"), "js.stripe.com") {
		t.Errorf("the header %v does not permit js.stripe.com", header)
	}
}

// buyPhone books and pays for the first advertised phone of the demo as a browser does that
// is closed after the confirmation: the server learns of the payment from the sandbox's
// webhook.
func (s *testServer) buyPhone() {
	s.t.Helper()
	login := demo.Logins()[3]
	buyer := s.signIn(login.Email, login.Password)
	var advertised []struct {
		ID          string `json:"_id"`
		ResalePrice int
	}
	buyer.call(http.MethodGet, "/products/advertised", nil, &advertised)
	var booking struct{ InsertedID string }
	buyer.call(http.MethodPut, "/bookings", map[string]any{"productID": advertised[0].ID, "phone": "01700000"}, &booking)
	socket := buyer.subscribe("me")
	var opened struct{ ClientSecret string }
	buyer.call(http.MethodPost, "/create-payment-intent",
		map[string]any{"price": advertised[0].ResalePrice, "bookingId": booking.InsertedID}, &opened)
	intent, _, _ := strings.Cut(opened.ClientSecret, "_secret_")
	form := url.Values{"client_secret": {opened.ClientSecret}, "payment_method": {"pm_card_visa"}}
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost,
		s.URL()+"/sandbox/stripe/v1/payment_intents/"+intent+"/confirm", strings.NewReader(form.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", "Bearer "+s.clientConfig().Stripe.PublishableKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		s.t.Fatalf("the confirmation returned %s", response.Status)
	}
	waitForFrame(s.t, socket, `"status":"paid"`)
}

// readMeta reads a setting of a store that is not open.
func readMeta(t *testing.T, dir, name string) string {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), dir+"/secondring.db")
	if err != nil {
		t.Fatal(err)
	}
	value, err := store.Meta(t.Context(), name)
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestSandboxPaymentsArrive(t *testing.T) {
	dir := t.TempDir()
	srv := start(t, nodetest.Settings(t, map[string]string{"DATA_DIR": dir, "DEMO": "1"}))
	srv.buyPhone()
	if err := srv.stop(); err != nil {
		t.Fatal(err)
	}
	if readMeta(t, dir, "payments.sandbox") == "" || readMeta(t, dir, "payments.live") != "" {
		t.Error("the store does not have payments.sandbox, or has payments.live")
	}
	wantSettingsError(t, nodetest.Settings(t, stripeKeys("live", dir)), "DATA_DIR") // a demo's store is refused before its payments are compared
}

// recordPaymentMode writes to a store that is not open that it has payments of a mode.
func recordPaymentMode(t *testing.T, dir, mode string) {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), dir+"/secondring.db")
	if err != nil {
		t.Fatal(err)
	}
	if err := store.SetMeta(t.Context(), mode, "begun"); err != nil {
		t.Error(err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

func TestLiveAndTestModeDoNotMix(t *testing.T) {
	t.Run("a store with test payments refuses live keys and takes another test mode", func(t *testing.T) {
		dir := t.TempDir()
		for recorded, pairs := range map[string]map[string]string{"payments.test": stripeKeys("test", dir), "payments.sandbox": {"DATA_DIR": dir}} {
			if err := start(t, nodetest.Settings(t, pairs)).stop(); err != nil {
				t.Fatal(err)
			}
			recordPaymentMode(t, dir, recorded)
			wantSettingsError(t, nodetest.Settings(t, stripeKeys("live", dir)), "STRIPE_SECRET_KEY")
		}
	})
	t.Run("a store with live payments refuses test keys and the sandbox", func(t *testing.T) {
		dir := t.TempDir()
		live := nodetest.Settings(t, stripeKeys("live", dir))
		if err := start(t, live).stop(); err != nil {
			t.Fatal(err)
		}
		recordPaymentMode(t, dir, "payments.live")
		for _, other := range []settings.Settings{
			nodetest.Settings(t, map[string]string{"DATA_DIR": dir}), nodetest.Settings(t, stripeKeys("test", dir)),
			nodetest.Settings(t, map[string]string{"DATA_DIR": dir, "STRIPE_SECRET_KEY": "sandbox"}),
		} {
			wantSettingsError(t, other, "STRIPE_SECRET_KEY")
		}
		if err := start(t, live).stop(); err != nil {
			t.Error(err)
		}
	})
	t.Run("a store without payments takes every mode", func(t *testing.T) {
		dir := t.TempDir()
		for _, pairs := range []map[string]string{{"DATA_DIR": dir}, stripeKeys("live", dir), stripeKeys("test", dir)} {
			if err := start(t, nodetest.Settings(t, pairs)).stop(); err != nil {
				t.Error(err)
			}
		}
	})
}
