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

// onboarding is what onboarding.html shows.
type onboarding struct {
	Base  string
	Token string // "" where the link leads nowhere
	Back  string // where to go instead
}

// onboardingURL returns where the account's link leads: a page on the site of the product, to
// which it returns.
func (a *account) onboardingURL() string {
	back, err := url.Parse(a.Link.Return)
	if err != nil {
		return a.Link.Return
	}
	u := url.URL{Scheme: back.Scheme, Host: back.Host, Path: Path + "/onboarding/" + a.ID, RawQuery: url.Values{"link": {a.Link.Token}}.Encode()}
	return u.String()
}

// onboard serves the page on which the owner of an account completes its onboarding. It asks
// for nothing: nothing of it would be real.
func (s *Sandbox) onboard(r chi.Router) {
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
		s.answer(r.Context(), w, answer{}, err)
	case !a.leads(token, s.config.Clock):
		showOnboardingPage(w, http.StatusGone, onboarding{Back: a.Link.Refresh})
	default:
		showOnboardingPage(w, http.StatusOK, onboarding{Token: token})
	}
}

// leads tells whether a link of the account with that token may be followed.
func (a *account) leads(token string, clock market.Clock) bool {
	return a.Link != nil && a.Link.Token != "" && same(token, a.Link.Token) && clock.Now().Before(a.Link.Expires)
}

// endOnboarding takes the page's form, and sends the browser back.
func (s *Sandbox) endOnboarding(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		showOnboardingPage(w, http.StatusBadRequest, onboarding{Back: "/"})
		return
	}
	isLeading := false
	a, err := s.changeAccount(r.Context(), chi.URLParam(r, "id"), func(a *account) error {
		isLeading = a.leads(r.PostForm.Get("link"), s.config.Clock)
		if isLeading {
			a.Link.Token = ""
		}
		if isLeading && r.PostForm.Get("action") == "complete" && !a.Submitted {
			a.Submitted = true
			s.tellAccount(a)
		}
		return nil
	})
	var f *failure
	switch {
	case errors.As(err, &f), err == nil && a.Link == nil:
		showOnboardingPage(w, http.StatusNotFound, onboarding{Back: "/"})
	case err != nil:
		s.answer(r.Context(), w, answer{}, err)
	case !isLeading:
		showOnboardingPage(w, http.StatusGone, onboarding{Back: a.Link.Refresh})
	default:
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, a.Link.Return, http.StatusSeeOther)
	}
}

// showOnboardingPage answers with the page.
func showOnboardingPage(w http.ResponseWriter, status int, p onboarding) {
	p.Base = Path
	page.Show(w, status, onboardingTemplate, p)
}
