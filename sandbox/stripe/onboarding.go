package stripe

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"secondring/api/rest"
	"secondring/market"
)

//go:embed onboarding/page.html onboarding/style.css
var onboardingFiles embed.FS

var onboardingPage = template.Must(template.ParseFS(onboardingFiles, "onboarding/page.html"))

// onboarding is what page.html shows.
type onboarding struct {
	Base  string
	Token string // "" where the link leads nowhere
	Back  string // where to go instead
}

// page is where the account's link leads: on the same site as the product, which it returns
// to.
func (a *account) page() string {
	back, err := url.Parse(a.Link.Return)
	if err != nil {
		return a.Link.Return
	}
	page := url.URL{Scheme: back.Scheme, Host: back.Host, Path: Path + "/onboarding/" + a.ID, RawQuery: url.Values{"link": {a.Link.Token}}.Encode()}
	return page.String()
}

// onboard serves the page on which the owner of an account completes its onboarding. It asks
// for nothing: nothing of it would be real.
func (s *Sandbox) onboard(r chi.Router) {
	r.Get("/onboarding.css", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		http.ServeFileFS(w, r, onboardingFiles, "onboarding/style.css")
	})
	r.Get("/onboarding/{id}", s.showOnboarding)
	r.Post("/onboarding/{id}", s.endOnboarding)
}

func (s *Sandbox) showOnboarding(w http.ResponseWriter, r *http.Request) {
	a, err := s.loadAccount(r.Context(), chi.URLParam(r, "id"))
	token := r.URL.Query().Get("link")
	switch {
	case errors.Is(err, market.ErrNotFound), err == nil && a.Link == nil:
		showPage(w, http.StatusNotFound, onboarding{Back: "/"})
	case err != nil:
		s.answer(r.Context(), w, answer{}, err)
	case !a.leads(token, s.config.Clock):
		showPage(w, http.StatusGone, onboarding{Back: a.Link.Refresh})
	default:
		showPage(w, http.StatusOK, onboarding{Token: token})
	}
}

// leads tells whether a link of the account with that token may be followed.
func (a *account) leads(token string, clock market.Clock) bool {
	return a.Link != nil && a.Link.Token != "" && same(token, a.Link.Token) && clock.Now().Before(a.Link.Expires)
}

// endOnboarding takes the page's form, and sends the browser back.
func (s *Sandbox) endOnboarding(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		showPage(w, http.StatusBadRequest, onboarding{Back: "/"})
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
		showPage(w, http.StatusNotFound, onboarding{Back: "/"})
	case err != nil:
		s.answer(r.Context(), w, answer{}, err)
	case !isLeading:
		showPage(w, http.StatusGone, onboarding{Back: a.Link.Refresh})
	default:
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, a.Link.Return, http.StatusSeeOther)
	}
}

// showPage answers with the page, which needs neither script nor inline style.
func showPage(w http.ResponseWriter, status int, p onboarding) {
	p.Base = Path
	var body bytes.Buffer
	if err := onboardingPage.Execute(&body, p); err != nil {
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	rest.SetPageHeaders(h, "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'", "")
	h.Set("Referrer-Policy", "no-referrer") // the address has the link's token
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // fails only if the caller has disconnected
}
