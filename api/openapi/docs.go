package openapi

import (
	"bytes"
	_ "embed" // the page and its style
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"secondring/api/rest"
)

//go:embed docs.html
var docsHTML string

//go:embed docs.css
var docsCSS []byte

const docsPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Routes returns the routes of the documentation, which also describes them.
func Routes(routes []rest.Route) []rest.Route {
	own := []rest.Route{
		{
			Method: http.MethodGet, Path: "/openapi.json", ID: "openapi", Tag: "operations",
			Summary: "Get this API description, in OpenAPI 3.1", Response: map[string]any{}, Unlimited: true,
		},
		{
			Method: http.MethodGet, Path: "/docs", ID: "docs", Tag: "operations", MediaType: "text/html",
			Summary: "Get this API description, as an HTML page", Unlimited: true,
		},
		{
			Method: http.MethodGet, Path: "/docs/style.css", ID: "docsStyle", Tag: "operations", MediaType: "text/css",
			Summary: "Get the style sheet of the HTML page", Unlimited: true,
		},
	}
	all := slices.Concat(routes, own)
	document := sync.OnceValues(func() ([]byte, error) { return Document(all) })
	page := sync.OnceValues(func() ([]byte, error) { return docsPage(describe(all)) })
	own[0].Handle = prepared(jsonMedia, document)
	own[1].Handle = prepared("text/html; charset=utf-8", page)
	own[2].Handle = prepared("text/css; charset=utf-8", func() ([]byte, error) { return docsCSS, nil })
	return own
}

// prepared serves a page that is made at the first request.
func prepared(media string, made func() ([]byte, error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, _ *http.Request) error {
		page, err := made()
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", media)
		rest.SetPageHeaders(w.Header(), docsPolicy, "")
		_, _ = w.Write(page) // fails only if the caller has disconnected
		return nil
	}
}

// docsPage returns the documentation as one page without a script.
func docsPage(doc *huma.OpenAPI) ([]byte, error) {
	page, err := template.New("docs").Funcs(template.FuncMap{"lower": strings.ToLower}).Parse(docsHTML)
	if err != nil {
		return nil, err
	}
	view := docsView{Title: doc.Info.Title, About: doc.Info.Description}
	for _, tag := range doc.Tags {
		if group := groupOf(doc, tag); len(group.Calls) > 0 {
			view.Groups = append(view.Groups, group)
		}
	}
	names := []string{}
	for name := range doc.Components.Schemas.Map() {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		view.Schemas = append(view.Schemas, docsSchema{Name: name, Fields: fieldsOf(doc.Components.Schemas.Map()[name])})
	}
	var out bytes.Buffer
	err = page.Execute(&out, view)
	return out.Bytes(), err
}
