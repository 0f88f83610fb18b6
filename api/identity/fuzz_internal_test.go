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
		target, err := base.Parse(read)
		if err != nil || target.Scheme != "https" || target.Host != "phones.example" || strings.HasPrefix(target.EscapedPath(), "//") {
			t.Errorf("returnTo(%q) = %q, which leads to %v, %v", asked, got, target, err)
		}
	})
}

// FuzzToken checks that only text that was signed with the key is a valid token. Half of
// the inputs are signed, so that their claims are checked too.
func FuzzToken(f *testing.F) {
	clock := markettest.NewClock(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC))
	tokens := newTokens(fuzzKey, clock)
	valid, err := tokens.make("u1", "s1")
	if err != nil {
		f.Fatal(err)
	}
	parts := strings.Split(valid, ".")
	decode := func(s string) string {
		raw, _ := base64.RawURLEncoding.DecodeString(s)
		return string(raw)
	}
	f.Add(decode(parts[0]), decode(parts[1]), true)
	f.Add(decode(parts[0]), decode(parts[1]), false)
	f.Add(`{"alg":"none","typ":"at+jwt"}`, decode(parts[1]), false)
	f.Add(`{"alg":"HS256","typ":"at+jwt","crit":["x"],"x":1}`, `{"sub":{"$ne":null},"sid":[],"exp":1e400}`, true)
	f.Add(`{"alg":"HS256","typ":"at+jwt"}`, `{"exp":9e15,"iss":"secondring","aud":["secondring"],"sub":"u1","sid":"s1"}`, true)
	f.Add(`{`, "\xff", true)
	f.Fuzz(func(t *testing.T, header, claims string, signed bool) {
		b64 := base64.RawURLEncoding.EncodeToString
		message := b64([]byte(header)) + "." + b64([]byte(claims))
		signature := []byte("not the signature")
		if signed {
			mac := hmac.New(sha256.New, fuzzKey)
			mac.Write([]byte(message))
			signature = mac.Sum(nil)
		}
		c, ok := tokens.read(message + "." + b64(signature))
		if ok && (!signed || c.Subject == "" || c.Session == "" || !c.ExpiresAt.After(clock.Now())) {
			t.Errorf("the token of header %q and claims %q, signed %v, is accepted: %+v", header, claims, signed, c)
		}
		if _, ok := tokens.read(header + "." + claims); ok {
			t.Errorf("the token %q is accepted", header+"."+claims)
		}
	})
}

// FuzzSealed checks that only sealed values can be opened, and only for their purpose.
func FuzzSealed(f *testing.F) {
	clock := markettest.NewClock(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC))
	s, err := newSealer(clock, "test", fuzzKey)
	if err != nil {
		f.Fatal(err)
	}
	sealed, err := s.seal("another purpose", "value", time.Hour)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{sealed, "", "x", sealed[1:], sealed + "A", strings.Repeat("A", 4000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var value string
		if s.open("purpose", text, &value) {
			t.Errorf("%q is opened as %q", text, value)
		}
	})
}
