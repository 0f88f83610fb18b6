package identity

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"secondring/api/rest"
	"secondring/market"
)

// googleTimeout is how long one request to Google may take.
const googleTimeout = 5 * time.Second

// CallbackPath is where Google redirects to. PUBLIC_URL with this path has to be entered in
// Google's console.
const CallbackPath = "/identity/google/callback"

// GoogleConfig is the configuration of the OpenID provider of "Sign in with Google".
type GoogleConfig struct {
	Issuer       string // https://accounts.google.com, or the sandbox's
	ClientID     string
	ClientSecret string
	Client       *http.Client // for requests to the issuer; nil for the default client
}

// google is the client of the authorization code flow.
type google struct {
	config   GoogleConfig
	redirect string
	clock    market.Clock
	flight   singleflight.Group
	known    atomic.Pointer[oidc.Provider]
}

func newGoogle(c GoogleConfig, public *url.URL, clock market.Clock) *google {
	c.Client = rest.NoRedirects(c.Client)
	c.Client.Timeout = googleTimeout
	return &google{config: c, redirect: public.Scheme + "://" + public.Host + CallbackPath, clock: clock}
}

// provider fetches the issuer's discovery document on first use. A failure is not
// cached: the next sign-in tries again. Concurrent sign-ins share one request.
func (g *google) provider(ctx context.Context) (*oidc.Provider, error) {
	if p := g.known.Load(); p != nil {
		return p, nil
	}
	found, err, _ := g.flight.Do("discover", func() (any, error) {
		// This ignores the caller's cancellation, because other callers that wait must not
		// fail when the first one disconnects. The client has its own timeout.
		lasting := oidc.ClientContext(context.WithoutCancel(ctx), g.config.Client)
		p, err := oidc.NewProvider(lasting, g.config.Issuer)
		if err == nil {
			g.known.Store(p)
		}
		return p, err
	})
	if err != nil {
		return nil, failure{code: failUnavailable, cause: err}
	}
	p, ok := found.(*oidc.Provider)
	if !ok {
		return nil, fmt.Errorf("identity: discovery returned %T", found)
	}
	return p, nil
}

func (g *google) oauth(p *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: g.config.ClientID, ClientSecret: g.config.ClientSecret,
		Endpoint: p.Endpoint(), RedirectURL: g.redirect,
		Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
	}
}

// flow is the state of one sign-in between the redirect to Google and the callback.
type flow struct {
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"` // PKCE
	ReturnTo string `json:"returnTo"`
}

// address returns the authorization URL.
func (g *google) address(ctx context.Context, f flow) (string, error) {
	p, err := g.provider(ctx)
	if err != nil {
		return "", err
	}
	return g.oauth(p).AuthCodeURL(f.State, oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier),
		oauth2.SetAuthURLParam("prompt", "select_account")), nil
}

// googleIdentity is the verified content of an ID token.
type googleIdentity struct {
	Subject  string `json:"sub"`
	Email    string `json:"email"`
	Verified bool   `json:"email_verified"`
	Name     string `json:"name"`
	Picture  string `json:"picture"`
}

// redeem exchanges the code for an ID token and verifies the token and its nonce.
func (g *google) redeem(ctx context.Context, code string, f flow) (googleIdentity, error) {
	p, err := g.provider(ctx)
	if err != nil {
		return googleIdentity{}, err
	}
	ctx = oidc.ClientContext(ctx, g.config.Client)
	token, err := g.oauth(p).Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return googleIdentity{}, failure{code: failedCode(err), cause: err}
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return googleIdentity{}, failure{code: failGoogle, cause: errors.New("the response has no id_token")}
	}
	id, err := p.VerifierContext(ctx, &oidc.Config{ClientID: g.config.ClientID, Now: g.clock.Now}).Verify(ctx, raw)
	if err != nil {
		return googleIdentity{}, failure{code: failGoogle, cause: err}
	}
	if !equalSecrets(id.Nonce, f.Nonce) {
		return googleIdentity{}, failure{code: failGoogle, cause: errors.New("the nonce differs")}
	}
	var who googleIdentity
	if err := id.Claims(&who); err != nil {
		return googleIdentity{}, failure{code: failGoogle, cause: err}
	}
	return who, who.check()
}

// failedCode returns the error code of a failed redemption: whether Google has refused it
// or is unavailable.
func failedCode(err error) string {
	if refused := (*oauth2.RetrieveError)(nil); errors.As(err, &refused) && refused.Response.StatusCode < http.StatusInternalServerError {
		return failGoogle
	}
	return failUnavailable
}

// check requires a verified email address that is also valid for sign-up.
func (p googleIdentity) check() error {
	if !p.Verified {
		return failure{code: failUnverified, cause: errors.New("the address is not verified")}
	}
	c := newCheck()
	if c.email(p.Email); p.Subject == "" || c.Err() != nil {
		return failure{code: failGoogle, cause: errors.New("no subject or no usable address")}
	}
	return nil
}
