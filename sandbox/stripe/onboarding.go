package stripe

import (
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"time"

	"secondring/market"
	"secondring/sandbox/page"
)

//go:embed onboarding.html
var onboardingHTML string

var onboardingTemplate = template.Must(template.New("onboarding.html").Parse(onboardingHTML))

// link is a link to the page on which the owner of an account completes its onboarding. The page
// asks for no data, because none of it would be real.
type link struct {
	Token   string    `json:"token"` // the op of the call, so that a repeated call does not replace its own link; "" after the link was used
	Expires time.Time `json:"expires"`
	Return  string    `json:"return"`  // the URL to which the page redirects at its end
	Refresh string    `json:"refresh"` // the URL to which a used or expired link leads
}

// onboardingURL returns the URL of the account's link.
func (a *account) onboardingURL() string {
	back, err := url.Parse(a.Link.Return)
	if err != nil {
		return a.Link.Return
	}
	u := url.URL{Scheme: back.Scheme, Host: back.Host, Path: Path + "/onboarding/" + a.ID, RawQuery: url.Values{"link": {a.Link.Token}}.Encode()}
	return u.String()
}

// accepts reports whether the account has a link with this token that is not used or expired.
func (a *account) accepts(token string, now time.Time) bool {
	return a.Link != nil && a.Link.Token != "" && secureEqual(token, a.Link.Token) && now.Before(a.Link.Expires)
}

func (s *Sandbox) showOnboarding(w http.ResponseWriter, r *http.Request) {
	a, _, err := load[account](r.Context(), s, r.PathValue("id"))
	token := r.URL.Query().Get("link")
	if err != nil || !a.accepts(token, s.now()) {
		s.refuseOnboarding(w, r, a, err)
		return
	}
	page.Show(w, http.StatusOK, onboardingTemplate, object{"Base": Path, "Token": token})
}

// errInvalidLink is the error of a form whose link is not valid.
var errInvalidLink = errors.New("the link is used or has expired")

// endOnboarding handles the page's form and redirects the browser to the product.
func (s *Sandbox) endOnboarding(w http.ResponseWriter, r *http.Request) {
	a, err := change(r.Context(), s, r.PathValue("id"), func(a *account) error {
		if !a.accepts(r.PostFormValue("link"), s.now()) {
			return errInvalidLink
		}
		a.Link.Token = ""
		if r.PostFormValue("action") == "complete" && !a.Submitted {
			a.Submitted = true
			s.addEvent(&a.outbox, "account.updated", a.view())
		}
		return nil
	})
	if err != nil {
		s.refuseOnboarding(w, r, a, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, a.Link.Return, http.StatusSeeOther)
}

// refuseOnboarding shows the page for an invalid link, or the error of the store.
func (s *Sandbox) refuseOnboarding(w http.ResponseWriter, r *http.Request, a *account, err error) {
	if err != nil && !errors.Is(err, errInvalidLink) && !errors.Is(err, market.ErrNotFound) {
		s.config.Log.ErrorContext(r.Context(), "the payment sandbox failed", "error", err)
		http.Error(w, "The sandbox could not do this now. Try again.", http.StatusInternalServerError)
		return
	}
	back := "/"
	if a != nil && a.Link != nil {
		back = a.Link.Refresh
	}
	page.Show(w, http.StatusGone, onboardingTemplate, object{"Base": Path, "Token": "", "Back": back})
}
