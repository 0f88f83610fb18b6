package server

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"secondring/api/rest"
	"secondring/api/site"
)

const livePath = "/live"

// router returns the router of calls, screens and files, with the middleware of all requests.
func (s *server) router() (chi.Router, error) {
	r := chi.NewRouter()
	r.Use(s.observed, s.recovered, s.secured, s.onlyThisMachine, s.crossOrigin, middleware.GetHead)
	if err := s.addRoutes(r); err != nil {
		return nil, err
	}
	for _, path := range site.Screens {
		if !slices.ContainsFunc(s.routes, func(route rest.Route) bool { return route.Method == http.MethodGet && route.Path == path }) {
			r.Get(path, s.site.Screen(path))
		}
	}
	if s.Photos != nil {
		r.With(middleware.Compress(6, "image/svg+xml")).Get("/photos/*", s.site.Photographs())
	}
	r.Get("/assets/*", s.site.Asset)
	for _, path := range s.site.RootFiles() {
		r.Get(path, s.site.Asset)
	}
	for path, handler := range s.Mounts {
		r.Handle(path, s.limitWrites(path, handler))
		r.Handle(path+"/*", s.limitWrites(path, handler))
	}
	r.NotFound(s.notFound)
	r.MethodNotAllowed(s.notAllowed(r))
	return r, nil
}

// addRoutes adds all routes with their handlers.
func (s *server) addRoutes(r chi.Router) error {
	compress, err := compressor()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, route := range s.routes {
		if name := route.Method + " " + route.Path; seen[name] || seen[route.ID] {
			return fmt.Errorf("the table of routes has %s (%s) twice", name, route.ID)
		}
		seen[route.Method+" "+route.Path], seen[route.ID] = true, true
		if route.Fail != nil {
			s.fails[route.Path] = route.Fail
		}
		if route.Path == livePath { // without the other middleware, because a socket stays open
			if s.Live != nil {
				r.Method(route.Method, route.Path, http.HandlerFunc(s.live))
			}
			continue
		}
		handler := s.handlerOf(route)
		if route.MediaType == "" || strings.HasPrefix(route.MediaType, "text/") {
			handler = compress(handler)
		}
		if route.Method == http.MethodGet && slices.Contains(site.Screens, route.Path) {
			handler = s.site.ScreenOr(route.Path, handler)
		}
		r.Method(route.Method, route.Path, handler)
	}
	return nil
}

// notFound responds to requests for unknown paths. A path that means a screen is redirected to it.
// Any other navigation of a browser gets the client's not-found page.
func (s *server) notFound(w http.ResponseWriter, r *http.Request) {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if path, isScreen := site.ScreenPath(r.URL.EscapedPath()); reads && isScreen && path != r.URL.EscapedPath() {
		if r.URL.RawQuery != "" {
			path += "?" + r.URL.RawQuery
		}
		w.Header().Set("Location", path) // http.Redirect would clean the path again
		w.WriteHeader(http.StatusMovedPermanently)
		return
	}
	if reads && rest.AcceptsType(r, "text/html") && s.site.NotFound(w, r) {
		return
	}
	s.fail(w, r, rest.NewError("not_found", "There is nothing at this address"))
}

// notAllowed responds to an unknown method of a known path, and names the known ones.
func (s *server) notAllowed(router chi.Routes) http.HandlerFunc {
	methods := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	return func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if r.URL.RawPath != "" {
			path = r.URL.RawPath
		}
		allowed := []string{}
		for _, method := range methods {
			lookup := method
			if method == http.MethodHead { // every GET route handles HEAD
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
		s.fail(w, r, rest.NewError(rest.CodeNotAllowed, "This address does not accept "+r.Method))
	}
}

// fail sends the error of any middleware or handler, in the form of its route (rest.Route.Fail).
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	send := s.fails[rest.RoutePattern(r)]
	if send == nil {
		send = rest.Fail
	}
	send(w, r, s.Log, err)
}
