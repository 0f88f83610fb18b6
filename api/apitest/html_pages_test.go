package apitest_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"secondring/api/server"
	"secondring/market"
)

// builtClient returns the files of a built client.
func builtClient() fstest.MapFS {
	files := maps.Clone(clientFiles)
	files["index.html"] = &fstest.MapFile{Data: []byte(`<head><title>SecondRing</title>` +
		`<script>setTheme()</script><script type="module" src="/assets/app-1a.js"></script></head><div id="root"></div>`)}
	files["assets/app-1a.js.br"] = &fstest.MapFile{Data: []byte("compressed")}
	return files
}

// Without HasSession the server treats each request as one with a session.
func TestPagesWithoutHasSessionAssumeASession(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.Client = builtClient() })
	e.brand("Nokia")
	config := e.config
	config.HasSession, config.Registry = nil, nil
	handler, err := server.New(config)
	must(t, err)
	for _, path := range []string{"/categories", "/login"} {
		got, request := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, e.server.URL+path, http.NoBody)
		request.Header.Set("Accept", "text/html")
		if handler.ServeHTTP(got, request); got.Code != http.StatusOK || strings.Contains(got.Body.String(), `name="session"`) {
			t.Errorf("%s: status %d with the visitor mark or an error: %s", path, got.Code, got.Body)
		}
	}
}

func TestInlineScriptIsAllowedByHash(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.Client = builtClient() })
	// printf 'setTheme()' | openssl dgst -sha256 -binary | base64
	const want = "'self' 'sha256-ve5x2Sjie3rEwk++6kPhaMPc/FGKhrywUH0TRBENNxs='"
	for _, path := range []string{"/login", "/blog"} {
		page := e.visitor().get(path).wantStatus(http.StatusOK)
		if got := directives(page.Header.Get("Content-Security-Policy"))["script-src"]; got != want {
			t.Errorf("%s: script-src is %s, want %s", path, got, want)
		}
	}
}

func TestAssetsAreServedUnchanged(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.Client = builtClient() })
	for accept, encoding := range map[string]string{"gzip, deflate, br": "br", "gzip": "gzip", "br;q=0": "", "": ""} {
		got := e.send(http.MethodGet, "/assets/app-1a.js", nil, header("Accept-Encoding", accept)).wantStatus(http.StatusOK)
		if got.Header.Get("Content-Encoding") != encoding || (encoding == "br") != (string(got.body) == "compressed") {
			t.Errorf("for Accept-Encoding %q the headers are %v", accept, got.Header)
		}
		e.send(http.MethodGet, "/assets/app-1a.js", nil, header("Accept-Encoding", accept), header("If-None-Match", got.Header.Get("ETag"))).
			wantStatus(http.StatusNotModified)
	}
	e.send(http.MethodGet, "/assets/app-1a.js.br", nil).wantError(http.StatusNotFound, market.CodeNotFound)
}
