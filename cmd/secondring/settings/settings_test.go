package settings_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/settings"
	"secondring/market"
)

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
		t.Errorf("%d sockets an address", s.SocketsPerAddress)
	}
	if s.RateLimit != 100 || s.Rules.BookingHold != 24*time.Hour || s.Rules.MaxHolds != 20 || s.Rules.Advertise != "verified" {
		t.Errorf("rules: %+v, %d calls a second", s.Rules, s.RateLimit)
	}
	if s.Contact.Location != "Dhaka, Bangladesh" || s.Google.Issuer != "https://accounts.google.com" {
		t.Errorf("contact %+v, google %+v", s.Contact, s.Google)
	}
	if !strings.HasPrefix(s.VerifiedText, "Write to us") {
		t.Errorf("sellers are told %q", s.VerifiedText)
	}
	want := "http://localhost:8080 http://127.0.0.1:8080 http://[::1]:8080"
	if got := strings.Join(s.AllowedOrigins, " "); got != want {
		t.Errorf("origins %q, want %q", got, want)
	}
	if !s.Stripe.Sandbox() || s.Stripe.Live() {
		t.Error("cards are not for the sandbox")
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
		"ADVERTISE": "all", "GOOGLE_CLIENT_ID": "id", "GOOGLE_CLIENT_SECRET": "s", "IMAGE_HOST_URL": "https://i.example/up",
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
		t.Errorf("sellers are told %q", s.VerifiedText)
	}
	if s.ImagesFolder != "/srv/images" {
		t.Errorf("images in %q", s.ImagesFolder)
	}
	if len(s.TrustedProxies) != 2 || s.RateLimit != 0 || s.Rules.MaxHolds != 3 || s.Rules.BookingHold != 90*time.Minute || s.Rules.Payouts != market.PayoutsStripe {
		t.Errorf("%+v", s)
	}
}

func TestRequiredSettingsOfManyNodes(t *testing.T) {
	whole := map[string]string{
		"MONGODB_URI": "mongodb://ann:hush@host/market", "TOKEN_SECRET": strings.Repeat("s", 32),
		"REDIS_URL": "rediss://ann:hush@host:6380/1",
	}
	s, err := read(whole)
	if err != nil || s.MongoURI != whole["MONGODB_URI"] || s.RedisURL != whole["REDIS_URL"] {
		t.Fatalf("%q, %q, %v", s.MongoURI, s.RedisURL, err)
	}
	alone := maps.Clone(whole)
	alone["REDIS_URL"] = "none"
	if s, err := read(alone); err != nil || s.RedisURL != "" {
		t.Errorf("a single node: %q, %v", s.RedisURL, err)
	}
	for name, change := range map[string]string{
		"TOKEN_SECRET": "", "REDIS_URL": "", "IMAGES_URL": "file:///srv/images", "MONGODB_URI": "ann:hush@host",
	} {
		pairs := maps.Clone(whole)
		pairs[name] = change
		_, err := read(pairs)
		if err == nil || !strings.HasPrefix(err.Error(), name+" ") || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s is %q: %v", name, change, err)
		}
	}
}

func TestInvalidSettingErrors(t *testing.T) {
	for name, pairs := range map[string]map[string]string{
		"ADDR":                    {"ADDR": "eighty"},
		"PUBLIC_URL":              {"PUBLIC_URL": "localhost:8080"},
		"ALLOWED_ORIGINS":         {"ALLOWED_ORIGINS": "https://a.example/path"},
		"TOKEN_SECRET":            {"TOKEN_SECRET": "short"},
		"TRUSTED_PROXIES":         {"TRUSTED_PROXIES": "ten"},
		"TRUSTED_PROXIES ":        {"PUBLIC_URL": "https://ring.example", "STRIPE_SECRET_KEY": "sandbox"},
		"RATE_LIMIT":              {"RATE_LIMIT": "100"},
		"BOOKING_HOLD":            {"BOOKING_HOLD": "-1h"},
		"MAX_HOLDS":               {"MAX_HOLDS": "0"},
		"MAX_HOLDS_PER_ADDRESS":   {"MAX_HOLDS_PER_ADDRESS": "-1"},
		"MAX_SOCKETS_PER_ADDRESS": {"MAX_SOCKETS_PER_ADDRESS": "many"},
		"ADVERTISE":               {"ADVERTISE": "everyone"},
		"DEMO":                    {"DEMO": "1", "PUBLIC_URL": "http://ring.example"},
		"GOOGLE_CLIENT_SECRET":    {"GOOGLE_CLIENT_ID": "id"},
		"GOOGLE_CLIENT_ID":        {"GOOGLE_CLIENT_SECRET": "secret"},
		"IMAGE_HOST_URL":          {"IMAGE_HOST_KEY": "key"},
		"IMAGES_URL":              {"IMAGES_URL": "/srv/images"},
		"METRICS_ADDR":            {"METRICS_ADDR": "9100"},
		"SMTP_URL":                {"SMTP_URL": "smtp.example.com:587", "MAIL_FROM": "hi@ring.example"},
		"MAIL_FROM":               {"SMTP_URL": "smtp://smtp.example.com"},
		"MAIL_FROM ":              {"SMTP_URL": "smtp://smtp.example.com", "MAIL_FROM": "the shop"},
		"VERIFY_EMAIL":            {"VERIFY_EMAIL": "on"},
		"VERIFY_EMAIL ":           {"VERIFY_EMAIL": "maybe"},
		"MONGODB_URI":             {"MONGODB_URI": "localhost"},
		"REDIS_URL":               {"REDIS_URL": "localhost:6379"},
		"STRIPE_SECRET_KEY":       {"PUBLIC_URL": "https://ring.example", "TRUSTED_PROXIES": "none"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(pairs)
			if err == nil {
				t.Fatal("was accepted")
			}
			line := err.Error()
			if !strings.HasPrefix(line, strings.TrimSpace(name)+" ") || !strings.Contains(line, ": ") || strings.Contains(line, "\n") {
				t.Errorf("not one line that names %s and the fix: %q", name, line)
			}
			if strings.Contains(line, "short") && name == "TOKEN_SECRET" && strings.Contains(line, `"short"`) {
				t.Errorf("tells the secret: %q", line)
			}
		})
	}
}

func TestHTTPSNeedsTrustedProxies(t *testing.T) {
	pairs := map[string]string{"PUBLIC_URL": "https://ring.example", "STRIPE_SECRET_KEY": "sandbox"}
	if _, err := read(pairs); err == nil {
		t.Error("https without TRUSTED_PROXIES was accepted")
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
			t.Errorf("%v: %+v, verify %v, %v", c.pairs, s.Email, s.Rules.VerifyEmail, err)
		}
	}
}
