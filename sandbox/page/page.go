package page

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"

	"secondring/api/rest"
)

//go:embed style.css
var files embed.FS

const policy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Show renders a template with data and sends the page. The response is not cached, and the
// browser does not send the URL of the page as a referrer, because it may contain a token or an
// email address.
func Show(w http.ResponseWriter, status int, t *template.Template, data any) {
	var body bytes.Buffer
	if err := t.Execute(&body, data); err != nil {
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	rest.SetPageHeaders(h, policy, "")
	h.Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // fails only if the caller has disconnected
}

// Style serves the style sheet.
func Style(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeFileFS(w, r, files, "style.css")
}
