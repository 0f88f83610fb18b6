package site

import (
	"io/fs"
	"log/slog"
	"net/http"
	"strings"

	"secondring/api/rest"
	"secondring/market"
)

// Config is the configuration of a Site.
type Config struct {
	Client    fs.FS // the built client: index.html, assets/, files of the root; nil for none
	Photos    fs.FS // served under /photos/; nil for none
	Market    *market.Market
	Settings  Settings
	PublicURL string // an origin: how browsers reach the server; "" where it is not known

	// HasSession returns whether a request has a session cookie, without looking it up.
	HasSession func(r *http.Request) bool
	// OverLimit returns whether the caller has requested too many pages of phones.
	OverLimit func(w http.ResponseWriter, r *http.Request) bool
	// Missing handles requests for unknown files.
	Missing http.HandlerFunc
	// Fail sends an error response.
	Fail func(w http.ResponseWriter, r *http.Request, err error)
	Log  *slog.Logger
}

// Site serves the client.
type Site struct {
	Config
	files map[string]*file // by path, with the leading slash
	// policy is the page's Content-Security-Policy, and payment the origins that may
	// request a payment from the browser.
	policy, payment string
	// index is the client's one page; nil without a client. visitors is the same page for a
	// browser without a session cookie. It has a mark, so that the client does not request
	// the session.
	index, visitors *file
}

// New returns a Site. It reads the files of the built client, if there is one.
func New(c Config) (*Site, error) {
	s := &Site{Config: c, files: map[string]*file{}}
	if err := s.readFiles(); err != nil {
		return nil, err
	}
	index, built := s.files["/"+indexFile]
	if !built {
		return s, nil
	}
	s.policy = s.contentPolicy(index.inlineScripts()...)
	if c.Settings.AtStripe() {
		s.payment = stripePayment
	}
	settings, err := c.Settings.block()
	if err != nil {
		return nil, err
	}
	index = index.with(headEnd, settings+headEnd)
	s.visitors = index.with(headBegin, headBegin+visitorMark)
	if c.Settings.Stripe.Sandbox {
		index = index.with(headBegin, headBegin+sandboxMark)
	}
	s.index, s.files["/"+indexFile] = index, index
	return s, nil
}

// Screens are the patterns of the client's paths: the specification's (section 2), the
// search, the recovery of an account, a phone's page, and its seller's form.
var Screens = []string{
	"/", "/categories", "/signUp", "/login", "/forgot", "/reset", "/verify", "/setup", "/appeal", "/secondFactor", "/blog", "/contact", "/category/{id}", "/search", phoneScreen,
	"/dashboard", "/dashboard/myOrders", "/dashboard/allBuyers", "/dashboard/allSellers",
	"/dashboard/reportedItems", "/dashboard/cases", "/dashboard/cases/{id}", "/dashboard/decisions", "/dashboard/auditTrail", "/dashboard/orders", "/dashboard/account", "/dashboard/watching", "/dashboard/notifications", "/dashboard/messages", "/dashboard/messages/new", "/dashboard/messages/{id}", "/dashboard/addProduct", "/dashboard/earnings", "/dashboard/myProducts", "/dashboard/myProducts/{id}",
	"/dashboard/payment/{id}", "/dashboard/order/{id}", "/dashboard/person/{id}",
}

// ScreenPath returns the path of the screen that a path means: one with slashes too many, or with
// capital letters elsewhere, as in /phone/7/ and /signup. It is escaped, as the given one is. The
// result is false if the path means no screen.
func ScreenPath(path string) (string, bool) {
	segments := strings.FieldsFunc(path, func(c rune) bool { return c == '/' })
	for _, screen := range Screens {
		if found, ok := matchScreen(screen, segments); ok {
			return found, true
		}
	}
	return "", false
}

func matchScreen(screen string, segments []string) (string, bool) {
	if screen == "/" {
		return screen, len(segments) == 0
	}
	parts := strings.Split(screen[1:], "/")
	if len(parts) != len(segments) {
		return "", false
	}
	for i, part := range parts {
		switch {
		case strings.HasPrefix(part, "{"):
			parts[i] = segments[i]
		case !strings.EqualFold(part, segments[i]):
			return "", false
		}
	}
	return "/" + strings.Join(parts, "/"), true
}

// Screen returns the handler of one of the Screens.
func (s *Site) Screen(path string) http.HandlerFunc {
	if path == phoneScreen {
		return s.phonePage
	}
	return s.screen
}

// ScreenOr returns the handler of a path that is both a screen and a call. A browser's
// navigation gets the screen.
func (s *Site) ScreenOr(path string, call http.Handler) http.Handler {
	screen := s.Screen(path)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept")
		if rest.PrefersHTML(r) {
			screen(w, r)
			return
		}
		call.ServeHTTP(w, r)
	})
}

// screen sends the client's page.
func (s *Site) screen(w http.ResponseWriter, r *http.Request) {
	if page := s.page(r); page != nil {
		s.send(w, r, page, http.StatusOK)
		return
	}
	http.Error(w, "The client is not in this build: run make build", http.StatusNotFound)
}

// NotFound sends the client's page with 404; the client shows its not-found screen. It
// returns false if there is no client.
func (s *Site) NotFound(w http.ResponseWriter, r *http.Request) bool {
	page := s.page(r)
	if page != nil {
		s.send(w, r, page, http.StatusNotFound)
	}
	return page != nil
}

// page returns the page for this reader; nil without a client.
func (s *Site) page(r *http.Request) *file {
	if s.HasSession(r) {
		return s.index
	}
	return s.visitors
}

// send sends a page that depends on the session cookie.
func (s *Site) send(w http.ResponseWriter, r *http.Request, page *file, status int) {
	w.Header().Add("Vary", "Cookie")
	w.Header().Set("Cache-Control", "no-cache")
	rest.SetPageHeaders(w.Header(), s.policy, s.payment)
	page.serve(w, r, status)
}
