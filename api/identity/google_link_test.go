package identity_test

import (
	"net/http"
	"testing"
	"time"

	"secondring/market"
)

// pendingLink returns a browser that has signed in with Google, whose address has a password
// account.
func (e *googleEnv) pendingLink() *browser {
	e.t.Helper()
	e.google.QueueUser(grace)
	b := e.browser()
	b.google("/dashboard").leadsTo("/login?link=1")
	b.do("GET", "/identity/me", nil).is(401)
	return b
}

func TestLinkingNeedsThePasswordOnce(t *testing.T) {
	e := newGoogleEnv(t)
	owner := e.browser()
	uid := owner.signUp("grace@example.com", adaPass).is(201)["uid"]
	b := e.pendingLink()
	got := b.do("POST", "/identity/google/link", fields{"password": adaPass}).is(200)
	user, _ := got["user"].(map[string]any)
	if user["uid"] != uid || got["returnTo"] != "/dashboard" {
		t.Errorf("answered %v", got)
	}
	b.do("GET", "/identity/me", nil).is(200)
	if a := e.account(grace.Email); a.GoogleSub != grace.Subject || a.PasswordHash == "" {
		t.Errorf("the account is %+v", a)
	}
	b.do("POST", "/identity/google/link", fields{"password": adaPass}).is(401) // the cookie was used

	e.google.QueueUser(grace)
	again := e.browser()
	again.google("/dashboard").leadsTo("/dashboard")
	owner.do("GET", "/identity/me", nil).is(200)
}

func TestLinkingRefusals(t *testing.T) {
	e := newGoogleEnv(t)
	e.browser().signUp(grace.Email, adaPass).is(201)
	t.Run("no cookie", func(t *testing.T) {
		e.browser().do("POST", "/identity/google/link", fields{"password": adaPass}).
			refused(401, market.CodeNoToken, "Please log in with Google again")
	})
	t.Run("another cookie in its place", func(t *testing.T) {
		b := e.browser()
		flow := b.do("GET", "/identity/google", nil).Cookie["sr_google"].Value
		other := func(r *http.Request) { r.Header.Set("Cookie", "sr_link="+flow) }
		e.browser().do("POST", "/identity/google/link", fields{"password": adaPass}, other).is(401)
	})
	t.Run("no password", func(t *testing.T) {
		e.pendingLink().do("POST", "/identity/google/link", fields{}).field("password", "Password is required")
	})
	t.Run("wrong password, as often as sign-in", func(t *testing.T) {
		b := e.pendingLink()
		for range 10 {
			b.do("POST", "/identity/google/link", fields{"password": "guess!"}).
				refused(401, market.CodeNoToken, "Wrong email or password")
		}
		b.do("POST", "/identity/google/link", fields{"password": adaPass}).is(429)
		e.browser().signIn(grace.Email, adaPass).is(429)
	})
	t.Run("too late", func(t *testing.T) {
		b := e.pendingLink()
		e.clock.Pass(11 * time.Minute)
		b.do("POST", "/identity/google/link", fields{"password": adaPass}).is(401)
	})
	if a := e.account(grace.Email); a.GoogleSub != "" {
		t.Errorf("the account was linked to %q", a.GoogleSub)
	}
}

func TestOneGoogleAccountPerAccount(t *testing.T) {
	e := newGoogleEnv(t)
	e.browser().signUp(grace.Email, adaPass).is(201)
	first := e.pendingLink()
	heir := grace
	heir.Subject = "google-2"
	e.google.QueueUser(heir)
	second := e.browser()
	second.google("/").leadsTo("/login?link=1")
	first.do("POST", "/identity/google/link", fields{"password": adaPass}).is(200)
	second.do("POST", "/identity/google/link", fields{"password": adaPass}).
		refused(409, market.CodeExists, "Another Google account is linked already")
}

func TestAccountWithoutPasswordIsLinkedAtOnce(t *testing.T) {
	e := newGoogleEnv(t)
	made, err := e.service.CreateAccount(t.Context(), grace.Email, "", "Grace")
	must(t, err)
	e.google.QueueUser(grace)
	b := e.browser()
	b.google("/").leadsTo("/")
	if me := b.do("GET", "/identity/me", nil).is(200); me["uid"] != made.UID || me["displayName"] != "Grace" {
		t.Errorf("signed in as %v", me)
	}
	heir := grace
	heir.Subject = "google-2"
	e.google.QueueUser(heir)
	e.browser().google("/").leadsTo("/login?error=google_other")
}
