package identity_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/oauth2-proxy/mockoidc"

	"secondring/api/identity"
	"secondring/market"
)

func TestGoogleSignInCreatesBuyer(t *testing.T) {
	e := newGoogleEnv(t)
	e.google.QueueUser(grace)
	b := e.browser()
	b.google("/category/64b?from=home#top").leadsTo("/category/64b?from=home#top")
	me := b.do("GET", "/identity/me", nil).is(200)
	if me["email"] != grace.Email || me["displayName"] != grace.Name || me["photoURL"] != grace.Picture {
		t.Errorf("signed in as %v", me)
	}
	user, err := e.store.UserByEmail(t.Context(), grace.Email)
	must(t, err)
	if !user.IsBuyer() || user.Name != grace.Name || user.UID != me["uid"] {
		t.Errorf("the market's user is %+v", user)
	}
	b.token(grace.Email)

	e.google.QueueUser(grace)
	again := e.browser()
	again.google("").leadsTo("/")
	if again.do("GET", "/identity/me", nil).is(200)["uid"] != me["uid"] {
		t.Error("the second sign-in made another account")
	}
}

func TestGoogleAuthorizationRequest(t *testing.T) {
	e := newGoogleEnv(t)
	b := e.browser()
	page, other := b.leave("/").Query(), e.browser().leave("/").Query()
	want := map[string]string{
		"response_type": "code", "code_challenge_method": "S256", "client_id": e.google.ClientID,
		"redirect_uri": e.server.URL + "/identity/google/callback", "scope": "openid email profile",
	}
	for name, value := range want {
		if page.Get(name) != value {
			t.Errorf("%s is %q, want %q", name, page.Get(name), value)
		}
	}
	for _, name := range []string{"state", "nonce", "code_challenge"} {
		if len(page.Get(name)) < 43 || page.Get(name) == other.Get(name) {
			t.Errorf("%s is %q and then %q", name, page.Get(name), other.Get(name))
		}
	}
}

func TestGoogleRefusesTamperedCallbacks(t *testing.T) {
	for name, c := range map[string]struct {
		change func(url.Values)
		code   string
	}{
		"wrong state":        {func(q url.Values) { q.Set("state", "mine") }, "google_expired"},
		"wrong nonce":        {func(q url.Values) { q.Set("nonce", "mine") }, "google_failed"},
		"no nonce":           {func(q url.Values) { q.Del("nonce") }, "google_failed"},
		"wrong PKCE":         {func(q url.Values) { q.Set("code_challenge", strings.Repeat("a", 43)) }, "google_failed"},
		"PKCE by plain text": {func(q url.Values) { q.Set("code_challenge_method", "plain") }, "google_failed"},
	} {
		t.Run(name, func(t *testing.T) {
			e := newGoogleEnv(t)
			e.google.QueueUser(grace)
			b := e.browser()
			b.google("/", c.change).leadsTo("/login?error=" + c.code)
			b.do("GET", "/identity/me", nil).is(401)
			if _, err := e.store.AccountByEmail(t.Context(), grace.Email); err == nil {
				t.Error("an account was made")
			}
		})
	}
}

func TestGoogleRefusesCallbacksOfOtherBrowsers(t *testing.T) {
	e := newGoogleEnv(t)
	t.Run("another browser's", func(t *testing.T) {
		e.google.QueueUser(grace)
		attacker, victim := e.browser(), e.browser()
		callback := attacker.visit(attacker.leave("/"))
		victim.do("GET", callback, nil).leadsTo("/login?error=google_expired")
		victim.leave("/")
		victim.do("GET", callback, nil).leadsTo("/login?error=google_expired")
		victim.do("GET", "/identity/me", nil).is(401)
	})
	t.Run("too late", func(t *testing.T) {
		e.google.QueueUser(grace)
		b := e.browser()
		callback := b.visit(b.leave("/"))
		e.clock.Pass(11 * time.Minute)
		b.do("GET", callback, nil).leadsTo("/login?error=google_expired")
	})
	t.Run("a second time", func(t *testing.T) {
		e := newGoogleEnv(t)
		e.google.QueueUser(grace)
		b := e.browser()
		callback := b.visit(b.leave("/"))
		site, err := url.Parse(e.server.URL)
		must(t, err)
		kept := b.client.Jar.Cookies(site)
		b.do("GET", callback, nil).leadsTo("/")
		b.do("GET", callback, nil).leadsTo("/login?error=google_expired")
		thief := e.browser()
		thief.client.Jar.SetCookies(site, kept) // restores the flow's cookie, but the code was used
		thief.do("GET", callback, nil).leadsTo("/login?error=google_failed")
		thief.do("GET", "/identity/me", nil).is(401)
	})
	t.Run("refused", func(t *testing.T) {
		b := e.browser()
		state := b.leave("/").Query().Get("state")
		b.do("GET", "/identity/google/callback?error=access_denied&state="+state, nil).leadsTo("/login?error=google_denied")
	})
	t.Run("refused during a sign-in for a screen", func(t *testing.T) {
		b := e.browser()
		state := b.leave("/phone/7?book=7").Query().Get("state")
		b.do("GET", "/identity/google/callback?error=access_denied&state="+state, nil).
			leadsTo("/login?error=google_denied&returnTo=%2Fphone%2F7%3Fbook%3D7")
	})
	t.Run("an error of Google's", func(t *testing.T) {
		b := e.browser()
		state := b.leave("/").Query().Get("state")
		b.do("GET", "/identity/google/callback?error=%3Cscript%3E&state="+state, nil).leadsTo("/login?error=google_failed")
	})
	t.Run("a forged cookie", func(t *testing.T) {
		b := e.browser()
		state := b.leave("/").Query().Get("state")
		forged := func(r *http.Request) { r.Header.Set("Cookie", "sr_google=eyJzdGF0ZSI6ImEifQ") }
		e.browser().do("GET", "/identity/google/callback?code=a&state="+state, nil, forged).leadsTo("/login?error=google_expired")
	})
}

func TestGoogleNeedsVerifiedValidAddress(t *testing.T) {
	for name, c := range map[string]struct {
		who  googleUser
		code string
	}{
		"unverified": {googleUser{Subject: "1", Email: "a@example.com"}, "google_unverified"},
		"no address": {googleUser{Subject: "1", Verified: true}, "google_failed"},
		"odd":        {googleUser{Subject: "1", Email: `"a b"@example.com`, Verified: true}, "google_failed"},
		"no subject": {googleUser{Email: "a@example.com", Verified: true}, "google_failed"},
	} {
		t.Run(name, func(t *testing.T) {
			e := newGoogleEnv(t)
			e.google.QueueUser(c.who)
			e.browser().google("/").leadsTo("/login?error=" + c.code)
		})
	}
}

func TestInvalidGoogleNamesAndPicturesAreIgnored(t *testing.T) {
	e := newGoogleEnv(t)
	e.google.QueueUser(googleUser{
		Subject: "1", Email: "odd@example.com", Verified: true,
		Name: strings.Repeat("n", 101), Picture: "javascript:alert(1)",
	})
	b := e.browser()
	b.google("/").leadsTo("/")
	if me := b.do("GET", "/identity/me", nil).is(200); me["displayName"] != "odd" || me["photoURL"] != "" {
		t.Errorf("signed in as %v", me)
	}
}

func TestGoogleAccountIsFoundBySubject(t *testing.T) {
	e := newGoogleEnv(t)
	e.google.QueueUser(grace)
	b := e.browser()
	b.google("/").leadsTo("/")
	uid := b.do("GET", "/identity/me", nil).is(200)["uid"]

	moved := grace
	moved.Email = "hopper@example.com"
	e.google.QueueUser(moved)
	after := e.browser()
	after.google("/").leadsTo("/")
	if me := after.do("GET", "/identity/me", nil).is(200); me["uid"] != uid || me["email"] != grace.Email {
		t.Errorf("after the address changed: %v", me)
	}

	heir := grace
	heir.Subject = "google-2"
	e.google.QueueUser(heir)
	e.browser().google("/").leadsTo("/login?error=google_other")
}

func TestRemovedUserCannotSignInWithGoogle(t *testing.T) {
	e := newGoogleEnv(t)
	e.google.QueueUser(grace)
	e.browser().google("/").leadsTo("/")
	user, err := e.store.UserByEmail(t.Context(), grace.Email)
	must(t, err)
	_, err = e.market.RemoveUser(t.Context(), market.Actor{User: market.User{Admin: true}}, user.ID)
	must(t, err)
	e.google.QueueUser(grace)
	e.browser().google("/").leadsTo("/login?error=account_removed")
}

func TestGoogleErrorsShowOnlyACode(t *testing.T) {
	e := newGoogleEnv(t)
	e.google.QueueError(&mockoidc.ServerError{Code: 500, Error: "server_error", Description: "secret inside"})
	a := e.browser().do("GET", "/identity/google", nil)
	a.leadsTo("/login?error=google_unavailable")
	if !strings.Contains(e.logged.String(), "google_unavailable") {
		t.Error("the failure is not in the log")
	}
	e.google.QueueUser(grace)
	e.browser().google("/").leadsTo("/") // discovery is tried again
}

// redirectingIssuer is an issuer that redirects requests of one path to the right response.
type redirectingIssuer struct {
	path  string
	heard atomic.Int32
}

func (s *redirectingIssuer) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.URL.Path, s.path) || r.URL.Query().Has("elsewhere") {
		return http.DefaultTransport.RoundTrip(r)
	}
	s.heard.Add(1)
	return &http.Response{
		StatusCode: http.StatusTemporaryRedirect, Header: http.Header{"Location": {r.URL.Path + "?elsewhere"}},
		Body: http.NoBody, Request: r,
	}, nil
}

// A redirect of Google's discovery, token or key endpoint fails the sign-in.
func TestGoogleRedirectsAreNotFollowed(t *testing.T) {
	for _, path := range []string{mockoidc.DiscoveryEndpoint, mockoidc.TokenEndpoint, mockoidc.JWKSEndpoint, "/none"} {
		t.Run(path, func(t *testing.T) {
			way := &redirectingIssuer{path: path}
			e := newGoogleEnv(t, func(c *identity.Config) { c.Google.Client = &http.Client{Transport: way} })
			b := e.browser()
			if path == mockoidc.DiscoveryEndpoint {
				b.do("GET", "/identity/google", nil).leadsTo("/login?error=google_unavailable")
				return
			}
			e.google.QueueUser(grace)
			a := b.google("/")
			if path == "/none" {
				a.leadsTo("/")
				return
			}
			if place := a.Header.Get("Location"); !strings.HasPrefix(place, "/login?error=google_") || way.heard.Load() == 0 {
				t.Errorf("leads to %q, after %d redirects", place, way.heard.Load())
			}
			b.do("GET", "/identity/me", nil).is(401)
		})
	}
}

func TestServiceStartsWithoutGoogle(t *testing.T) {
	var asked atomic.Int32
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		http.Error(w, "away", http.StatusServiceUnavailable)
	}))
	defer away.Close()
	e := newEnv(t, func(c *identity.Config) { c.Google = &identity.GoogleConfig{Issuer: away.URL, ClientID: "id"} })
	if asked.Load() != 0 {
		t.Error("the start asked Google")
	}
	e.browser().do("GET", "/identity/google", nil).leadsTo("/login?error=google_unavailable")
	e.browser().do("GET", "/identity/google/callback?code=a&state=b", nil).leadsTo("/login?error=google_expired")
}

func TestGoogleRoutesWithoutConfiguration(t *testing.T) {
	b := newEnv(t).browser()
	b.do("GET", "/identity/google", nil).leadsTo("/login?error=google_unavailable")
	b.do("GET", "/identity/google/callback?code=a&state=b", nil).leadsTo("/login?error=google_unavailable")
	b.do("POST", "/identity/google/link", fields{"password": "secret"}).is(401)
}
