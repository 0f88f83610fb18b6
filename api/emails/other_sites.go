package emails

import (
	"regexp"
	"strings"
)

// linkRemoved stands in place of a link to another site.
const linkRemoved = "[link removed]"

// dots are the characters that browsers read as a dot in a domain, for a regular expression.
const dots = `.\x{2024}\x{3002}\x{FE52}\x{FF0E}\x{FF61}`

var (
	word = regexp.MustCompile(`[^\s\p{Z}]+`)
	// link matches in a word that is a link whatever its domain is.
	link = regexp.MustCompile(`(?i)[:：][/\\／＼]{2}|\bwww[` + dots + `]|\bmailto[:：]|\d{1,3}(\.\d{1,3}){3}[/:]`)
	// domainDot matches the dots of a bare domain with the letter after it. A domain's last part
	// has at least two letters, so a decimal point is none.
	// The character before the dot may be any: there are domains of symbols.
	domainDot = regexp.MustCompile(`([^\s` + dots + `])[` + dots + `](\p{L}[\p{L}\p{M}\p{N}-])`)
	// invisible matches characters that nobody sees, which could hide a domain from the others:
	// joiners, which some scripts need, only beside a dot.
	invisible = regexp.MustCompile(`[^\P{Cf}\x{200C}\x{200D}]|[\x{200C}\x{200D}]*([` + dots + `])[\x{200C}\x{200D}]*`)
	// ownPage matches what follows the shop's address in a link to one of its pages.
	ownPage = regexp.MustCompile(`^([/?#][A-Za-z0-9._~%/?#=&+-]*)?$`)
)

// withoutOtherSites returns the content without anything that a mail program makes a link to
// another site of. Names of phones, people and searches, reasons and browsers are texts of
// strangers, but the email is the shop's.
func (c Content) withoutOtherSites(shop string) Content {
	clean := func(text string) string { return textWithoutOtherSites(text, shop, c.Addresses) }
	action := func(a Action) Action { return Action{clean(a.Label), withoutDotsInQuery(a.URL)} }
	c.Subject, c.Greeting = clean(c.Subject), clean(c.Greeting)
	c.Paragraphs, c.Note = each(c.Paragraphs, clean), each(c.Note, clean)
	c.Groups = each(c.Groups, func(g Group) Group { return Group{clean(g.Title), each(g.Links, action)} })
	if c.Action != nil {
		c.Action = new(action(*c.Action))
	}
	return c
}

func each[T any](all []T, change func(T) T) []T {
	changed := make([]T, 0, len(all))
	for _, v := range all {
		changed = append(changed, change(v))
	}
	return changed
}

// textWithoutOtherSites removes links and breaks bare domains of a text, except links to the
// shop, and the email addresses in kept. A domain is broken by a space after its dots, because
// it may as well be the end of a sentence without a space.
func textWithoutOtherSites(text, shop string, kept []string) string {
	for i, address := range kept {
		if before, after, isFound := strings.Cut(text, address); isFound && address != "" {
			return textWithoutOtherSites(before, shop, kept[i:]) + address + textWithoutOtherSites(after, shop, kept[i:])
		}
	}
	text = invisible.ReplaceAllString(text, "$1")
	return word.ReplaceAllStringFunc(text, func(w string) string {
		switch {
		case isLinkTo(shop, w):
			return w
		case link.MatchString(w):
			return linkRemoved + w[len(strings.TrimRight(w, ".,;:!?)")):]
		}
		for domainDot.MatchString(w) { // matches overlap
			w = domainDot.ReplaceAllString(w, "$1. $2")
		}
		return w
	})
}

// isLinkTo returns whether a word is the shop's URL or domain, or a link to one of its pages
// that has no other URL in it.
func isLinkTo(shop, w string) bool {
	_, domain, _ := strings.Cut(shop, "://")
	w = strings.Trim(w, `.,;:!?()"'“”`)
	rest, isOwn := strings.CutPrefix(w, shop)
	if !isOwn {
		rest, isOwn = strings.CutPrefix(w, domain)
	}
	return isOwn && ownPage.MatchString(rest) && !strings.Contains(rest, "//")
}

// withoutDotsInQuery encodes the dots of a URL's query, which may be the words of a search.
func withoutDotsInQuery(u string) string {
	path, query, _ := strings.Cut(u, "?")
	if query == "" {
		return u
	}
	query, fragment, hasFragment := strings.Cut(query, "#")
	u = path + "?" + strings.ReplaceAll(query, ".", "%2E")
	if hasFragment {
		u += "#" + fragment
	}
	return u
}
