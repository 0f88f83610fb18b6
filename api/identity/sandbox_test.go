package identity_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"secondring/api/identity"
	"secondring/market"
	googlesandbox "secondring/sandbox/google"
)

func TestSandboxSignIn(t *testing.T) {
	var issuer *googlesandbox.Issuer
	e := newEnv(t, func(c *identity.Config) {
		records, ok := c.Store.(market.DocumentStore)
		if !ok {
			t.Fatal("the store is no DocumentStore")
		}
		google := identity.GoogleConfig{Issuer: c.PublicURL.String() + "/sandbox/google", ClientID: "secondring", ClientSecret: "sandbox"}
		var err error
		issuer, err = googlesandbox.New(googlesandbox.Config{
			Issuer: google.Issuer, ClientID: google.ClientID, ClientSecret: google.ClientSecret,
			Redirect: c.PublicURL.String() + "/identity/google/callback", Clock: c.Clock, Records: records,
			People: []googlesandbox.Person{{Email: grace.Email, Name: grace.Name}},
		})
		must(t, err)
		google.Client = issuer.Client()
		c.Google = &google
	})
	b := e.browser()
	page := b.startGoogle("/dashboard")
	form := page.Query()
	form.Set("person", grace.Email)
	callback := submitForm(t, issuer, page, form)
	b.do("GET", callback, nil).wantRedirect("/dashboard")
	if me := b.do("GET", "/identity/me", nil).wantStatus(200); me["email"] != grace.Email || me["displayName"] != grace.Name {
		t.Errorf("signed in as %v", me)
	}

	page = b.startGoogle("/")
	form = page.Query()
	form.Set("cancel", "1")
	b.do("GET", submitForm(t, issuer, page, form), nil).wantRedirect("/login?error=google_denied")
}

// submitForm submits the sandbox's form and returns the URL to which it redirects.
func submitForm(t *testing.T, issuer *googlesandbox.Issuer, page *url.URL, form url.Values) string {
	t.Helper()
	client := issuer.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := client.Post(page.Scheme+"://"+page.Host+page.Path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	if res.StatusCode != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.StatusCode, body)
	}
	return res.Header.Get("Location")
}
