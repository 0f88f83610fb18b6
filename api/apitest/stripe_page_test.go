package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/api/site"
	"secondring/market"
)

// withKeys configures Stripe keys.
func withKeys(s *setup) {
	s.config.Settings.Stripe = site.Stripe{PublishableKey: "pk_live_1"}
}

// directives returns the directives of a policy by name.
func directives(policy string) map[string]string {
	all := map[string]string{}
	for part := range strings.SplitSeq(policy, "; ") {
		name, sources, _ := strings.Cut(part, " ")
		all[name] = sources
	}
	return all
}

// The policy allows exactly what Stripe.js needs, and only if Stripe keys are configured.
func TestCSPAllowsStripeOnlyWithKeys(t *testing.T) {
	sandboxed, real := newEnv(t), newEnv(t, withKeys)
	for _, path := range []string{"/", "/dashboard/payment/65f0", "/login"} {
		without := sandboxed.visitor().get(path).Header
		if all := without.Get("Content-Security-Policy") + without.Get("Permissions-Policy"); strings.Contains(all, "stripe.com") ||
			!strings.Contains(all, "payment=()") || !strings.Contains(all, "frame-src 'none'") {
			t.Errorf("%s in the sandbox: %s", path, all)
		}
		with := real.visitor().get(path).Header
		plain, stripe := directives(without.Get("Content-Security-Policy")), directives(with.Get("Content-Security-Policy"))
		ours := "ws" + strings.TrimPrefix(real.server.URL, "http")
		for name, want := range map[string]string{
			"script-src":  "'self' https://js.stripe.com https://*.js.stripe.com",
			"frame-src":   "https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
			"connect-src": "'self' " + ours + " https://api.stripe.com",
		} {
			if stripe[name] != want {
				t.Errorf("%s: %s is %q, want %q", path, name, stripe[name], want)
			}
			delete(stripe, name)
		}
		for name, sources := range stripe {
			if plain[name] != sources {
				t.Errorf("%s: with keys %s is %q, without %q", path, name, sources, plain[name])
			}
		}
		if got := with.Get("Permissions-Policy"); !strings.Contains(got, `payment=(self "https://js.stripe.com" "https://*.js.stripe.com")`) {
			t.Errorf("%s: Permissions-Policy is %s", path, got)
		}
	}
}

const sandboxScript = `<script defer src="/sandbox/stripe/v3.js"></script>`

func TestPageLoadsSandboxScript(t *testing.T) {
	sandboxed, real := newEnv(t), newEnv(t, withKeys)
	read := func(e *env) (visitor, member response) {
		return e.visitor().get("/"), e.buyer("Rafi").withCookie(http.MethodGet, "/", nil)
	}
	visitor, member := read(sandboxed)
	head, _, _ := strings.Cut(string(member.body), "<title>")
	if strings.Count(string(member.body), sandboxScript) != 1 || !strings.Contains(head, sandboxScript) {
		t.Errorf("%.200s", member.body)
	}
	if strings.Contains(string(visitor.body), "/sandbox/") { // a visitor cannot pay and does not need the script
		t.Errorf("%.200s", visitor.body)
	}
	if got := sandboxed.visitor().get("/sandbox/stripe/v3.js").wantStatus(http.StatusOK); !strings.HasPrefix(got.Header.Get("Content-Type"), "text/javascript") {
		t.Errorf("%v", got.Header)
	}
	otherVisitor, otherMember := read(real)
	for _, page := range []response{otherVisitor, otherMember} {
		if strings.Contains(string(page.body), "/sandbox/") {
			t.Errorf("%.200s", page.body)
		}
	}
	if member.Header.Get("ETag") == otherMember.Header.Get("ETag") {
		t.Error("the page has one ETag with the script and without")
	}
	for _, path := range []string{"/sandbox/stripe", "/sandbox/stripe/v3.js", "/sandbox/stripe/v1/payment_intents"} {
		real.visitor().get(path).wantError(http.StatusNotFound, market.CodeNotFound)
		real.send(http.MethodPost, path, nil, header("Authorization", "Bearer pk_live_1")).wantError(http.StatusNotFound, market.CodeNotFound)
	}
}

func TestConfigNamesPaymentProvider(t *testing.T) {
	for want, e := range map[string]*env{
		`"stripe":{"publishableKey":"` + stripePublishableKey + `","sandbox":true}`: newEnv(t),
		`"stripe":{"publishableKey":"pk_live_1","sandbox":false}`:                   newEnv(t, withKeys),
	} {
		if got := e.visitor().get("/config").wantStatus(http.StatusOK); !strings.Contains(string(got.body), want) {
			t.Errorf("no %s in %s", want, got.body)
		}
	}
}
