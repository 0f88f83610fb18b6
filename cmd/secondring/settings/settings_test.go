package settings_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// read reads settings from a map instead of the environment.
func read(pairs map[string]string) (settings.Settings, error) {
	return settings.Read(func(name string) string { return pairs[name] })
}

func TestDefaultsAreValid(t *testing.T) {
	s, err := read(nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Addr != "127.0.0.1:8080" || s.DataDir != "./data" || s.PublicURL.String() != "http://localhost:8080" {
		t.Errorf("addresses: %q %q %q", s.Addr, s.DataDir, s.PublicURL)
	}
	if s.SocketsPerAddress != 300 {
		t.Errorf("%d sockets per address, want 300", s.SocketsPerAddress)
	}
	if s.RateLimit != 100 || s.Rules.BookingHold != time.Hour || s.Rules.MaxHolds != 5 || s.Rules.Advertise != "verified" {
		t.Errorf("rules: %+v, %d calls a second", s.Rules, s.RateLimit)
	}
	if s.Contact.Location != "Dhaka, Bangladesh" || s.Google.Issuer != "https://accounts.google.com" {
		t.Errorf("contact %+v, google %+v", s.Contact, s.Google)
	}
	if !strings.HasPrefix(s.VerifiedText, "Write to us") {
		t.Errorf("the text about verification is %q", s.VerifiedText)
	}
	want := "http://localhost:8080 http://127.0.0.1:8080 http://[::1]:8080"
	if got := strings.Join(s.AllowedOrigins, " "); got != want {
		t.Errorf("origins %q, want %q", got, want)
	}
	if !s.Stripe.Sandbox() || s.Stripe.Live() {
		t.Error("the payment mode is not the sandbox")
	}
	if s.Demo || s.HTTPS() || !s.Loopback() || s.TokenSecret != nil {
		t.Errorf("demo %v, https %v, loopback %v", s.Demo, s.HTTPS(), s.Loopback())
	}
}

func TestEverySettingIsRead(t *testing.T) {
	s, err := read(map[string]string{
		"ADDR": "127.0.0.1:9000", "DATA_DIR": "/srv/ring", "PUBLIC_URL": "https://ring.example/",
		"ALLOWED_ORIGINS": "https://a.example, http://b.example:3000", "TOKEN_SECRET": strings.Repeat("k", 32),
		"TRUSTED_PROXIES": "10.0.0.0/8,::1", "RATE_LIMIT": "off", "BOOKING_HOLD": "90m", "MAX_HOLDS": "3",
		"ADVERTISE": "all", "CONTACT": "after-payment", "GOOGLE_CLIENT_ID": "id", "GOOGLE_CLIENT_SECRET": "s", "IMAGE_HOST_URL": "https://i.example/up",
		"IMAGE_HOST_KEY": "key", "IMAGES_URL": "file:///srv/images", "CONTACT_EMAIL": "hi@ring.example", "VERIFIED_TEXT": "Come to our shop.", "METRICS_ADDR": ":9100",
		"STRIPE_SECRET_KEY": "sk_live_1", "STRIPE_PUBLISHABLE_KEY": "pk_live_2", "STRIPE_WEBHOOK_SECRET": "whsec_3",
		"STRIPE_CONNECT_WEBHOOK_SECRET": "whsec_4", "PAYOUTS": "stripe",
	})
	if err != nil {
		t.Fatal(err)
	}
	if !s.HTTPS() || s.Loopback() || s.PublicURL.String() != "https://ring.example" {
		t.Errorf("public address: %s", s.PublicURL)
	}
	want := "https://ring.example https://a.example http://b.example:3000"
	if got := strings.Join(s.AllowedOrigins, " "); got != want {
		t.Errorf("origins %q, want %q", got, want)
	}
	if s.Stripe.Sandbox() || !s.Stripe.Live() || s.Stripe != (settings.Stripe{SecretKey: "sk_live_1", PublishableKey: "pk_live_2", WebhookSecret: "whsec_3", ConnectSecret: "whsec_4"}) {
		t.Errorf("Stripe: %+v", s.Stripe)
	}
	if s.VerifiedText != "Come to our shop." {
		t.Errorf("the text about verification is %q", s.VerifiedText)
	}
	if s.ImagesFolder != "/srv/images" {
		t.Errorf("images in %q", s.ImagesFolder)
	}
	if len(s.TrustedProxies) != 2 || s.RateLimit != 0 || s.Rules.MaxHolds != 3 || s.Rules.Contact != market.ContactAfterPayment || s.Rules.BookingHold != 90*time.Minute || s.Rules.Payouts != market.PayoutsStripe {
		t.Errorf("the settings are %+v", s)
	}
}

func TestRequiredSettingsOfManyNodes(t *testing.T) {
	complete := map[string]string{
		"MONGODB_URI": "mongodb://ann:hush@host/market", "TOKEN_SECRET": strings.Repeat("s", 32),
		"REDIS_URL": "rediss://ann:hush@host:6380/1",
	}
	s, err := read(complete)
	if err != nil || s.MongoURI != complete["MONGODB_URI"] || s.RedisURL != complete["REDIS_URL"] {
		t.Fatalf("%q, %q, %v", s.MongoURI, s.RedisURL, err)
	}
	single := maps.Clone(complete)
	single["REDIS_URL"] = "none"
	if s, err := read(single); err != nil || s.RedisURL != "" {
		t.Errorf("with REDIS_URL=none the Redis address is %q, %v", s.RedisURL, err)
	}
	for name, value := range map[string]string{
		"TOKEN_SECRET": "", "REDIS_URL": "", "IMAGES_URL": "file:///srv/images", "MONGODB_URI": "ann:hush@host",
	} {
		pairs := maps.Clone(complete)
		pairs[name] = value
		_, err := read(pairs)
		if err == nil || !strings.HasPrefix(err.Error(), name+" ") || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s=%q: got the error %v, want one about %s without the password", name, value, err, name)
		}
	}
}

func TestInvalidSettingErrors(t *testing.T) {
	for _, c := range []struct {
		setting string // that the error is about
		pairs   map[string]string
	}{
		{"ADDR", map[string]string{"ADDR": "eighty"}},
		{"PUBLIC_URL", map[string]string{"PUBLIC_URL": "localhost:8080"}},
		{"ALLOWED_ORIGINS", map[string]string{"ALLOWED_ORIGINS": "https://a.example/path"}},
		{"TOKEN_SECRET", map[string]string{"TOKEN_SECRET": "short"}},
		{"SECOND_FACTOR_KEY", map[string]string{"SECOND_FACTOR_KEY": strings.Repeat("k", 32) + ", short"}},
		{"TRUSTED_PROXIES", map[string]string{"TRUSTED_PROXIES": "ten"}},
		{"RATE_LIMIT", map[string]string{"RATE_LIMIT": "100"}},
		{"BOOKING_HOLD", map[string]string{"BOOKING_HOLD": "-1h"}},
		{"MAX_HOLDS", map[string]string{"MAX_HOLDS": "0"}},
		{"MAX_HOLDS_PER_ADDRESS", map[string]string{"MAX_HOLDS_PER_ADDRESS": "-1"}},
		{"MAX_SOCKETS_PER_ADDRESS", map[string]string{"MAX_SOCKETS_PER_ADDRESS": "many"}},
		{"ADVERTISE", map[string]string{"ADVERTISE": "everyone"}},
		{"CONTACT", map[string]string{"CONTACT": "hidden"}},
		{"DEMO", map[string]string{"DEMO": "1", "PUBLIC_URL": "http://ring.example"}},
		{"GOOGLE_CLIENT_SECRET", map[string]string{"GOOGLE_CLIENT_ID": "id"}},
		{"GOOGLE_CLIENT_ID", map[string]string{"GOOGLE_CLIENT_SECRET": "secret"}},
		{"IMAGE_HOST_URL", map[string]string{"IMAGE_HOST_KEY": "key"}},
		{"IMAGES_URL", map[string]string{"IMAGES_URL": "/srv/images"}},
		{"METRICS_ADDR", map[string]string{"METRICS_ADDR": "9100"}},
		{"SMTP_URL", map[string]string{"SMTP_URL": "smtp.example.com:587", "MAIL_FROM": "hi@ring.example"}},
		{"MAIL_FROM", map[string]string{"SMTP_URL": "smtp://smtp.example.com"}},
		{"MAIL_FROM", map[string]string{"SMTP_URL": "smtp://smtp.example.com", "MAIL_FROM": "the shop"}},
		{"VERIFY_EMAIL", map[string]string{"VERIFY_EMAIL": "on"}},
		{"VERIFY_EMAIL", map[string]string{"VERIFY_EMAIL": "maybe"}},
		{"MONGODB_URI", map[string]string{"MONGODB_URI": "localhost"}},
		{"REDIS_URL", map[string]string{"REDIS_URL": "localhost:6379"}},
		{"STRIPE_SECRET_KEY", map[string]string{"PUBLIC_URL": "https://ring.example", "TRUSTED_PROXIES": "none"}},
	} {
		t.Run(c.setting, func(t *testing.T) {
			_, err := read(c.pairs)
			if err == nil {
				t.Fatal("the settings were accepted")
			}
			line := err.Error()
			if !strings.HasPrefix(line, c.setting+" ") || !strings.Contains(line, ": ") || strings.Contains(line, "\n") {
				t.Errorf("the error is not one line with %s and the fix: %q", c.setting, line)
			}
			if c.setting == "TOKEN_SECRET" && strings.Contains(line, `"short"`) {
				t.Errorf("the error contains the secret: %q", line)
			}
		})
	}
}

// Without TRUSTED_PROXIES all clients behind a proxy have one address, and the wrong passwords
// of one would block the sign-ins of all.
func TestHTTPSNeedsTrustedProxies(t *testing.T) {
	pairs := map[string]string{"PUBLIC_URL": "https://ring.example", "STRIPE_SECRET_KEY": "sandbox"}
	if _, err := read(pairs); err == nil || !strings.HasPrefix(err.Error(), "TRUSTED_PROXIES ") {
		t.Errorf("https without TRUSTED_PROXIES returned %v, want an error about it", err)
	}
	for _, proxies := range []string{"none", "10.0.0.1"} {
		pairs["TRUSTED_PROXIES"] = proxies
		if _, err := read(pairs); err != nil {
			t.Errorf("TRUSTED_PROXIES=%s: %v", proxies, err)
		}
	}
}

func TestDefaultListenAddress(t *testing.T) {
	for public, want := range map[string]string{
		"http://localhost:8080": "127.0.0.1:8080", "http://[::1]": "127.0.0.1:8080", "http://ring.example": ":8080",
	} {
		s, err := read(map[string]string{"PUBLIC_URL": public, "STRIPE_SECRET_KEY": "sandbox"})
		if err != nil || s.Addr != want {
			t.Errorf("PUBLIC_URL=%s listens on %q, %v; want %q", public, s.Addr, err, want)
		}
		s, err = read(map[string]string{"PUBLIC_URL": public, "STRIPE_SECRET_KEY": "sandbox", "ADDR": ":9000"})
		if err != nil || s.Addr != ":9000" {
			t.Errorf("ADDR=:9000 listens on %q, %v", s.Addr, err)
		}
	}
}

func TestEmailSettings(t *testing.T) {
	for _, c := range []struct {
		pairs  map[string]string
		from   string
		verify bool
	}{
		{nil, "", false},
		{map[string]string{"SMTP_URL": "smtp://u:p@smtp.example.com:2525", "CONTACT_EMAIL": "hi@ring.example"}, "hi@ring.example", true},
		{map[string]string{"SMTP_URL": "smtps://smtp.example.com", "CONTACT_EMAIL": "hi@ring.example", "MAIL_FROM": "Ring <no-reply@ring.example>"}, "Ring <no-reply@ring.example>", true},
		{map[string]string{"SMTP_URL": "smtp://127.0.0.1", "MAIL_FROM": "hi@ring.example", "VERIFY_EMAIL": "off"}, "hi@ring.example", false},
		{map[string]string{"DEMO": "1", "VERIFY_EMAIL": "on"}, "", true},
	} {
		s, err := read(c.pairs)
		if err != nil || s.Email.From != c.from || s.Rules.VerifyEmail != c.verify || (s.Email.SMTP != nil) != (c.pairs["SMTP_URL"] != "") {
			t.Errorf("%v: got %+v, VerifyEmail %v, %v", c.pairs, s.Email, s.Rules.VerifyEmail, err)
		}
	}
}
