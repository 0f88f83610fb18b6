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
func (a response) wantSecurityHeaders(t *testing.T, kind string) {
	t.Helper()
	headers := map[string]string{"X-Content-Type-Options": "nosniff", "Strict-Transport-Security": "max-age=31536000"}
	isRedirect := a.Header.Get("Location") != "" // browsers do not render its body
	if strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") && !isRedirect {
		headers["Cross-Origin-Opener-Policy"] = "same-origin"
		headers["Referrer-Policy"] = "strict-origin-when-cross-origin"
		headers["Permissions-Policy"] = "camera=(), microphone=(), geolocation=(), browsing-topics=(), payment=()"
	}
	for name, want := range headers {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s: %s: %s is %q", kind, a.request, name, got)
		}
	}
	policy := a.Header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("%s: %s: no %q in %q", kind, a.request, part, policy)
		}
	}
	for _, weak := range []string{"unsafe-", "script-src *", "script-src http", "script-src data:"} {
		if strings.Contains(policy, weak) {
			t.Errorf("%s: %s: %q in %q", kind, a.request, weak, policy)
		}
	}
	if a.Header.Get("Server") != "" || a.Header.Get("X-Powered-By") != "" {
		t.Errorf("%s: %s names the server's software", kind, a.request)
	}
	if media := a.Header.Get("Content-Type"); len(a.body) > 0 && media == "" || strings.HasPrefix(media, "text/") && !strings.Contains(media, "charset=utf-8") {
		t.Errorf("%s: %s: Content-Type is %q for %d bytes", kind, a.request, media, len(a.body))
	}
}

// Every response has the headers, and pages have additional ones. This includes cached
// responses, errors, screens, files and the sandbox.
func TestEveryResponseHasSecurityHeaders(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.PublicURL = "https://phones.example" })
	e.brand("Nokia")
	admin, visitor := e.admin("Root"), e.visitor()
	image := e.seller("Sue").upload(photoForm(t))
	for _, call := range e.routes() {
		address := path(call.Path, "x")
		visitor.do(call.Method, address, nil).wantSecurityHeaders(t, "without a token")
		admin.do(call.Method, address, nil).wantSecurityHeaders(t, "with a token")
		admin.do(call.Method, address, nil).wantSecurityHeaders(t, "cached")
		admin.withCookie(call.Method, address, "{").wantSecurityHeaders(t, "with the cookie and invalid JSON")
	}
	for _, address := range slices.Concat(site.Screens, []string{
		"/assets/app-1a.js", "/assets/none.js", "/photos/one-0123456789.jpg", "/photos/none.jpg", "/favicon.svg", "/nowhere", "/a%00b", image,
		stripesandbox.Path + "/v3.js", stripesandbox.Path + "/v1/nowhere", stripesandbox.Path,
	}) {
		visitor.get(path(address, "x")).wantSecurityHeaders(t, "a file")
		visitor.get(path(address, "x"), header("Accept", "text/html")).wantSecurityHeaders(t, "a page")
		e.send(http.MethodHead, path(address, "x"), nil).wantSecurityHeaders(t, "a HEAD request")
		e.send("BREW", path(address, "x"), nil).wantSecurityHeaders(t, "an unknown method")
	}
	for _, origin := range []string{"https://evil.example", "https://phones.example"} {
		e.send(http.MethodOptions, "/bookings", nil, header("Origin", origin), header("Access-Control-Request-Method", "PUT")).wantSecurityHeaders(t, "a preflight request")
	}
	home := visitor.get("/allCategories")
	visitor.get("/allCategories", header("If-None-Match", home.Header.Get("ETag"))).wantStatus(http.StatusNotModified).wantSecurityHeaders(t, "not modified")
}

func TestSecurityHeaders(t *testing.T) {
	e := newEnv(t, func(s *setup) {
		s.config.Settings.ImageHost.URL = "https://images.example/upload"
		s.config.Settings.Stripe.PublishableKey = "pk_test_1"
	})
	for _, path := range []string{"/", "/config", "/bookings", "/nowhere", "/docs", "/assets/app-1a.js"} {
		h := e.visitor().get(path).Header
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Strict-Transport-Security") != "" ||
			!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %v", path, h)
		}
	}
	policy := e.visitor().get("/").Header.Get("Content-Security-Policy")
	for _, part := range []string{
		"script-src 'self';", "style-src 'self';", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'",
		"connect-src 'self' ws" + strings.TrimPrefix(e.server.URL, "http") + " https://images.example;",
	} {
		if !strings.Contains(policy, part) {
			t.Errorf("no %q in %s", part, policy)
		}
	}
}

func TestSecurityHeadersOverHTTPS(t *testing.T) {
	e := newEnv(t, func(s *setup) {
		s.config.PublicURL = "https://phones.example/"
		s.config.Settings.Stripe.PublishableKey = "pk_live_1"
		s.config.Settings.Stripe.Sandbox = false
	})
	h := e.visitor().get("/").Header
	if h.Get("Strict-Transport-Security") == "" {
		t.Error("no Strict-Transport-Security")
	}
	policy := h.Get("Content-Security-Policy")
	for _, part := range []string{"wss://phones.example", "script-src 'self' https://js.stripe.com", "https://api.stripe.com", "frame-src https://js.stripe.com"} {
		if !strings.Contains(policy, part) {
			t.Errorf("no %q in %s", part, policy)
		}
	}
}
