package identity_test

import (
	"net/http"
	"testing"
	"time"

	"secondring/market"
)

// pendingLink returns a browser that has signed in with Google as a user whose address has
// an account with a password.
func (e *googleEnv) pendingLink() *browser {
	e.t.Helper()
	e.google.QueueUser(grace)
	b := e.browser()
	b.signInWithGoogle("/dashboard").wantRedirect("/login?link=1")
	b.do("GET", "/identity/me", nil).wantStatus(401)
	return b
}

func TestLinkingNeedsThePasswordOnce(t *testing.T) {
	e := newGoogleEnv(t)
	owner := e.browser()
	uid := owner.signUp("grace@example.com", adaPass).wantStatus(201)["uid"]
	b := e.pendingLink()
	got := b.do("POST", "/identity/google/link", fields{"password": adaPass}).wantStatus(200)
	user, _ := got["user"].(map[string]any)
	if user["uid"] != uid || got["returnTo"] != "/dashboard" {
		t.Errorf("the response is %v", got)
	}
	b.do("GET", "/identity/me", nil).wantStatus(200)
	if a := e.account(grace.Email); a.GoogleSub != grace.Subject || a.PasswordHash == "" {
		t.Errorf("the account is %+v", a)
	}
	b.do("POST", "/identity/google/link", fields{"password": adaPass}).wantStatus(401) // the cookie was used

	e.google.QueueUser(grace)
	second := e.browser()
	second.signInWithGoogle("/dashboard").wantRedirect("/dashboard")
	b.do("GET", "/identity/me", nil).wantStatus(200)
	owner.do("GET", "/identity/me", nil).wantStatus(401) // it began before the account could be entered with Google
}

func TestLinkingRefusals(t *testing.T) {
	e := newGoogleEnv(t)
	e.browser().signUp(grace.Email, adaPass).wantStatus(201)
	t.Run("no cookie", func(t *testing.T) {
		e.browser().do("POST", "/identity/google/link", fields{"password": adaPass}).
			wantError(401, market.CodeNoToken, "Please log in with Google again")
	})
	t.Run("cookie of another kind", func(t *testing.T) {
		b := e.browser()
		flow := b.do("GET", "/identity/google", nil).Cookie["sr_google"].Value
		other := func(r *http.Request) { r.Header.Set("Cookie", "sr_link="+flow) }
		e.browser().do("POST", "/identity/google/link", fields{"password": adaPass}, other).wantStatus(401)
	})
	t.Run("no password", func(t *testing.T) {
		e.pendingLink().do("POST", "/identity/google/link", fields{}).wantFieldError("password", "Password is required")
	})
	t.Run("wrong passwords count as failed sign-ins", func(t *testing.T) {
		b := e.pendingLink()
		for range 10 {
			b.do("POST", "/identity/google/link", fields{"password": "guess!"}).
				wantError(401, market.CodeNoToken, "Wrong email or password")
		}
		b.do("POST", "/identity/google/link", fields{"password": adaPass}).wantStatus(429)
		e.browser().signIn(grace.Email, adaPass).wantStatus(429)
	})
	t.Run("expired after ten minutes", func(t *testing.T) {
		b := e.pendingLink()
		e.clock.Pass(11 * time.Minute)
		b.do("POST", "/identity/google/link", fields{"password": adaPass}).wantStatus(401)
	})
	if a := e.account(grace.Email); a.GoogleSub != "" {
		t.Errorf("the account was linked to %q", a.GoogleSub)
	}
}

func TestOneGoogleAccountPerAccount(t *testing.T) {
	e := newGoogleEnv(t)
	e.browser().signUp(grace.Email, adaPass).wantStatus(201)
	first := e.pendingLink()
	another := grace
	another.Subject = "google-2"
	e.google.QueueUser(another)
	second := e.browser()
	second.signInWithGoogle("/").wantRedirect("/login?link=1")
	first.do("POST", "/identity/google/link", fields{"password": adaPass}).wantStatus(200)
	second.do("POST", "/identity/google/link", fields{"password": adaPass}).
		wantError(401, market.CodeNoToken, "Please log in with Google again") // the first link has changed the account
	e.google.QueueUser(another)
	second.signInWithGoogle("/").wantRedirect("/login?error=google_other")
}

func TestAccountWithoutPasswordIsLinkedAtOnce(t *testing.T) {
	e := newGoogleEnv(t)
	account, err := e.service.CreateAccount(t.Context(), grace.Email, "", "Grace")
	must(t, err)
	e.google.QueueUser(grace)
	b := e.browser()
	b.signInWithGoogle("/").wantRedirect("/")
	if me := b.do("GET", "/identity/me", nil).wantStatus(200); me["uid"] != account.UID || me["displayName"] != "Grace" {
		t.Errorf("signed in as %v", me)
	}
	another := grace
	another.Subject = "google-2"
	e.google.QueueUser(another)
	e.browser().signInWithGoogle("/").wantRedirect("/login?error=google_other")
}
