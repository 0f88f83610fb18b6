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
)

func TestGoogleSignInCreatesBuyer(t *testing.T) {
	e := newGoogleEnv(t)
	e.google.QueueUser(grace)
	b := e.browser()
	b.signInWithGoogle("/category/64b?from=home#top").wantRedirect("/category/64b?from=home#top")
	me := b.do("GET", "/identity/me", nil).wantStatus(200)
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
	second := e.browser()
	second.signInWithGoogle("").wantRedirect("/")
	if second.do("GET", "/identity/me", nil).wantStatus(200)["uid"] != me["uid"] {
		t.Error("the second sign-in created another account")
	}
}

func TestGoogleAuthorizationRequest(t *testing.T) {
	e := newGoogleEnv(t)
	b := e.browser()
	page, other := b.startGoogle("/").Query(), e.browser().startGoogle("/").Query()
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
			b.signInWithGoogle("/", c.change).wantRedirect("/login?error=" + c.code)
			b.do("GET", "/identity/me", nil).wantStatus(401)
			if _, err := e.store.AccountByEmail(t.Context(), grace.Email); err == nil {
				t.Error("an account was created")
			}
		})
	}
}

func TestGoogleRefusesCallbacksOfOtherBrowsers(t *testing.T) {
	e := newGoogleEnv(t)
	t.Run("callback of another browser", func(t *testing.T) {
		e.google.QueueUser(grace)
		attacker, victim := e.browser(), e.browser()
		callback := attacker.googleCallback(attacker.startGoogle("/"))
		victim.do("GET", callback, nil).wantRedirect("/login?error=google_expired")
		victim.startGoogle("/")
		victim.do("GET", callback, nil).wantRedirect("/login?error=google_expired")
		victim.do("GET", "/identity/me", nil).wantStatus(401)
	})
	t.Run("expired after ten minutes", func(t *testing.T) {
		e.google.QueueUser(grace)
		b := e.browser()
		callback := b.googleCallback(b.startGoogle("/"))
		e.clock.Pass(11 * time.Minute)
		b.do("GET", callback, nil).wantRedirect("/login?error=google_expired")
	})
	t.Run("callback used twice", func(t *testing.T) {
		e := newGoogleEnv(t)
		e.google.QueueUser(grace)
		b := e.browser()
		callback := b.googleCallback(b.startGoogle("/"))
		site, err := url.Parse(e.server.URL)
		must(t, err)
		cookies := b.client.Jar.Cookies(site)
		b.do("GET", callback, nil).wantRedirect("/")
		b.do("GET", callback, nil).wantRedirect("/login?error=google_expired")
		attacker := e.browser()
		attacker.client.Jar.SetCookies(site, cookies) // restores the flow's cookie, but the code was used
		attacker.do("GET", callback, nil).wantRedirect("/login?error=google_failed")
		attacker.do("GET", "/identity/me", nil).wantStatus(401)
	})
	t.Run("denied by the user", func(t *testing.T) {
		b := e.browser()
		state := b.startGoogle("/").Query().Get("state")
		b.do("GET", "/identity/google/callback?error=access_denied&state="+state, nil).wantRedirect("/login?error=google_denied")
	})
	t.Run("denied by the user, with a return path", func(t *testing.T) {
		b := e.browser()
		state := b.startGoogle("/phone/7?book=7").Query().Get("state")
		b.do("GET", "/identity/google/callback?error=access_denied&state="+state, nil).
			wantRedirect("/login?error=google_denied&returnTo=%2Fphone%2F7%3Fbook%3D7")
	})
	t.Run("unknown error of Google", func(t *testing.T) {
		b := e.browser()
		state := b.startGoogle("/").Query().Get("state")
		b.do("GET", "/identity/google/callback?error=%3Cscript%3E&state="+state, nil).wantRedirect("/login?error=google_failed")
	})
	t.Run("forged cookie", func(t *testing.T) {
		b := e.browser()
		state := b.startGoogle("/").Query().Get("state")
		forged := func(r *http.Request) { r.Header.Set("Cookie", "sr_google=eyJzdGF0ZSI6ImEifQ") }
		e.browser().do("GET", "/identity/google/callback?code=a&state="+state, nil, forged).wantRedirect("/login?error=google_expired")
	})
}

func TestGoogleNeedsVerifiedValidAddress(t *testing.T) {
	for name, c := range map[string]struct {
		user googleUser
		code string
	}{
		"unverified": {googleUser{Subject: "1", Email: "a@example.com"}, "google_unverified"},
		"no address": {googleUser{Subject: "1", Verified: true}, "google_failed"},
		"quoted":     {googleUser{Subject: "1", Email: `"a b"@example.com`, Verified: true}, "google_failed"},
		"no subject": {googleUser{Email: "a@example.com", Verified: true}, "google_failed"},
	} {
		t.Run(name, func(t *testing.T) {
			e := newGoogleEnv(t)
			e.google.QueueUser(c.user)
			e.browser().signInWithGoogle("/").wantRedirect("/login?error=" + c.code)
		})
	}
}

func TestInvalidGoogleNamesAndPicturesAreIgnored(t *testing.T) {
	e := newGoogleEnv(t)
	e.google.QueueUser(googleUser{
		Subject: "1", Email: "eve@example.com", Verified: true,
		Name: strings.Repeat("n", 101), Picture: "javascript:alert(1)",
	})
	b := e.browser()
	b.signInWithGoogle("/").wantRedirect("/")
	if me := b.do("GET", "/identity/me", nil).wantStatus(200); me["displayName"] != "eve" || me["photoURL"] != "" {
		t.Errorf("signed in as %v", me)
	}
}

func TestGoogleAccountIsFoundBySubject(t *testing.T) {
	e := newGoogleEnv(t)
	e.google.QueueUser(grace)
	b := e.browser()
	b.signInWithGoogle("/").wantRedirect("/")
	uid := b.do("GET", "/identity/me", nil).wantStatus(200)["uid"]

	changed := grace
	changed.Email = "hopper@example.com"
	e.google.QueueUser(changed)
	second := e.browser()
	second.signInWithGoogle("/").wantRedirect("/")
	if me := second.do("GET", "/identity/me", nil).wantStatus(200); me["uid"] != uid || me["email"] != grace.Email {
		t.Errorf("after the address changed at Google: signed in as %v", me)
	}

	another := grace
	another.Subject = "google-2"
	e.google.QueueUser(another)
	e.browser().signInWithGoogle("/").wantRedirect("/login?error=google_other")
}

func TestOwnerOfClosedAccountCannotSignInWithGoogle(t *testing.T) {
	e := newGoogleEnv(t)
	e.google.QueueUser(grace)
	e.browser().signInWithGoogle("/").wantRedirect("/")
	e.removeUser(grace.Email)
	e.google.QueueUser(grace)
	e.browser().signInWithGoogle("/").wantRedirect("/login?error=account_closed")
}

func TestGoogleErrorsShowOnlyACode(t *testing.T) {
	e := newGoogleEnv(t)
	e.google.QueueError(&mockoidc.ServerError{Code: 500, Error: "server_error", Description: "secret inside"})
	a := e.browser().do("GET", "/identity/google", nil)
	a.wantRedirect("/login?error=google_unavailable")
	if !strings.Contains(e.logged.String(), "google_unavailable") {
		t.Error("the failure is not in the log")
	}
	e.google.QueueUser(grace)
	e.browser().signInWithGoogle("/").wantRedirect("/") // discovery is tried again
}

// redirectingIssuer is a transport to the issuer that redirects the requests for one path.
// The target of the redirect returns the right response.
type redirectingIssuer struct {
	path      string
	redirects atomic.Int32
}

func (s *redirectingIssuer) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.URL.Path, s.path) || r.URL.Query().Has("redirected") {
		return http.DefaultTransport.RoundTrip(r)
	}
	s.redirects.Add(1)
	return &http.Response{
		StatusCode: http.StatusTemporaryRedirect, Header: http.Header{"Location": {r.URL.Path + "?redirected"}},
		Body: http.NoBody, Request: r,
	}, nil
}

// A redirect of Google's discovery, token or key endpoint fails the sign-in.
func TestGoogleRedirectsAreNotFollowed(t *testing.T) {
	for _, path := range []string{mockoidc.DiscoveryEndpoint, mockoidc.TokenEndpoint, mockoidc.JWKSEndpoint, "no redirect"} {
		t.Run(path, func(t *testing.T) {
			issuer := &redirectingIssuer{path: path}
			e := newGoogleEnv(t, func(c *identity.Config) { c.Google.Client = &http.Client{Transport: issuer} })
			b := e.browser()
			if path == mockoidc.DiscoveryEndpoint {
				b.do("GET", "/identity/google", nil).wantRedirect("/login?error=google_unavailable")
				return
			}
			e.google.QueueUser(grace)
			a := b.signInWithGoogle("/")
			if path == "no redirect" {
				a.wantRedirect("/")
				return
			}
			if target := a.Header.Get("Location"); !strings.HasPrefix(target, "/login?error=google_") || issuer.redirects.Load() == 0 {
				t.Errorf("redirects to %q after %d redirects of Google, want the login page after at least one", target, issuer.redirects.Load())
			}
			b.do("GET", "/identity/me", nil).wantStatus(401)
		})
	}
}

func TestServiceStartsWithoutGoogle(t *testing.T) {
	var requests atomic.Int32
	unavailable := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		http.Error(w, "unavailable", http.StatusServiceUnavailable)
	}))
	defer unavailable.Close()
	e := newEnv(t, func(c *identity.Config) { c.Google = &identity.GoogleConfig{Issuer: unavailable.URL, ClientID: "id"} })
	if requests.Load() != 0 {
		t.Error("the service sent a request to Google when it started")
	}
	e.browser().do("GET", "/identity/google", nil).wantRedirect("/login?error=google_unavailable")
	e.browser().do("GET", "/identity/google/callback?code=a&state=b", nil).wantRedirect("/login?error=google_expired")
}

func TestGoogleRoutesWithoutConfiguration(t *testing.T) {
	b := newEnv(t).browser()
	b.do("GET", "/identity/google", nil).wantRedirect("/login?error=google_unavailable")
	b.do("GET", "/identity/google/callback?code=a&state=b", nil).wantRedirect("/login?error=google_unavailable")
	b.do("POST", "/identity/google/link", fields{"password": "secret"}).wantStatus(401)
}
