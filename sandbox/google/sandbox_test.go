package google_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/oauth2"

	"secondring/market"
	"secondring/market/markettest"
	googlesandbox "secondring/sandbox/google"
	"secondring/store/sqlite/sqlitetest"
)

const redirectURI = "http://shop.example.com/identity/google/callback"

// env is an issuer on a real server with an OAuth client.
type env struct {
	t      *testing.T
	clock  *markettest.Clock
	store  market.Store
	config googlesandbox.Config
	issuer *googlesandbox.Issuer
	oauth  *oauth2.Config
	verify *oidc.IDTokenVerifier
	ctx    context.Context
	http   *http.Client
}

func newEnv(t *testing.T) *env {
	t.Helper()
	e := &env{t: t, clock: markettest.NewClock(time.Now())}
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	e.store = store
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { handler.ServeHTTP(rw, r) }))
	t.Cleanup(server.Close)
	e.config = googlesandbox.Config{
		Issuer: server.URL + "/sandbox/google", ClientID: "shop", ClientSecret: "s3cret/+", Redirect: redirectURI, Clock: e.clock, Records: e.store,
		People: []googlesandbox.Person{
			{Email: "grace@example.com", Name: "Grace <Hopper>", Picture: "https://pictures.example.com/g.jpg"},
			{Email: "mallory@example.com", Name: "Mallory", Unverified: true},
		},
	}
	e.issuer, err = googlesandbox.New(e.config)
	must(t, err)
	handler = e.issuer
	e.http = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	e.ctx = oidc.ClientContext(t.Context(), e.issuer.Client())
	provider, err := oidc.NewProvider(e.ctx, server.URL+"/sandbox/google")
	must(t, err)
	e.oauth = &oauth2.Config{
		ClientID: "shop", ClientSecret: "s3cret/+", Endpoint: provider.Endpoint(), RedirectURL: redirectURI, Scopes: []string{"openid", "email"},
	}
	e.verify = provider.Verifier(&oidc.Config{ClientID: "shop", Now: e.clock.Now})
	return e
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// request returns the parameters of a valid authorization request.
func (e *env) request(verifier string) url.Values {
	u, err := url.Parse(e.oauth.AuthCodeURL("the state", oidc.Nonce("the nonce"), oauth2.S256ChallengeOption(verifier)))
	must(e.t, err)
	return u.Query()
}

// submit sends the page's form, and returns the response and its body.
func (e *env) submit(form url.Values) (*http.Response, string) {
	e.t.Helper()
	res, err := e.http.PostForm(e.oauth.Endpoint.AuthURL, form)
	must(e.t, err)
	return res, read(e.t, res)
}

func read(t *testing.T, res *http.Response) string {
	t.Helper()
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return string(body)
}

// code submits the form with a choice, and returns the code in the redirect.
func (e *env) code(verifier string, choice url.Values) string {
	e.t.Helper()
	form := e.request(verifier)
	for name := range choice {
		form.Set(name, choice.Get(name))
	}
	res, body := e.submit(form)
	callback, err := res.Location()
	if err != nil || res.StatusCode != http.StatusSeeOther {
		e.t.Fatalf("status %d, %v: %s", res.StatusCode, err, body)
	}
	if !strings.HasPrefix(callback.String(), redirectURI+"?") || callback.Query().Get("state") != "the state" {
		e.t.Fatalf("redirected to %s", callback)
	}
	return callback.Query().Get("code")
}

type claims struct {
	Email    string `json:"email"`
	Verified bool   `json:"email_verified"`
	Name     string `json:"name"`
	Picture  string `json:"picture"`
	Nonce    string `json:"nonce"`
}

// identify redeems a code and checks the ID token.
func (e *env) identify(code, verifier string) (subject string, c claims) {
	e.t.Helper()
	token, err := e.oauth.Exchange(e.ctx, code, oauth2.VerifierOption(verifier))
	must(e.t, err)
	raw, _ := token.Extra("id_token").(string)
	id, err := e.verify.Verify(e.ctx, raw)
	must(e.t, err)
	must(e.t, id.Claims(&c))
	return id.Subject, c
}

func TestListedPeopleSignIn(t *testing.T) {
	e := newEnv(t)
	verifier := oauth2.GenerateVerifier()
	subject, got := e.identify(e.code(verifier, url.Values{"person": {"grace@example.com"}}), verifier)
	want := claims{"grace@example.com", true, "Grace <Hopper>", "https://pictures.example.com/g.jpg", "the nonce"}
	if got != want {
		t.Errorf("claims %+v, want %+v", got, want)
	}
	second, _ := e.identify(e.code(verifier, url.Values{"email": {" GRACE@example.com"}}), verifier)
	if subject == "" || second != subject {
		t.Errorf("subjects %q and %q of one person", subject, second)
	}
	if _, got := e.identify(e.code(verifier, url.Values{"person": {"mallory@example.com"}}), verifier); got.Verified {
		t.Error("the unverified address is verified in the ID token")
	}
}

func TestAnyAddressSignsIn(t *testing.T) {
	e := newEnv(t)
	verifier := oauth2.GenerateVerifier()
	_, got := e.identify(e.code(verifier, url.Values{"email": {"linus@example.org"}, "name": {"Linus"}}), verifier)
	if got.Email != "linus@example.org" || got.Name != "Linus" || !got.Verified {
		t.Errorf("claims %+v", got)
	}
	_, got = e.identify(e.code(verifier, url.Values{"email": {"linus@example.org"}}), verifier)
	if got.Name != "linus" {
		t.Errorf("the name is %q, want that of the address", got.Name)
	}
	form := e.request(verifier)
	form.Set("email", "not an address")
	if res, body := e.submit(form); res.StatusCode != 422 || !strings.Contains(body, "Type an email address") {
		t.Errorf("status %d: %s", res.StatusCode, body)
	}
}

func TestPageNamesSandboxAndNeedsNoScript(t *testing.T) {
	e := newEnv(t)
	query := e.request(oauth2.GenerateVerifier())
	query.Set("state", `"><script>alert(1)</script>`)
	res, err := e.http.Get(e.oauth.Endpoint.AuthURL + "?" + query.Encode())
	must(t, err)
	body := read(t, res)
	for _, want := range []string{"Sandbox", "replaces Google", "Grace &lt;Hopper&gt;", "/sandbox/google/style.css"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, forbidden := range []string{"<script", "style=", "<style", "onclick"} {
		if strings.Contains(body, forbidden) {
			t.Errorf("the page has %q", forbidden)
		}
	}
	if csp := res.Header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") {
		t.Errorf("Content-Security-Policy %q", csp)
	}
	style, err := e.http.Get(strings.Replace(e.oauth.Endpoint.AuthURL, "/authorize", "/style.css", 1))
	must(t, err)
	if got := read(t, style); style.StatusCode != 200 || !strings.HasPrefix(style.Header.Get("Content-Type"), "text/css") || got == "" {
		t.Errorf("stylesheet: %d %s", style.StatusCode, style.Header.Get("Content-Type"))
	}
}

func TestInvalidRequestsAreRefusedOnThePage(t *testing.T) {
	e := newEnv(t)
	for name, change := range map[string]func(url.Values){
		"another client": func(q url.Values) { q.Set("client_id", "attacker") },
		"other redirect": func(q url.Values) { q.Set("redirect_uri", "http://attacker.example.com/") },
		"implicit flow":  func(q url.Values) { q.Set("response_type", "token") },
		"no openid":      func(q url.Values) { q.Set("scope", "email") },
		"no PKCE":        func(q url.Values) { q.Del("code_challenge") },
		"plain PKCE":     func(q url.Values) { q.Set("code_challenge_method", "plain") },
		"no state":       func(q url.Values) { q.Del("state") },
	} {
		t.Run(name, func(t *testing.T) {
			query := e.request(oauth2.GenerateVerifier())
			change(query)
			query.Set("person", "grace@example.com")
			res, err := e.http.Get(e.oauth.Endpoint.AuthURL + "?" + query.Encode())
			must(t, err)
			if read(t, res); res.StatusCode != 400 {
				t.Errorf("page: status %d, want 400", res.StatusCode)
			}
			if res, body := e.submit(query); res.StatusCode != 400 || res.Header.Get("Location") != "" {
				t.Errorf("form: status %d, want 400: %s", res.StatusCode, body)
			}
		})
	}
}

func TestCancelReturnsAnError(t *testing.T) {
	e := newEnv(t)
	form := e.request(oauth2.GenerateVerifier())
	form.Set("cancel", "1")
	res, _ := e.submit(form)
	if got := res.Header.Get("Location"); got != redirectURI+"?error=access_denied&state=the+state" {
		t.Errorf("redirected to %q", got)
	}
}

func TestCodesAreValidOnceAndExpire(t *testing.T) {
	e := newEnv(t)
	verifier := oauth2.GenerateVerifier()
	grace := url.Values{"person": {"grace@example.com"}}
	wantRefused := func(name, code, verifier string, change ...func(*oauth2.Config)) {
		t.Helper()
		config := *e.oauth
		for _, apply := range change {
			apply(&config)
		}
		if _, err := config.Exchange(e.ctx, code, oauth2.VerifierOption(verifier)); err == nil {
			t.Errorf("%s: the code was redeemed", name)
		}
	}
	redeemed := e.code(verifier, grace)
	e.identify(redeemed, verifier)
	wantRefused("twice", redeemed, verifier)
	wantRefused("unknown", "unknown", verifier)
	wantRefused("signed with another key", forgedCode(t, verifier), verifier)
	wantRefused("wrong verifier", e.code(verifier, grace), oauth2.GenerateVerifier())
	wantRefused("no verifier", e.code(verifier, grace), "")
	wantRefused("other secret", e.code(verifier, grace), verifier, func(c *oauth2.Config) { c.ClientSecret = "guess" })
	wantRefused("other client", e.code(verifier, grace), verifier, func(c *oauth2.Config) { c.ClientID = "guess" })
	wantRefused("other redirect", e.code(verifier, grace), verifier, func(c *oauth2.Config) { c.RedirectURL = "http://attacker.example.com/" })

	failed := e.code(verifier, grace)
	wantRefused("wrong verifier first", failed, oauth2.GenerateVerifier())
	wantRefused("then the right one", failed, verifier)

	expired := e.code(verifier, grace)
	e.clock.Pass(time.Minute)
	wantRefused("expired", expired, verifier)
	e.identify(e.code(verifier, grace), verifier)
}

// A code of one node is redeemed on another, and once among all nodes.
func TestCodesAreValidOnAllNodes(t *testing.T) {
	e := newEnv(t)
	other, err := googlesandbox.New(e.config)
	must(t, err)
	verifier := oauth2.GenerateVerifier()
	code := e.code(verifier, url.Values{"person": {"grace@example.com"}})
	otherContext := oidc.ClientContext(t.Context(), other.Client())
	if _, err := e.oauth.Exchange(otherContext, code, oauth2.VerifierOption(verifier)); err != nil {
		t.Errorf("on the other node: %v", err)
	}
	for _, node := range []context.Context{e.ctx, otherContext} {
		if _, err := e.oauth.Exchange(node, code, oauth2.VerifierOption(verifier)); err == nil {
			t.Error("the code was redeemed again")
		}
	}
}

func TestInvalidIssuers(t *testing.T) {
	for _, issuer := range []string{"", "localhost:8080", "/sandbox", "ftp://example.com", "http://"} {
		if _, err := googlesandbox.New(googlesandbox.Config{Issuer: issuer}); err == nil {
			t.Errorf("the issuer %q is accepted", issuer)
		}
	}
}

// forgedCode returns a code with valid claims, signed with another key.
func forgedCode(t *testing.T, verifier string) string {
	t.Helper()
	code := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"jti": "1", "exp": time.Now().Add(time.Minute).Unix(), "who": map[string]string{"Email": "grace@example.com"},
		"challenge": oauth2.S256ChallengeFromVerifier(verifier),
	})
	code.Header["typ"] = "code"
	signed, err := code.SignedString([]byte("guess"))
	must(t, err)
	return signed
}
