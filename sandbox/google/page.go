package google

import (
	_ "embed"
	"html/template"
	"net/http"
	"net/url"

	"secondring/sandbox/page"
)

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page.html").Parse(pageHTML))

// pageData is what page.html shows.
type pageData struct {
	Base    string
	Home    string            // the product's own address
	Wrong   string            // why no account can be chosen
	Problem string            // what is wrong with what was typed
	Query   map[string]string // the request, carried along in the form
	People  []Person
}

// carried returns the parameters that the form sends again.
func carried(form url.Values) map[string]string {
	query := map[string]string{}
	for _, name := range []string{
		"client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge", "code_challenge_method",
	} {
		query[name] = form.Get(name)
	}
	return query
}

// show answers with the page.
func (i *Issuer) show(w http.ResponseWriter, status int, d pageData) {
	d.Base, d.Home = i.base, i.origin+"/"
	page.Show(w, status, pageTemplate, d)
}
