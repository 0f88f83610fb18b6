package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"secondring/api/rest"
)

const livePath = "/live"

// screens are the client's own addresses: the specification's (section 2), the
// search, a phone's, and where its seller changes it. The client looks at the
// rest of the path; the server only says which exist.
var screens = []string{
	"/", "/categories", "/signUp", "/login", "/blog", "/contact", "/category/{id}", "/search", phoneScreen,
	"/dashboard", "/dashboard/myOrders", "/dashboard/allBuyers", "/dashboard/allSellers",
	"/dashboard/reportedItems", "/dashboard/auditTrail", "/dashboard/account", "/dashboard/addProduct", "/dashboard/myProducts", "/dashboard/myProducts/{id}",
	"/dashboard/payment/{id}",
}

// router serves the table of calls, the screens and the files, each on its way
// through what all have in common.
func (a *api) router() (chi.Router, error) {
	r := chi.NewRouter()
	r.Use(a.observed, a.recovered, a.secured, a.onlyThisMachine, a.crossOrigin, middleware.GetHead)
	if err := a.serveCalls(r); err != nil {
		return nil, err
	}
	for _, path := range screens {
		if !slices.ContainsFunc(a.calls, func(c rest.Call) bool { return c.Method == http.MethodGet && c.Path == path }) {
			r.Get(path, a.screen(path))
		}
	}
	if a.Photos != nil {
		r.Get("/photos/*", a.photos())
	}
	r.Get("/assets/*", a.asset)
	for _, path := range a.client.rootFiles() {
		r.Get(path, a.asset)
	}
	for path, handler := range a.Mounts {
		r.Handle(path, a.limited(path, handler))
		r.Handle(path+"/*", a.limited(path, handler))
	}
	r.NotFound(a.notFound)
	r.MethodNotAllowed(a.notAllowed(r))
	return r, nil
}

// onScreen tells whether a pattern is one of the client's own addresses.
func (a *api) onScreen(path string) bool { return slices.Contains(screens, path) }

// screen answers one of the client's own addresses.
func (a *api) screen(path string) http.HandlerFunc {
	switch path {
	case phoneScreen:
		return a.phonePage
	case brandsScreen:
		return a.categoriesPage
	}
	return a.client.screen
}

func (a *api) serveCalls(r chi.Router) error {
	compress, err := compressor()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, call := range a.calls {
		if name := call.Method + " " + call.Path; seen[name] || seen[call.ID] {
			return fmt.Errorf("the table of calls has %s (%s) twice", name, call.ID)
		}
		seen[call.Method+" "+call.Path], seen[call.ID] = true, true
		if call.Path == livePath { // past all wrapping: a socket outlives the call
			if a.Live != nil {
				r.Method(call.Method, call.Path, http.HandlerFunc(a.live))
			}
			continue
		}
		handler := a.call(call)
		if call.Media == "" || strings.HasPrefix(call.Media, "text/") {
			handler = compress(handler)
		}
		if call.Method == http.MethodGet && a.onScreen(call.Path) {
			handler = screenOr(a.screen(call.Path), handler)
		}
		r.Method(call.Method, call.Path, handler)
	}
	return nil
}

// notFound answers what is neither call nor screen: the client's not-found page
// for somebody who walks there with a browser.
func (a *api) notFound(w http.ResponseWriter, r *http.Request) {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if reads && names(r, "text/html") && a.client.notFound(w, r) {
		return
	}
	a.fail(w, r, rest.Refuse("not_found", "There is nothing at this address"))
}

// notAllowed answers a known path with a method it has not, naming those it has.
func (a *api) notAllowed(router chi.Routes) http.HandlerFunc {
	methods := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	return func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if r.URL.RawPath != "" {
			path = r.URL.RawPath
		}
		allowed := []string{}
		for _, method := range methods {
			lookup := method
			if method == http.MethodHead { // every GET answers it
				lookup = http.MethodGet
			}
			if router.Match(chi.NewRouteContext(), lookup, path) {
				allowed = append(allowed, method)
			}
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		a.fail(w, r, rest.Refuse(rest.CodeNotAllowed, "This address does not take "+r.Method))
	}
}

// fail answers an error, wherever on the way it happens: those about bookings
// and reports also say acknowledged:false, the image host's success:false.
func (a *api) fail(w http.ResponseWriter, r *http.Request, err error) {
	room, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch room {
	case "bookings", "booking", "reportedItems":
		rest.FailWrite(w, r, a.Log, err)
	case "images":
		rest.FailUpload(w, r, a.Log, err)
	default:
		rest.Fail(w, r, a.Log, err)
	}
}

// Screens returns the client's own addresses, as patterns.
func Screens() []string { return slices.Clone(screens) }
