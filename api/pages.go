package api

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"secondring/market"
)

const (
	// screensFile is what the client's build tells the server of its screens.
	screensFile = "/screens.json"
	// emptyRoot is where the client draws; rootBegin the same with a still in it,
	// which takes no clicks: what is typed into it would be lost. Programs that fill
	// in forms do not look for inert, and wait for what is disabled.
	emptyRoot, rootBegin, rootEnd = `<div id="root"></div>`, `<div id="root" inert aria-disabled="true">`, `</div>`
	// A still is painted with the stylesheet and the typeface alone: the page asks
	// for what is marked so once it has been (client/index.html).
	scriptBegin, laterScript = `<script type="module"`, `<script type="later"`
	ahead, laterAhead        = "modulepreload", "later"
)

// screenParts is what one screen's page may bring beside the client.
type screenParts struct {
	// Still is the screen as a visitor sees it before any answer is there; empty
	// where that depends on who looks.
	Still string `json:"still"`
	// KnownStill is the screen as whoever brings a session cookie sees it before
	// it is found out who that is; empty for most.
	KnownStill string `json:"knownStill"`
	// Brands is the screen of all brands with those that there are; absent from the
	// others.
	Brands *brandsStill `json:"brands"`
	// Scripts are the paths of the files that it needs beside the client's own.
	Scripts []string `json:"scripts"`
}

// pages are the pages of one screen: for who brings no session cookie, and for
// who brings one.
type pages struct{ visitors, known *file }

// makePages makes a page for each screen that the build tells of, out of those
// that all the others get.
func (c *client) makePages(common pages, m *market.Market) error {
	c.common, c.pages = common, map[string]pages{}
	told, built := c.files[screensFile]
	if !built {
		return nil
	}
	delete(c.files, screensFile) // for the server alone
	all := map[string]screenParts{}
	if err := json.Unmarshal(told.body, &all); err != nil {
		return fmt.Errorf("the client's %s: %w", screensFile, err)
	}
	for path, parts := range all {
		made := pages{visitors: common.visitors, known: common.known.with(headEnd, parts.links(ahead)+headEnd)}
		if parts.Still != "" {
			made.visitors = common.visitors.bringing(parts.Still, parts)
		}
		if parts.KnownStill != "" {
			made.known = common.known.bringing(parts.KnownStill, parts)
		}
		if parts.Brands != nil && path == brandsScreen {
			with := func(still string) *file { return common.visitors.bringing(still, parts) }
			c.brands = &brandsPage{market: m, with: with, still: *parts.Brands}
		}
		c.pages[path] = made
	}
	return nil
}

// bringing is the page with a still, and with the screen's scripts after that.
func (f *file) bringing(still string, parts screenParts) *file {
	return f.withAll(scriptBegin, laterScript).
		with(headEnd, parts.links(laterAhead)+headEnd).
		with(emptyRoot, rootBegin+still+rootEnd)
}

// links has the browser fetch the screen's scripts beside the client's.
func (p screenParts) links(rel string) string {
	var links strings.Builder
	for _, path := range p.Scripts {
		fmt.Fprintf(&links, `<link rel="%s" crossorigin href="%s" />`, rel, html.EscapeString(path))
	}
	return links.String()
}

// index is the page for this reader at this screen, nil without a client.
func (c *client) index(r *http.Request) *file {
	made := c.common
	if route := chi.RouteContext(r.Context()); route != nil {
		if own, found := c.pages[route.RoutePattern()]; found {
			made = own
		}
	}
	if c.known != nil && !c.known(r) {
		return made.visitors
	}
	return made.known
}
