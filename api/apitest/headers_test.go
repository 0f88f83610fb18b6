package apitest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"secondring/api/site"
	stripesandbox "secondring/sandbox/stripe"
)

// varies returns whether the Vary header names a header.
func varies(h http.Header, name string) bool {
	all := strings.Split(strings.ToLower(strings.Join(h.Values("Vary"), ",")), ",")
	return slices.ContainsFunc(all, func(v string) bool { return strings.TrimSpace(v) == strings.ToLower(name) })
}

// wantSecurityHeaders fails the test unless the response has all security headers.
func (a answer) wantSecurityHeaders(t *testing.T, kind string) {
	t.Helper()
	wanted := map[string]string{"X-Content-Type-Options": "nosniff", "Strict-Transport-Security": "max-age=31536000"}
	isRedirect := a.Header.Get("Location") != "" // browsers do not render its body
	if strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") && !isRedirect {
		wanted["Cross-Origin-Opener-Policy"] = "same-origin"
		wanted["Referrer-Policy"] = "strict-origin-when-cross-origin"
		wanted["Permissions-Policy"] = "camera=(), microphone=(), geolocation=(), browsing-topics=(), payment=()"
	}
	for name, want := range wanted {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s: %s: %s is %q", kind, a.what, name, got)
		}
	}
	policy := a.Header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("%s: %s: no %q in %q", kind, a.what, part, policy)
		}
	}
	for _, weak := range []string{"unsafe-", "script-src *", "script-src http", "script-src data:"} {
		if strings.Contains(policy, weak) {
			t.Errorf("%s: %s: %q in %q", kind, a.what, weak, policy)
		}
	}
	if a.Header.Get("Server") != "" || a.Header.Get("X-Powered-By") != "" {
		t.Errorf("%s: %s tells what it is made with", kind, a.what)
	}
	if media := a.Header.Get("Content-Type"); len(a.body) > 0 && media == "" || strings.HasPrefix(media, "text/") && !strings.Contains(media, "charset=utf-8") {
		t.Errorf("%s: %s: the type of its %d bytes is %q", kind, a.what, len(a.body), media)
	}
}

// Every response has the headers, and pages have additional ones: responses of every call,
// allowed and refused, cached and new, screens, files, mounted pages, and 404.
func TestEveryResponseHasSecurityHeaders(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.PublicURL = "https://phones.example" })
	e.brand("Nokia")
	admin, visitor := e.admin("Root"), e.visitor()
	form, typed := photoForm(t)
	var uploaded struct{ Data struct{ URL string } }
	e.seller("Sue").do(http.MethodPost, "/images", form, typed).is(http.StatusOK).into(&uploaded)
	for _, call := range e.routes() {
		address := path(call.Path, "x")
		visitor.do(call.Method, address, nil).wantSecurityHeaders(t, "a visitor's")
		admin.do(call.Method, address, nil).wantSecurityHeaders(t, "with a bearer")
		admin.do(call.Method, address, nil).wantSecurityHeaders(t, "kept")
		admin.withCookie(call.Method, address, "{").wantSecurityHeaders(t, "with a cookie and half a body")
	}
	for _, address := range slices.Concat(site.Screens, []string{
		"/assets/app-1a.js", "/assets/none.js", "/photos/one-0123456789.jpg", "/photos/none.jpg", "/favicon.svg", "/nowhere", "/a%00b", uploaded.Data.URL,
		stripesandbox.Path + "/v3.js", stripesandbox.Path + "/v1/nowhere", stripesandbox.Path,
	}) {
		visitor.get(path(address, "x")).wantSecurityHeaders(t, "a file")
		visitor.get(path(address, "x"), header("Accept", "text/html")).wantSecurityHeaders(t, "a page")
		e.send(http.MethodHead, path(address, "x"), nil).wantSecurityHeaders(t, "a head")
		e.send("BREW", path(address, "x"), nil).wantSecurityHeaders(t, "another method")
	}
	for _, origin := range []string{"https://evil.example", "https://phones.example"} {
		e.send(http.MethodOptions, "/bookings", nil, header("Origin", origin), header("Access-Control-Request-Method", "PUT")).wantSecurityHeaders(t, "a question before the call")
	}
	home := visitor.get("/allCategories")
	visitor.get("/allCategories", header("If-None-Match", home.Header.Get("ETag"))).is(http.StatusNotModified).wantSecurityHeaders(t, "not modified")
}
