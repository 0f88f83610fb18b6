package settings_test

import (
	"strings"
	"testing"
)

// stripe returns the three settings of Stripe.
func stripe(secret, publishable, webhook string) map[string]string {
	return map[string]string{
		"STRIPE_SECRET_KEY": secret, "STRIPE_PUBLISHABLE_KEY": publishable, "STRIPE_WEBHOOK_SECRET": webhook,
	}
}

// withPublicURL adds the server's public URL.
func withPublicURL(url string, pairs map[string]string) map[string]string {
	pairs["PUBLIC_URL"], pairs["TRUSTED_PROXIES"] = url, "none"
	return pairs
}

// withSetting adds a setting.
func withSetting(pairs map[string]string, name, value string) map[string]string {
	pairs[name] = value
	return pairs
}

const publicURL, localURL = "https://ring.example", "http://localhost:8080"

func TestPaymentModes(t *testing.T) {
	for name, c := range map[string]struct {
		pairs         map[string]string
		sandbox, live bool
	}{
		"sandbox by default on localhost":         {withPublicURL(localURL, stripe("", "", "")), true, false},
		"sandbox by its name":                     {withPublicURL(localURL, stripe("sandbox", "", "")), true, false},
		"sandbox by its name, at a public URL":    {withPublicURL(publicURL, stripe("sandbox", "", "")), true, false},
		"sandbox with its own webhook secret":     {withPublicURL(localURL, stripe("sandbox", "", "whsec_mine")), true, false},
		"test mode":                               {withPublicURL(localURL, stripe("sk_test_a", "pk_test_b", "whsec_c")), false, false},
		"test mode at a public URL without https": {withPublicURL("http://ring.example", stripe("sk_test_a", "pk_test_b", "whsec_c")), false, false},
		"live mode":                       {withPublicURL(publicURL, stripe("sk_live_a", "pk_live_b", "whsec_c")), false, true},
		"live mode with a restricted key": {withPublicURL(publicURL, stripe("rk_live_a", "pk_live_b", "whsec_c")), false, true},
		"live mode on localhost":          {withPublicURL(localURL, stripe("sk_live_a", "pk_live_b", "whsec_c")), false, true},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := read(c.pairs)
			if err != nil {
				t.Fatal(err)
			}
			if s.Stripe.Sandbox() != c.sandbox || s.Stripe.Live() != c.live {
				t.Errorf("Sandbox is %v and Live is %v, want %v and %v", s.Stripe.Sandbox(), s.Stripe.Live(), c.sandbox, c.live)
			}
		})
	}
}

func TestIncompleteOrMixedKeysAreRefused(t *testing.T) {
	const secret, publishable, webhook, connect = "STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_CONNECT_WEBHOOK_SECRET"
	for name, c := range map[string]struct {
		pairs   map[string]string
		setting string
	}{
		"no keys at a public URL":                  {withPublicURL(publicURL, stripe("", "", "")), secret},
		"no keys on a local network":               {withPublicURL("http://192.168.1.20:8080", stripe("", "", "")), secret},
		"no secret key":                            {stripe("", "pk_test_HIDE", "whsec_HIDE"), secret},
		"only the webhook secret":                  {stripe("", "", "whsec_HIDE"), secret},
		"only the publishable key":                 {stripe("", "pk_test_HIDE", ""), secret},
		"no publishable key":                       {stripe("sk_test_HIDE", "", "whsec_HIDE"), publishable},
		"only the secret key":                      {stripe("sk_test_HIDE", "", ""), publishable},
		"no webhook secret":                        {stripe("sk_test_HIDE", "pk_test_HIDE", ""), webhook},
		"secret key without a prefix":              {stripe("HIDE", "pk_test_HIDE", "whsec_HIDE"), secret},
		"secret key with only a prefix":            {stripe("sk_test_", "pk_test_HIDE", "whsec_HIDE"), secret},
		"unknown mode":                             {stripe("sk_prod_HIDE", "pk_prod_HIDE", "whsec_HIDE"), secret},
		"two secret keys in one setting":           {stripe("sk_test_HIDE sk_test_HIDE", "pk_test_HIDE", "whsec_HIDE"), secret},
		"publishable key as secret key":            {stripe("pk_test_HIDE", "pk_test_HIDE", "whsec_HIDE"), secret},
		"secret key as publishable key":            {stripe("sk_test_HIDE", "sk_test_HIDE", "whsec_HIDE"), publishable},
		"secret key as webhook secret":             {stripe("sk_test_HIDE", "pk_test_HIDE", "sk_test_HIDE"), webhook},
		"live secret key and test publishable key": {withPublicURL(publicURL, stripe("sk_live_HIDE", "pk_test_HIDE", "whsec_HIDE")), publishable},
		"test secret key and live publishable key": {stripe("sk_test_HIDE", "pk_live_HIDE", "whsec_HIDE"), publishable},
		"sandbox and a live publishable key":       {stripe("sandbox", "pk_live_HIDE", "whsec_HIDE"), publishable},
		"sandbox and an invalid webhook secret":    {stripe("sandbox", "", "HIDE"), webhook},
		"secret key as Connect webhook secret":     {withSetting(stripe("sk_test_HIDE", "pk_test_HIDE", "whsec_HIDE"), connect, "sk_test_HIDE"), connect},
		"only the Connect webhook secret":          {withSetting(stripe("", "", ""), connect, "whsec_HIDE"), secret},
		"live mode without https":                  {withPublicURL("http://ring.example", stripe("sk_live_HIDE", "pk_live_HIDE", "whsec_HIDE")), "PUBLIC_URL"},
		"live mode in the demo":                    {map[string]string{"DEMO": "1", secret: "sk_live_HIDE", publishable: "pk_live_HIDE", webhook: "whsec_HIDE"}, "DEMO"},
		"sandbox with a capital letter":            {stripe("Sandbox", "", ""), secret},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(c.pairs)
			if err == nil {
				t.Fatal("the settings were accepted")
			}
			line := err.Error()
			if !strings.HasPrefix(line, c.setting+" ") || !strings.Contains(line, ": ") || strings.Contains(line, "\n") {
				t.Errorf("the error is not one line with %s and the fix: %q", c.setting, line)
			}
			if strings.Contains(line, "HIDE") {
				t.Errorf("the error contains a key: %q", line)
			}
		})
	}
}
