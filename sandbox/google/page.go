package google

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"net/url"

	"secondring/api/rest"
)

//go:embed page.html style.css
var files embed.FS

var pages = template.Must(template.ParseFS(files, "page.html"))

// page is what page.html shows.
type page struct {
	Base    string
	Home    string            // the product's own address
	Wrong   string            // why there is nothing to choose
	Problem string            // what is wrong with what was typed
	Query   map[string]string // the request, carried along in the form
	People  []Person
}

// carried are the parameters that the form sends again.
func carried(form url.Values) map[string]string {
	query := map[string]string{}
	for _, name := range []string{
		"client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge", "code_challenge_method",
	} {
		query[name] = form.Get(name)
	}
	return query
}

// show answers with the page, which needs neither script nor inline style.
func (i *Issuer) show(w http.ResponseWriter, status int, p page) {
	p.Base, p.Home = i.base, i.origin+"/"
	var body bytes.Buffer
	if err := pages.ExecuteTemplate(&body, "page.html", p); err != nil {
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	rest.SetPageHeaders(h,
		"default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'", "")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // fails only if the caller has disconnected
}

func (i *Issuer) style(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeFileFS(w, r, files, "style.css")
}
