package identity_test

import (
	"strings"
	"testing"

	"secondring/api/identity"
)

func TestReturnToStaysOnTheSite(t *testing.T) {
	for _, valid := range []string{
		"/", "/category/64b", "/dashboard/payment/1?x=1&y=//z#part", "/a%20b", "/a/../b", "/@user", "/a:b", "/?next=https://example.com",
	} {
		if got := identity.ReturnTo(valid); got != valid {
			t.Errorf("ReturnTo(%q) = %q, want it unchanged", valid, got)
		}
	}
	for _, invalid := range []string{
		"", "dashboard", "//evil.com", "///evil.com", "/\\evil.com", "\\\\evil.com", "\\/evil.com", "/a\\b",
		"https://evil.com", "https:/evil.com", "http:evil.com", "javascript:alert(1)", "data:text/html,x",
		"/\t/evil.com", "\t//evil.com", "/\n/evil.com", "/\r\nSet-Cookie: a=b", " //evil.com", "/ /evil.com", "/\u2028/evil.com", "/\u00a0",
		"/x//evil.com", "/.//evil.com", "/%zz", "/\x00", "/\x7f", "?x=1", "#x", ".", "..", "@evil.com", "evil.com",
		"/" + strings.Repeat("a", 600),
	} {
		got := identity.ReturnTo(invalid)
		if got != "/" {
			t.Errorf("ReturnTo(%q) = %q, want /", invalid, got)
		}
	}
}

func TestReturnToOfOtherSitesRedirectsHome(t *testing.T) {
	e := newGoogleEnv(t)
	for _, to := range []string{"//evil.com/", `/\evil.com`, "https://evil.com/"} {
		e.google.QueueUser(grace)
		e.browser().signInWithGoogle(to).wantRedirect("/")
	}
}
