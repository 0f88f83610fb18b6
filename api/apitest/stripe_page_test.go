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
	sandbox, live := newEnv(t), newEnv(t, withKeys)
	for _, path := range []string{"/", "/dashboard/payment/65f0", "/login"} {
		without := sandbox.visitor().get(path).Header
		if all := without.Get("Content-Security-Policy") + without.Get("Permissions-Policy"); strings.Contains(all, "stripe.com") ||
			!strings.Contains(all, "payment=()") || !strings.Contains(all, "frame-src 'none'") {
			t.Errorf("%s in the sandbox has the policies %s", path, all)
		}
		with := live.visitor().get(path).Header
		inSandbox, withStripe := directives(without.Get("Content-Security-Policy")), directives(with.Get("Content-Security-Policy"))
		socketOrigin := "ws" + strings.TrimPrefix(live.server.URL, "http")
		for name, want := range map[string]string{
			"script-src":  "'self' https://js.stripe.com https://*.js.stripe.com",
			"frame-src":   "https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
			"connect-src": "'self' " + socketOrigin + " https://api.stripe.com",
		} {
			if withStripe[name] != want {
				t.Errorf("%s: %s is %q, want %q", path, name, withStripe[name], want)
			}
			delete(withStripe, name)
		}
		for name, sources := range withStripe {
			if inSandbox[name] != sources {
				t.Errorf("%s: with Stripe keys %s is %q, in the sandbox %q", path, name, sources, inSandbox[name])
			}
		}
		if got := with.Get("Permissions-Policy"); !strings.Contains(got, `payment=(self "https://js.stripe.com" "https://*.js.stripe.com")`) {
			t.Errorf("%s: Permissions-Policy is %s", path, got)
		}
	}
}

const sandboxScript = `<script defer src="/sandbox/stripe/v3.js"></script>`

func TestPageLoadsSandboxScript(t *testing.T) {
	sandbox, live := newEnv(t), newEnv(t, withKeys)
	getPages := func(e *env) (visitor, user response) {
		return e.visitor().get("/"), e.buyer("Rafi").withCookie(http.MethodGet, "/", nil)
	}
	visitor, user := getPages(sandbox)
	head, _, _ := strings.Cut(string(user.body), "<title>")
	if strings.Count(string(user.body), sandboxScript) != 1 || !strings.Contains(head, sandboxScript) {
		t.Errorf("the user's page does not have the sandbox script once in its head: %.200s", user.body)
	}
	if strings.Contains(string(visitor.body), "/sandbox/") { // a visitor cannot pay and does not need the script
		t.Errorf("the visitor's page loads the sandbox script: %.200s", visitor.body)
	}
	if got := sandbox.visitor().get("/sandbox/stripe/v3.js").wantStatus(http.StatusOK); !strings.HasPrefix(got.Header.Get("Content-Type"), "text/javascript") {
		t.Errorf("the script has the headers %v", got.Header)
	}
	otherVisitor, otherMember := getPages(live)
	for _, page := range []response{otherVisitor, otherMember} {
		if strings.Contains(string(page.body), "/sandbox/") {
			t.Errorf("the page loads the sandbox script with Stripe keys: %.200s", page.body)
		}
	}
	if user.Header.Get("ETag") == otherMember.Header.Get("ETag") {
		t.Error("the pages with and without the script have the same ETag")
	}
	for _, path := range []string{"/sandbox/stripe", "/sandbox/stripe/v3.js", "/sandbox/stripe/v1/payment_intents"} {
		live.visitor().get(path).wantError(http.StatusNotFound, market.CodeNotFound)
		live.send(http.MethodPost, path, nil, header("Authorization", "Bearer pk_live_1")).wantError(http.StatusNotFound, market.CodeNotFound)
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
