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

// pageData is the data of page.html.
type pageData struct {
	Base       string
	Home       string            // the URL of the product
	Invalid    string            // why the request is invalid, so that no account can be chosen
	EmailError string            // why the typed address is invalid
	Query      map[string]string // the parameters of the request, which the form sends again
	People     []Person
}

// formParams returns the parameters that the form sends again.
func formParams(form url.Values) map[string]string {
	query := map[string]string{}
	for _, name := range []string{
		"client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge", "code_challenge_method",
	} {
		query[name] = form.Get(name)
	}
	return query
}

// show sends the page.
func (i *Issuer) show(w http.ResponseWriter, status int, d pageData) {
	d.Base, d.Home = i.base, i.origin+"/"
	page.Show(w, status, pageTemplate, d)
}
