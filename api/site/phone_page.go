package site

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"secondring/api/rest"
	"secondring/market"
)

// phoneScreen is the path of a phone's page.
const phoneScreen = "/phone/{id}"

// maxSummary is the length of a link preview's description, in characters.
const maxSummary = 200

// The parts of the built page that a phone's page replaces.
var (
	builtTitle       = regexp.MustCompile(`<title>[^<]*</title>`)
	builtDescription = regexp.MustCompile(`<meta name="description"[^>]*>\s*`)
)

// phonePage sends the page of a phone. Link previews and search engines run no scripts, so
// the page's head has the phone's data that a visitor may see. A caller above RATE_LIMIT
// gets the page without it.
func (s *Site) phonePage(w http.ResponseWriter, r *http.Request) {
	if s.OverLimit(w, r) {
		s.screen(w, r)
		return
	}
	p, err := s.Market.Product(r.Context(), rest.PathValue(r, "id"))
	if market.CodeOf(err) == market.CodeNotFound {
		if !s.NotFound(w, r) {
			s.Fail(w, r, err)
		}
		return
	}
	index := s.page(r)
	if err != nil || index == nil { // the client repeats the call and shows the error
		if err != nil && r.Context().Err() == nil {
			s.Log.ErrorContext(r.Context(), "phone not read, page served without its metadata", "id", rest.RequestID(r.Context()), "error", err)
		}
		s.screen(w, r)
		return
	}
	s.send(w, r, index.titled(s.head(p)), http.StatusOK)
}

// titled returns the page with the phone's title and metadata.
func (f *file) titled(head string) *file {
	body := builtDescription.ReplaceAll(f.body, nil)
	if at := builtTitle.FindIndex(body); at != nil {
		body = append([]byte(string(body[:at[0]])+head), body[at[1]:]...)
	}
	return newFile(indexFile, body)
}

// head returns a phone's metadata for link previews and search engines.
func (s *Site) head(p market.Product) string {
	v := p.ViewForVisitor()
	title := fmt.Sprintf("%s for $%d", v.Name, v.ResalePrice)
	summary := summaryOf(v)
	address := s.absolute("/phone/" + url.PathEscape(v.ID))
	photo := v.Photos[0]
	alt := photo.Alt
	if alt == "" {
		alt = v.Name
	}
	var head strings.Builder
	fmt.Fprintf(&head, "<title>%s</title>\n", html.EscapeString(title+" · "+s.Settings.Product))
	tag := func(format, name, content string) {
		fmt.Fprintf(&head, "    "+format+"\n", name, html.EscapeString(content))
	}
	const named, property = `<meta name="%s" content="%s" />`, `<meta property="%s" content="%s" />`
	tag(named, "description", summary)
	tag(`<link rel="%s" href="%s" />`, "canonical", address)
	tag(property, "og:type", "product")
	tag(property, "og:site_name", s.Settings.Product)
	tag(property, "og:title", title)
	tag(property, "og:description", summary)
	tag(property, "og:url", address)
	tag(property, "og:image", s.absolute(photo.URL))
	if photo.Width > 0 {
		tag(property, "og:image:width", fmt.Sprint(photo.Width))
		tag(property, "og:image:height", fmt.Sprint(photo.Height))
	}
	tag(property, "og:image:alt", alt)
	fmt.Fprintf(&head, "    "+named, "twitter:card", "summary_large_image")
	return head.String()
}

// absolute returns the absolute URL of a site-relative one.
func (s *Site) absolute(address string) string {
	if strings.HasPrefix(address, "/") {
		return s.PublicURL + address
	}
	return address
}

// summaryOf returns a description of a phone in one line.
func summaryOf(v market.ProductView) string {
	state := ""
	switch {
	case v.Sold:
		state = "Sold. "
	case v.Booked:
		state = "Booked. "
	}
	text := fmt.Sprintf("%s%s, %s condition, used for %s, $%d instead of $%d. %s",
		state, v.Brand, strings.ToLower(v.Condition), v.UsedTime, v.ResalePrice, v.OriginalPrice, v.Description)
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= maxSummary {
		return text
	}
	short := string([]rune(text)[:maxSummary])
	if space := strings.LastIndexByte(short, ' '); space > 0 {
		short = short[:space]
	}
	return short + "…"
}
