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

// phoneScreen is a phone's own address.
const phoneScreen = "/phone/{id}"

// maxSummary is how much a link's preview has room for, in characters.
const maxSummary = 200

// What of the built page a phone's own replaces.
var (
	builtTitle = regexp.MustCompile(`<title>[^<]*</title>`)
	builtAbout = regexp.MustCompile(`<meta name="description"[^>]*>\s*`)
)

// phonePage answers a phone's own screen. Who is sent a link to it, or searches
// the web, looks at it with a program that runs no scripts: what that shows of
// the phone is in the page's head. It is what a visitor may see. An address that
// asks more often than RATE_LIMIT gets the page without.
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
	if err != nil || index == nil { // the client asks again, and says what is wrong
		if err != nil && r.Context().Err() == nil {
			s.Log.ErrorContext(r.Context(), "cannot read the phone: its page is served without its head", "id", rest.RequestID(r.Context()), "error", err)
		}
		s.screen(w, r)
		return
	}
	s.send(w, r, index.titled(s.head(p)), http.StatusOK)
}

// titled is the page with another title and what goes with it.
func (f *file) titled(head string) *file {
	body := builtAbout.ReplaceAll(f.body, nil)
	if at := builtTitle.FindIndex(body); at != nil {
		body = append([]byte(string(body[:at[0]])+head), body[at[1]:]...)
	}
	return newFile(indexFile, body)
}

// head is what the page says of a phone to programs.
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

// absolute is a site-relative address as others must call it.
func (s *Site) absolute(address string) string {
	if strings.HasPrefix(address, "/") {
		return s.PublicURL + address
	}
	return address
}

// summaryOf is a phone in one line.
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
