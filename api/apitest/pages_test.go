package apitest_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"secondring/market"
)

// builtScreens are the client's files as a build leaves them that knows of stills.
func builtScreens() fstest.MapFS {
	files := maps.Clone(clientFiles)
	files["index.html"] = &fstest.MapFile{Data: []byte(`<head><title>SecondRing</title>` +
		`<script>dress()</script><script type="module" src="/assets/app-1a.js"></script></head><div id="root"></div>`)}
	files["screens.json"] = &fstest.MapFile{Data: []byte(`{
		"/login": {"still": "<h1>Log in</h1>", "scripts": ["/assets/login-2b.js"]},
		"/category/{id}": {"scripts": ["/assets/brand-3c.js"]}}`)}
	files["assets/app-1a.js.br"] = &fstest.MapFile{Data: []byte("packed")}
	return files
}

func TestAScreensPageBringsAStillToVisitorsAndItsScripts(t *testing.T) {
	w := newWorld(t, func(s *setup) { s.config.Client = builtScreens() })
	member := w.buyer("Rafi")
	const (
		still = `<div id="root" inert aria-disabled="true"><h1>Log in</h1></div>`
		ahead = `<link rel="modulepreload" crossorigin href="/assets/`
		later = `<script type="module" fetchpriority="low" src=` // the still is painted first
	)
	for _, c := range []struct {
		path             string
		knows            bool
		hasStill, hasFar bool
	}{
		{"/login", false, true, true},
		{"/login", true, false, true},
		{"/category/65f0", true, false, true},
		{"/category/65f0", false, false, false}, // they are sent to the login
		{"/blog", false, false, false},
	} {
		page := w.visitor().get(c.path)
		if c.knows {
			page = member.withCookie(http.MethodGet, c.path, nil)
		}
		body := string(page.is(http.StatusOK).body)
		if strings.Contains(body, still) != c.hasStill || strings.Contains(body, ahead) != c.hasFar || strings.Contains(body, later) != c.hasStill {
			t.Errorf("%+v: %s", c, body)
		}
	}
	w.send(http.MethodGet, "/screens.json", nil).refused(http.StatusNotFound, market.CodeNotFound)
}

func TestAScriptInThePageRunsByItsHashAlone(t *testing.T) {
	w := newWorld(t, func(s *setup) { s.config.Client = builtScreens() })
	// printf 'dress()' | openssl dgst -sha256 -binary | base64
	const want = "'self' 'sha256-lF9OEI69lBbBAhH0KDotRMBMCLrzbDokl0EE6r4NCwE='"
	for _, path := range []string{"/login", "/blog"} {
		page := w.visitor().get(path).is(http.StatusOK)
		if got := directives(page.Header.Get("Content-Security-Policy"))["script-src"]; got != want {
			t.Errorf("%s: script-src is %s, want %s", path, got, want)
		}
	}
}

func TestAnAssetGoesOutAsTheBuildHasPackedIt(t *testing.T) {
	w := newWorld(t, func(s *setup) { s.config.Client = builtScreens() })
	for accept, packing := range map[string]string{"gzip, deflate, br": "br", "gzip": "gzip", "br;q=0": "", "": ""} {
		got := w.send(http.MethodGet, "/assets/app-1a.js", nil, header("Accept-Encoding", accept)).is(http.StatusOK)
		if got.Header.Get("Content-Encoding") != packing || (packing == "br") != (string(got.body) == "packed") {
			t.Errorf("for %q: %v", accept, got.Header)
		}
		same := w.send(http.MethodGet, "/assets/app-1a.js", nil, header("Accept-Encoding", accept), header("If-None-Match", got.Header.Get("ETag")))
		same.is(http.StatusNotModified)
	}
	w.send(http.MethodGet, "/assets/app-1a.js.br", nil).refused(http.StatusNotFound, market.CodeNotFound)
}
