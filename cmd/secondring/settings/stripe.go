package settings

import "strings"

// sandboxKey is the value of STRIPE_SECRET_KEY that chooses the sandbox on a server that others
// can reach.
const sandboxKey = "sandbox"

// Stripe are the keys of card payments at Stripe; without keys the sandbox is used. Never
// write the keys anywhere.
type Stripe struct {
	SecretKey, PublishableKey string // both "" in the sandbox
	WebhookSecret             string // optional in the sandbox, to sign its events
	ConnectSecret             string // optional, for events of connected accounts
}

// Sandbox returns whether payments go to the server's own sandbox.
func (s Stripe) Sandbox() bool { return s.SecretKey == "" || s.SecretKey == sandboxKey }

// Live returns whether the keys are for real money.
func (s Stripe) Live() bool { return modeOf(s.SecretKey) == "live" }

// modeOf returns the mode of a key, which is its second part: test or live. It returns "" if
// the value is no key.
func modeOf(key string) string {
	_, rest, _ := strings.Cut(key, "_")
	mode, value, _ := strings.Cut(rest, "_")
	if value == "" || (mode != "test" && mode != "live") {
		return ""
	}
	return mode
}

const stripeFix = "take all three from Stripe's dashboard, or leave all three empty for the sandbox"

func (r *reader) stripe() Stripe {
	return Stripe{
		SecretKey:      r.text("STRIPE_SECRET_KEY", ""),
		PublishableKey: r.text("STRIPE_PUBLISHABLE_KEY", ""),
		WebhookSecret:  r.text("STRIPE_WEBHOOK_SECRET", ""),
		ConnectSecret:  r.text("STRIPE_CONNECT_WEBHOOK_SECRET", ""),
	}
}

// checkStripe checks the settings of Stripe in combination, and with PUBLIC_URL. Its errors
// contain no value.
func (r *reader) checkStripe(s Settings) {
	keys := s.Stripe
	switch {
	case r.err != nil:
	case keys == Stripe{}:
		if !s.Loopback() {
			r.fail("STRIPE_SECRET_KEY", "is empty, but PUBLIC_URL is not this machine",
				"set Stripe's keys, or the word sandbox where no real money is meant")
		}
	case keys.SecretKey == "":
		r.fail("STRIPE_SECRET_KEY", "is empty while another setting of Stripe's is not", stripeFix)
	case keys.Sandbox():
		if keys.PublishableKey != "" {
			r.fail("STRIPE_PUBLISHABLE_KEY", "is set while STRIPE_SECRET_KEY is sandbox, which has a key of its own", "leave it empty")
		} else if keys.WebhookSecret != "" {
			r.checkStripeKey("STRIPE_WEBHOOK_SECRET", keys.WebhookSecret, "whsec_")
		}
	default:
		r.checkStripeKeys(s)
	}
	if keys.ConnectSecret != "" && r.err == nil {
		r.checkStripeKey("STRIPE_CONNECT_WEBHOOK_SECRET", keys.ConnectSecret, "whsec_")
	}
}

// checkStripeKeys checks the keys for Stripe itself.
func (r *reader) checkStripeKeys(s Settings) {
	keys := s.Stripe
	r.checkStripeKey("STRIPE_SECRET_KEY", keys.SecretKey, "sk_test_", "sk_live_", "rk_test_", "rk_live_")
	r.checkStripeKey("STRIPE_PUBLISHABLE_KEY", keys.PublishableKey, "pk_test_", "pk_live_")
	r.checkStripeKey("STRIPE_WEBHOOK_SECRET", keys.WebhookSecret, "whsec_")
	switch {
	case r.err != nil:
	case modeOf(keys.PublishableKey) != modeOf(keys.SecretKey):
		r.fail("STRIPE_PUBLISHABLE_KEY", "and STRIPE_SECRET_KEY are of test and of live mode", "take both from the same mode")
	case keys.Live() && s.Demo:
		r.fail("DEMO", "is on while STRIPE_SECRET_KEY is for real money", "unset DEMO, or use test keys")
	case keys.Live() && !s.HTTPS() && !s.Loopback():
		r.fail("PUBLIC_URL", "is plain http while STRIPE_SECRET_KEY is for real money", "give it an https address: cards need it")
	}
}

// checkStripeKey checks that a key begins with one of the prefixes and is longer than it.
func (r *reader) checkStripeKey(name, value string, prefixes ...string) {
	if value == "" {
		r.fail(name, "is empty while STRIPE_SECRET_KEY is set", stripeFix)
		return
	}
	for _, prefix := range prefixes {
		if rest, ok := strings.CutPrefix(value, prefix); ok && rest != "" && !strings.ContainsAny(rest, " \t\r\n") {
			return
		}
	}
	r.fail(name, "does not begin with "+strings.Join(prefixes, " or ")+", or does not go on", stripeFix)
}
