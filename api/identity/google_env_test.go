package identity_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/golang-jwt/jwt/v5"
	"github.com/oauth2-proxy/mockoidc"

	"secondring/api/identity"
)

// googleUser is a user with an account at the OpenID server.
type googleUser struct {
	Subject  string `json:"-"`
	Email    string `json:"email,omitempty"`
	Verified bool   `json:"email_verified,omitempty"`
	Name     string `json:"name,omitempty"`
	Picture  string `json:"picture,omitempty"`
}

func (g googleUser) ID() string                        { return g.Subject }
func (g googleUser) Userinfo([]string) ([]byte, error) { return json.Marshal(g) }
func (g googleUser) Claims(_ []string, base *mockoidc.IDTokenClaims) (jwt.Claims, error) {
	return struct {
		*mockoidc.IDTokenClaims
		googleUser
	}{base, g}, nil
}

var _ mockoidc.User = googleUser{}

var grace = googleUser{
	Subject: "google-1", Email: "Grace@example.com", Verified: true,
	Name: "Grace Hopper", Picture: "https://pictures.example.com/grace.jpg",
}

// googleEnv is an env with a real OpenID server instead of Google.
type googleEnv struct {
	*env
	google *mockoidc.MockOIDC
}

func newGoogleEnv(t *testing.T, change ...func(*identity.Config)) *googleEnv {
	t.Helper()
	server, useServer := startGoogle(t)
	return &googleEnv{google: server, env: newEnv(t, append([]func(*identity.Config){useServer}, change...)...)}
}

// startGoogle starts an OpenID server. The function makes a service use it.
func startGoogle(t *testing.T) (*mockoidc.MockOIDC, func(*identity.Config)) {
	t.Helper()
	server, err := mockoidc.Run()
	must(t, err)
	t.Cleanup(func() { must(t, server.Shutdown()) })
	_, err = server.Keypair.KeyID() // creates the key now, because its lazy creation is not safe for concurrent use
	must(t, err)
	return server, func(c *identity.Config) {
		c.Google = &identity.GoogleConfig{
			Issuer: server.Issuer(), ClientID: server.ClientID, ClientSecret: server.ClientSecret,
		}
	}
}

// startGoogle begins a sign-in with Google and returns the URL of Google's page.
func (b *browser) startGoogle(returnTo string) *url.URL {
	b.t.Helper()
	a := b.do("GET", "/identity/google?returnTo="+url.QueryEscape(returnTo), nil)
	if a.Status != http.StatusSeeOther {
		b.t.Fatalf("status %d, want 303: %s", a.Status, a.Body)
	}
	return b.location(a)
}

func (b *browser) location(a response) *url.URL {
	b.t.Helper()
	u, err := url.Parse(a.Header.Get("Location"))
	must(b.t, err)
	return u
}

// googleCallback signs the user in at Google, and returns the URL to which Google redirects.
func (b *browser) googleCallback(page *url.URL) string {
	b.t.Helper()
	return b.location(b.do("GET", page.String(), nil)).String()
}

// signInWithGoogle signs in with Google and returns the last response. change changes the request to
// Google.
func (b *browser) signInWithGoogle(returnTo string, change ...func(url.Values)) response {
	b.t.Helper()
	page := b.startGoogle(returnTo)
	query := page.Query()
	for _, apply := range change {
		apply(query)
	}
	page.RawQuery = query.Encode()
	return b.do("GET", b.googleCallback(page), nil)
}

// wantRedirect fails the test unless the response redirects to this target.
func (a response) wantRedirect(target string) {
	a.t.Helper()
	if got := a.Header.Get("Location"); a.Status != http.StatusSeeOther || got != target {
		a.t.Fatalf("status %d redirects to %q, want 303 to %q; body %s", a.Status, got, target, a.Body)
	}
}
