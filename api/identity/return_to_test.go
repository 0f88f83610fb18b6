package identity_test

import (
	"net/url"
	"strings"
	"testing"

	"secondring/api/identity"
)

func TestReturnToStaysOnTheSite(t *testing.T) {
	for _, good := range []string{
		"/", "/category/64b", "/dashboard/payment/1?x=1&y=//z#part", "/a%20b", "/a/../b", "/@user", "/a:b", "/?next=https://example.com",
	} {
		if got := identity.ReturnTo(good); got != good {
			t.Errorf("%q became %q", good, got)
		}
	}
	site, err := url.Parse("https://shop.example.com/identity/google/callback")
	must(t, err)
	for _, bad := range []string{
		"", "dashboard", "//evil.com", "///evil.com", "/\\evil.com", "\\\\evil.com", "\\/evil.com", "/a\\b",
		"https://evil.com", "https:/evil.com", "http:evil.com", "javascript:alert(1)", "data:text/html,x",
		"/\t/evil.com", "\t//evil.com", "/\n/evil.com", "/\r\nSet-Cookie: a=b", " //evil.com", "/ /evil.com", "/\u2028/evil.com", "/\u00a0",
		"/x//evil.com", "/.//evil.com", "/%zz", "/\x00", "/\x7f", "?x=1", "#x", ".", "..", "@evil.com", "evil.com",
		"/" + strings.Repeat("a", 600),
	} {
		got := identity.ReturnTo(bad)
		if got != "/" {
			t.Errorf("%q became %q", bad, got)
		}
		to, err := site.Parse(got)
		if err != nil || to.Host != site.Host {
			t.Errorf("%q leads to %v", bad, to)
		}
	}
}

func TestReturnToOfOtherSitesLeadsHome(t *testing.T) {
	e := newGoogleEnv(t)
	for _, to := range []string{"//evil.com/", `/\evil.com`, "https://evil.com/"} {
		e.google.QueueUser(grace)
		e.browser().google(to).leadsTo("/")
	}
}
