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

// builtClient has the files of a built client.
func builtClient() fstest.MapFS {
	files := maps.Clone(clientFiles)
	files["index.html"] = &fstest.MapFile{Data: []byte(`<head><title>SecondRing</title>` +
		`<script>dress()</script><script type="module" src="/assets/app-1a.js"></script></head><div id="root"></div>`)}
	files["assets/app-1a.js.br"] = &fstest.MapFile{Data: []byte("packed")}
	return files
}

// Without HasSession each request counts as one with a session.
func TestPagesWithoutHasSessionAssumeASession(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.Client = builtClient() })
	e.brand("Nokia")
	config := e.config
	config.HasSession, config.Registry = nil, nil
	handler, err := server.New(config)
	must(t, err)
	for _, path := range []string{"/categories", "/login"} {
		got, asked := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, e.server.URL+path, http.NoBody)
		asked.Header.Set("Accept", "text/html")
		if handler.ServeHTTP(got, asked); got.Code != http.StatusOK || strings.Contains(got.Body.String(), `name="session"`) {
			t.Errorf("%s: %d %s", path, got.Code, got.Body)
		}
	}
}

func TestInlineScriptIsAllowedByHash(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.Client = builtClient() })
	// printf 'dress()' | openssl dgst -sha256 -binary | base64
	const want = "'self' 'sha256-lF9OEI69lBbBAhH0KDotRMBMCLrzbDokl0EE6r4NCwE='"
	for _, path := range []string{"/login", "/blog"} {
		page := e.visitor().get(path).wantStatus(http.StatusOK)
		if got := directives(page.Header.Get("Content-Security-Policy"))["script-src"]; got != want {
			t.Errorf("%s: script-src is %s, want %s", path, got, want)
		}
	}
}

func TestAssetsAreServedUnchanged(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.Client = builtClient() })
	for accept, packing := range map[string]string{"gzip, deflate, br": "br", "gzip": "gzip", "br;q=0": "", "": ""} {
		got := e.send(http.MethodGet, "/assets/app-1a.js", nil, header("Accept-Encoding", accept)).wantStatus(http.StatusOK)
		if got.Header.Get("Content-Encoding") != packing || (packing == "br") != (string(got.body) == "packed") {
			t.Errorf("for %q: %v", accept, got.Header)
		}
		same := e.send(http.MethodGet, "/assets/app-1a.js", nil, header("Accept-Encoding", accept), header("If-None-Match", got.Header.Get("ETag")))
		same.wantStatus(http.StatusNotModified)
	}
	e.send(http.MethodGet, "/assets/app-1a.js.br", nil).wantError(http.StatusNotFound, market.CodeNotFound)
}
