package apitest_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"secondring/api"
	"secondring/market"
)

// builtScreens are the client's files as a build leaves them that knows of stills.
func builtScreens() fstest.MapFS {
	files := maps.Clone(clientFiles)
	files["index.html"] = &fstest.MapFile{Data: []byte(`<head><title>SecondRing</title>` +
		`<script>dress()</script><script type="module" src="/assets/app-1a.js"></script></head><div id="root"></div>`)}
	files["screens.json"] = &fstest.MapFile{Data: []byte(`{
		"/login": {"still": "<h1>Log in</h1>", "scripts": ["/assets/login-2b.js"]},
		"/categories": {"still": "<p>Shapes</p>", "scripts": [], "brands": {
			"still": "<ul><li>BRAND_ID BRAND_NAME BRAND_IMG loading=\"eager\"</li></ul>",
			"each": "<li>BRAND_ID BRAND_NAME BRAND_IMG loading=\"eager\"</li>"}},
		"/search": {"scripts": ["/assets/search-4d.js"]},
		"/category/{id}": {"knownStill": "<h1>All Products</h1>", "scripts": ["/assets/brand-3c.js"]}}`)}
	files["assets/app-1a.js.br"] = &fstest.MapFile{Data: []byte("packed")}
	return files
}

func TestAScreensPageBringsAStillToVisitorsAndItsScripts(t *testing.T) {
	w := newWorld(t, func(s *setup) { s.config.Client = builtScreens() })
	member := w.buyer("Rafi")
	const (
		ahead = `<link rel="modulepreload" crossorigin href="/assets/`
		now   = `<script type="module" src=`
		// A still is painted first, and its scripts come after.
		later, thenLinks, begin = `<script type="later" src=`, `<link rel="later" crossorigin href="/assets/`, `<div id="root" inert aria-disabled="true">`
	)
	for _, c := range []struct {
		path  string
		knows bool
		has   []string
	}{
		{"/login", false, []string{begin + "<h1>Log in</h1></div>", later, thenLinks}},
		{"/login", true, []string{now, ahead}},
		{"/search", false, []string{now}},
		{"/search", true, []string{now, ahead}},
		{"/category/65f0", true, []string{begin + "<h1>All Products</h1></div>", later, thenLinks}},
		{"/category/65f0", false, []string{now}}, // they are sent to the login
		{"/blog", false, []string{now}},
	} {
		page := w.visitor().get(c.path)
		if c.knows {
			page = member.withCookie(http.MethodGet, c.path, nil)
		}
		body := string(page.is(http.StatusOK).body)
		for _, part := range []string{ahead, now, later, thenLinks, begin} {
			wanted := slices.ContainsFunc(c.has, func(has string) bool { return strings.HasPrefix(has, part) })
			if strings.Contains(body, part) != wanted {
				t.Errorf("%+v: %q is in the page: %v: %s", c, part, !wanted, body)
			}
		}
		for _, part := range c.has {
			if !strings.Contains(body, part) {
				t.Errorf("%+v: no %s in %s", c, part, body)
			}
		}
	}
	w.send(http.MethodGet, "/screens.json", nil).refused(http.StatusNotFound, market.CodeNotFound)
}

// Without HasSession each request is taken for one that brings a session.
func TestPagesWithoutHasSession(t *testing.T) {
	w := newWorld(t, func(s *setup) { s.config.Client = builtScreens() })
	w.brand("Nokia")
	config := w.config
	config.HasSession, config.Registry = nil, nil
	handler, err := api.New(config)
	must(t, err)
	for _, path := range []string{"/categories", "/login"} {
		got, asked := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, w.server.URL+path, http.NoBody)
		asked.Header.Set("Accept", "text/html")
		if handler.ServeHTTP(got, asked); got.Code != http.StatusOK || strings.Contains(got.Body.String(), "Shapes") {
			t.Errorf("%s: %d %s", path, got.Code, got.Body)
		}
	}
}

func TestAVisitorsPageOfAllBrandsShowsThemBeforeTheClientDoes(t *testing.T) {
	w := newWorld(t, func(s *setup) { s.config.Client = builtScreens() })
	page := func() string {
		return string(w.send(http.MethodGet, "/categories", nil, header("Accept", "text/html")).is(http.StatusOK).body)
	}
	if body := page(); !strings.Contains(body, "<p>Shapes</p>") {
		t.Fatalf("without brands: %s", body)
	}
	for n := range 7 {
		w.brand(fmt.Sprintf("Brand %d <b>", n))
	}
	body := page()
	cards := regexp.MustCompile(`<li>(\S+) (.*?) (\S+) loading="(\w+)"</li>`).FindAllStringSubmatch(body, -1)
	if len(cards) != 7 || strings.Contains(body, "BRAND_") || strings.Contains(body, "<b>") {
		t.Fatalf("%d cards of 7: %s", len(cards), body)
	}
	for place, card := range cards {
		if want := map[bool]string{true: "eager", false: "lazy"}[place < 6]; card[4] != want {
			t.Errorf("picture %d comes %s, want %s", place, card[4], want)
		}
	}
	w.brand("Another")
	if body := page(); !strings.Contains(body, "Another") {
		t.Errorf("the page without a new brand: %s", body)
	}
	member := w.buyer("Rafi")
	known := member.withCookie(http.MethodGet, "/categories", nil, header("Accept", "text/html")).is(http.StatusOK).body
	if strings.Contains(string(known), "inert") {
		t.Errorf("a visitor's still for a member: %s", known)
	}
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
