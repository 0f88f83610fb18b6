package stripe

import (
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"secondring/market"
	"secondring/sandbox/page"
)

//go:embed onboarding.html
var onboardingHTML string

var onboardingTemplate = template.Must(template.New("onboarding.html").Parse(onboardingHTML))

// onboarding is the data of onboarding.html.
type onboarding struct {
	Base  string
	Token string // "" if the link is invalid
	Back  string // the URL to which the page links then
}

// onboardingURL returns the URL of the account's link: a page on the site of the product, to
// which it returns.
func (a *account) onboardingURL() string {
	back, err := url.Parse(a.Link.Return)
	if err != nil {
		return a.Link.Return
	}
	u := url.URL{Scheme: back.Scheme, Host: back.Host, Path: Path + "/onboarding/" + a.ID, RawQuery: url.Values{"link": {a.Link.Token}}.Encode()}
	return u.String()
}

// addOnboarding adds the routes of the page on which the owner of an account completes its
// onboarding. The page asks for no data, because none of it would be real.
func (s *Sandbox) addOnboarding(r chi.Router) {
	r.Get("/onboarding.css", page.Style)
	r.Get("/onboarding/{id}", s.showOnboarding)
	r.Post("/onboarding/{id}", s.endOnboarding)
}

func (s *Sandbox) showOnboarding(w http.ResponseWriter, r *http.Request) {
	a, err := s.loadAccount(r.Context(), chi.URLParam(r, "id"))
	token := r.URL.Query().Get("link")
	switch {
	case errors.Is(err, market.ErrNotFound), err == nil && a.Link == nil:
		showOnboardingPage(w, http.StatusNotFound, onboarding{Back: "/"})
	case err != nil:
		s.respond(r.Context(), w, response{}, err)
	case !a.isValidLink(token, s.config.Clock):
		showOnboardingPage(w, http.StatusGone, onboarding{Back: a.Link.Refresh})
	default:
		showOnboardingPage(w, http.StatusOK, onboarding{Token: token})
	}
}

// isValidLink reports whether the account has a link with this token that is not used or expired.
func (a *account) isValidLink(token string, clock market.Clock) bool {
	return a.Link != nil && a.Link.Token != "" && secureEqual(token, a.Link.Token) && clock.Now().Before(a.Link.Expires)
}

// endOnboarding handles the page's form and redirects the browser to the product.
func (s *Sandbox) endOnboarding(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		showOnboardingPage(w, http.StatusBadRequest, onboarding{Back: "/"})
		return
	}
	valid := false
	a, err := s.changeAccount(r.Context(), chi.URLParam(r, "id"), func(a *account) error {
		valid = a.isValidLink(r.PostForm.Get("link"), s.config.Clock)
		if valid {
			a.Link.Token = ""
		}
		if valid && r.PostForm.Get("action") == "complete" && !a.Submitted {
			a.Submitted = true
			s.addAccountEvent(a)
		}
		return nil
	})
	var f *failure
	switch {
	case errors.As(err, &f), err == nil && a.Link == nil:
		showOnboardingPage(w, http.StatusNotFound, onboarding{Back: "/"})
	case err != nil:
		s.respond(r.Context(), w, response{}, err)
	case !valid:
		showOnboardingPage(w, http.StatusGone, onboarding{Back: a.Link.Refresh})
	default:
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, a.Link.Return, http.StatusSeeOther)
	}
}

// showOnboardingPage sends the page.
func showOnboardingPage(w http.ResponseWriter, status int, p onboarding) {
	p.Base = Path
	page.Show(w, status, onboardingTemplate, p)
}
