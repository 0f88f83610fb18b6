package stripe_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	stripesandbox "secondring/sandbox/stripe"
)

func TestOnboardingLinkWorksOnce(t *testing.T) {
	e := newEnv(t)
	account := e.post("/v1/accounts", url.Values{"type": {"express"}}).ID
	state := func() string { return e.send(http.MethodGet, "/v1/accounts/"+account, secretKey, nil).body }
	for action, capability := range map[string]string{"later": "inactive", "complete": "active"} {
		account = e.post("/v1/accounts", url.Values{"type": {"express"}}).ID
		link := e.link(account)
		if a := e.send(http.MethodGet, link, "", nil); a.status != http.StatusOK || !strings.Contains(a.body, "Set up payouts") {
			t.Errorf("the page is %d %s", a.status, a.body)
		}
		if a := e.submit(link, action); a.status != http.StatusSeeOther || a.header.Get("Location") != "https://shop.example.com/earnings" {
			t.Errorf("the form's response is %d %v", a.status, a.header)
		}
		if !strings.Contains(state(), `"transfers":"`+capability+`"`) {
			t.Errorf("after %s the account is %s", action, state())
		}
		for _, used := range []response{e.send(http.MethodGet, link, "", nil), e.submit(link, "complete")} {
			if used.status != http.StatusGone || !strings.Contains(used.body, "https://shop.example.com/again") {
				t.Errorf("the used link: %d %s", used.status, used.body)
			}
		}
	}
	e.step(0)
	if got := e.shop.take(); len(got) != 1 || got[0].Type != "account.updated" {
		t.Errorf("the events are %+v, want one of the account that is ready", got)
	}
	link := e.link(account)
	e.clock.Pass(5 * time.Minute)
	for _, path := range []string{link, "/onboarding/" + account, "/onboarding/acct_nobody?link="} {
		if a := e.send(http.MethodGet, path, "", nil); a.status != http.StatusGone {
			t.Errorf("%s: the response is %d, want 410", path, a.status)
		}
	}
}

func TestScriptIsRevalidatedAndCompressed(t *testing.T) {
	e := newEnv(t)
	for path, media := range map[string]string{"/v3.js": "text/javascript", "/v3.css": "text/css"} {
		a := e.send(http.MethodGet, path, "", nil)
		if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Type"), media) || a.header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: the response is %d %v", path, a.status, a.header)
		}
		if again := e.send(http.MethodGet, path, "", nil, "If-None-Match", a.header.Get("ETag")); again.status != http.StatusNotModified || again.body != "" {
			t.Errorf("%s with its ETag: %d", path, again.status)
		}
		if small := e.send(http.MethodGet, path, "", nil, "Accept-Encoding", "gzip"); small.header.Get("Content-Encoding") != "gzip" || len(small.body) >= len(a.body) {
			t.Errorf("%s with gzip: %v", path, small.header)
		}
	}
}

func TestKeysDependOnTheSecretOnly(t *testing.T) {
	a, b, c := stripesandbox.Keys([]byte("one"))
	if x, y, z := stripesandbox.Keys([]byte("one")); x != a || y != b || z != c {
		t.Error("the same secret has other keys")
	}
	if x, y, z := stripesandbox.Keys([]byte("two")); x == a || y == b || z == c {
		t.Error("another secret has the same keys")
	}
}
