package settings_test

import (
	"strings"
	"testing"
)

// stripe makes the three settings from the words after their prefixes.
func stripe(secret, publishable, webhook string) map[string]string {
	return map[string]string{
		"STRIPE_SECRET_KEY": secret, "STRIPE_PUBLISHABLE_KEY": publishable, "STRIPE_WEBHOOK_SECRET": webhook,
	}
}

// at adds where the server is.
func at(url string, pairs map[string]string) map[string]string {
	pairs["PUBLIC_URL"], pairs["TRUSTED_PROXIES"] = url, "none"
	return pairs
}

// with adds a setting.
func with(pairs map[string]string, name, value string) map[string]string {
	pairs[name] = value
	return pairs
}

const away, local = "https://ring.example", "http://localhost:8080"

func TestPaymentModes(t *testing.T) {
	for name, c := range map[string]struct {
		pairs         map[string]string
		sandbox, live bool
	}{
		"the sandbox, on a laptop":                     {at(local, stripe("", "", "")), true, false},
		"the sandbox, by its word":                     {at(local, stripe("sandbox", "", "")), true, false},
		"the sandbox for others, by its word":          {at(away, stripe("sandbox", "", "")), true, false},
		"the sandbox, whose events somebody signs too": {at(local, stripe("sandbox", "", "whsec_mine")), true, false},
		"Stripe's test mode":                           {at(local, stripe("sk_test_a", "pk_test_b", "whsec_c")), false, false},
		"Stripe's test mode, for others in the clear":  {at("http://ring.example", stripe("sk_test_a", "pk_test_b", "whsec_c")), false, false},
		"Stripe":                        {at(away, stripe("sk_live_a", "pk_live_b", "whsec_c")), false, true},
		"Stripe, with a restricted key": {at(away, stripe("rk_live_a", "pk_live_b", "whsec_c")), false, true},
		"Stripe, behind a proxy here":   {at(local, stripe("sk_live_a", "pk_live_b", "whsec_c")), false, true},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := read(c.pairs)
			if err != nil {
				t.Fatal(err)
			}
			if s.Stripe.Sandbox() != c.sandbox || s.Stripe.Live() != c.live {
				t.Errorf("sandbox %v, live %v", s.Stripe.Sandbox(), s.Stripe.Live())
			}
		})
	}
}

func TestHalfSetOrMixedKeysAreRefused(t *testing.T) {
	const secret, publishable, webhook, connect = "STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_CONNECT_WEBHOOK_SECRET"
	for name, c := range map[string]struct {
		pairs   map[string]string
		setting string
	}{
		"none, for others":             {at(away, stripe("", "", "")), secret},
		"none, on this network":        {at("http://192.168.1.20:8080", stripe("", "", "")), secret},
		"no secret key":                {stripe("", "pk_test_HIDE", "whsec_HIDE"), secret},
		"the webhook's alone":          {stripe("", "", "whsec_HIDE"), secret},
		"the publishable key alone":    {stripe("", "pk_test_HIDE", ""), secret},
		"no publishable key":           {stripe("sk_test_HIDE", "", "whsec_HIDE"), publishable},
		"the secret key alone":         {stripe("sk_test_HIDE", "", ""), publishable},
		"no webhook secret":            {stripe("sk_test_HIDE", "pk_test_HIDE", ""), webhook},
		"no key at all":                {stripe("HIDE", "pk_test_HIDE", "whsec_HIDE"), secret},
		"nothing behind the prefix":    {stripe("sk_test_", "pk_test_HIDE", "whsec_HIDE"), secret},
		"another mode":                 {stripe("sk_prod_HIDE", "pk_prod_HIDE", "whsec_HIDE"), secret},
		"two keys in one":              {stripe("sk_test_HIDE sk_test_HIDE", "pk_test_HIDE", "whsec_HIDE"), secret},
		"publishable for secret":       {stripe("pk_test_HIDE", "pk_test_HIDE", "whsec_HIDE"), secret},
		"secret for publishable":       {stripe("sk_test_HIDE", "sk_test_HIDE", "whsec_HIDE"), publishable},
		"a key for the webhook's":      {stripe("sk_test_HIDE", "pk_test_HIDE", "sk_test_HIDE"), webhook},
		"live and test":                {at(away, stripe("sk_live_HIDE", "pk_test_HIDE", "whsec_HIDE")), publishable},
		"test and live":                {stripe("sk_test_HIDE", "pk_live_HIDE", "whsec_HIDE"), publishable},
		"sandbox and a real key":       {stripe("sandbox", "pk_live_HIDE", "whsec_HIDE"), publishable},
		"sandbox and a webhook's":      {stripe("sandbox", "", "HIDE"), webhook},
		"a key for the accounts'":      {with(stripe("sk_test_HIDE", "pk_test_HIDE", "whsec_HIDE"), connect, "sk_test_HIDE"), connect},
		"the accounts' webhook alone":  {with(stripe("", "", ""), connect, "whsec_HIDE"), secret},
		"live in the clear":            {at("http://ring.example", stripe("sk_live_HIDE", "pk_live_HIDE", "whsec_HIDE")), "PUBLIC_URL"},
		"live for the demo":            {map[string]string{"DEMO": "1", secret: "sk_live_HIDE", publishable: "pk_live_HIDE", webhook: "whsec_HIDE"}, "DEMO"},
		"live and another word's case": {stripe("Sandbox", "", ""), secret},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(c.pairs)
			if err == nil {
				t.Fatal("was accepted")
			}
			line := err.Error()
			if !strings.HasPrefix(line, c.setting+" ") || !strings.Contains(line, ": ") || strings.Contains(line, "\n") {
				t.Errorf("not one line that names %s and the fix: %q", c.setting, line)
			}
			if strings.Contains(line, "HIDE") {
				t.Errorf("tells a key: %q", line)
			}
		})
	}
}
