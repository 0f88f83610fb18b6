package identity

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"time"

	"secondring/market/markettest"
)

var fuzzKey = bytes.Repeat([]byte("k"), 32)

// FuzzReturnTo checks that the browser stays on this site after a sign-in, for any return
// path.
func FuzzReturnTo(f *testing.F) {
	for _, seed := range []string{"/", "/dashboard?x=1#y", "//evil.example", `/\evil.example`, "/\t/evil.example", "https://evil.example", "/%2f/evil.example", "/.//evil.example", "/..//evil.example", "javascript:alert(1)", "/\u2028/x", ""} {
		f.Add(seed)
	}
	base := &url.URL{Scheme: "https", Host: "phones.example", Path: "/identity/google/callback"}
	f.Fuzz(func(t *testing.T, asked string) {
		got := returnTo(asked)
		// Browsers remove tabs and line ends, and read a backslash as a slash.
		read := strings.NewReplacer("\t", "", "\n", "", "\r", "", `\`, "/").Replace(strings.TrimSpace(got))
		to, err := base.Parse(read)
		if err != nil || to.Scheme != "https" || to.Host != "phones.example" || strings.HasPrefix(to.EscapedPath(), "//") {
			t.Errorf("%q leads to %q: %v, %v", asked, got, to, err)
		}
	})
}

// FuzzToken checks that only text that was signed with the key is a valid token. Half of
// the inputs are signed, so that their claims are checked too.
func FuzzToken(f *testing.F) {
	clock := markettest.NewClock(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC))
	made := newTokens(fuzzKey, clock)
	good, err := made.make("u1", "s1")
	if err != nil {
		f.Fatal(err)
	}
	parts := strings.Split(good, ".")
	plain := func(s string) string {
		raw, _ := base64.RawURLEncoding.DecodeString(s)
		return string(raw)
	}
	f.Add(plain(parts[0]), plain(parts[1]), true)
	f.Add(plain(parts[0]), plain(parts[1]), false)
	f.Add(`{"alg":"none","typ":"at+jwt"}`, plain(parts[1]), false)
	f.Add(`{"alg":"HS256","typ":"at+jwt","crit":["x"],"x":1}`, `{"sub":{"$ne":null},"sid":[],"exp":1e400}`, true)
	f.Add(`{"alg":"HS256","typ":"at+jwt"}`, `{"exp":9e15,"iss":"secondring","aud":["secondring"],"sub":"u1","sid":"s1"}`, true)
	f.Add(`{`, "\xff", true)
	f.Fuzz(func(t *testing.T, head, body string, signed bool) {
		b64 := base64.RawURLEncoding.EncodeToString
		said := b64([]byte(head)) + "." + b64([]byte(body))
		sum := []byte("not the sum of it")
		if signed {
			mac := hmac.New(sha256.New, fuzzKey)
			mac.Write([]byte(said))
			sum = mac.Sum(nil)
		}
		c, ok := made.read(said + "." + b64(sum))
		if ok && (!signed || c.Subject == "" || c.Session == "" || !c.ExpiresAt.After(clock.Now())) {
			t.Errorf("%q, %q is taken: %+v", head, body, c)
		}
		if _, ok := made.read(head + "." + body); ok {
			t.Errorf("%q is a token", head+"."+body)
		}
	})
}

// FuzzSealed checks that only sealed values can be opened, and only for their purpose.
func FuzzSealed(f *testing.F) {
	clock := markettest.NewClock(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC))
	s, err := newSealer(fuzzKey, clock)
	if err != nil {
		f.Fatal(err)
	}
	elsewhere, err := s.close("elsewhere", "value", time.Hour)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{elsewhere, "", "x", elsewhere[1:], elsewhere + "A", strings.Repeat("A", 4000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var value string
		if s.open("here", text, &value) {
			t.Errorf("%q opens: %q", text, value)
		}
	})
}
