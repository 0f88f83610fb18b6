package mail

import (
	"context"
	_ "embed"
	"html/template"
	"net/http"
	"strings"
	"sync"
	"time"

	"secondring/api/emails"
	"secondring/api/rest"
	"secondring/market"
	"secondring/sandbox/page"
)

// maxEmails is the maximum number of emails in the box; older ones are dropped.
const maxEmails = 200

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page.html").Funcs(template.FuncMap{"lines": lines}).Parse(pageHTML))

// Email is an email in the box.
type Email struct {
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	At      time.Time `json:"at"`
}

// Box is an emails.Transport that stores emails, and the page that shows them.
type Box struct {
	path   string
	mux    *http.ServeMux
	mu     sync.Mutex
	emails []Email // newest first
}

// New returns an empty box that is served under a path.
func New(path string) *Box {
	b := &Box{path: path, mux: http.NewServeMux()}
	b.mux.HandleFunc("GET "+path, b.list)
	b.mux.HandleFunc("GET "+path+"/style.css", page.Style)
	return b
}

// ServeHTTP implements http.Handler.
func (b *Box) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.mux.ServeHTTP(w, r) }

// Send implements emails.Transport.
func (b *Box) Send(_ context.Context, m emails.Message) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.emails = append([]Email{{To: m.To, Subject: m.Subject, Text: m.Text, At: m.At}}, b.emails[:min(len(b.emails), maxEmails-1)]...)
	return nil
}

// emailsTo returns the emails to an address, "" for all, newest first.
func (b *Box) emailsTo(address string) []Email {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := []Email{}
	for _, e := range b.emails {
		if address == "" || market.NormalEmail(e.To) == market.NormalEmail(address) {
			found = append(found, e)
		}
	}
	return found
}

// list sends the emails: to a browser as a page, to other clients as JSON.
func (b *Box) list(w http.ResponseWriter, r *http.Request) {
	address := r.URL.Query().Get("to")
	found := b.emailsTo(address)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Vary", "Accept")
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		rest.JSON(w, http.StatusOK, found)
		return
	}
	page.Show(w, http.StatusOK, pageTemplate, pageData{Base: b.path, To: address, Emails: found})
}

// pageData is the data of page.html.
type pageData struct {
	Base   string
	To     string
	Emails []Email
}

// line is a line of an email; a URL is shown as a link.
type line struct {
	Text   string
	IsLink bool
}

func lines(text string) (all []line) {
	for l := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		all = append(all, line{Text: l, IsLink: strings.HasPrefix(l, "http://") || strings.HasPrefix(l, "https://")})
	}
	return all
}
