package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"secondring/cmd/secondring/nodetest"
)

// demoPhone is a phone of the demo, as a search returns it.
type demoPhone struct {
	ID          string `json:"_id"`
	Name, Brand string
	Storage     int
	Colour      string
}

// waysToWrite returns how people write the phone, by a name of the way.
func (p demoPhone) waysToWrite() map[string]string {
	ways := map[string]string{
		"name": p.Name, "brand and name": p.Brand + " " + p.Name,
		"glued": strings.ReplaceAll(p.Name, " ", ""), "glued with brand": strings.ReplaceAll(p.Brand+p.Name, " ", ""),
		"hyphenated": strings.ReplaceAll(p.Name, " ", "-"), "full-width letters": fullWidth(p.Name),
		"with 5G": p.Name + " 5G", "with phone": p.Name + " phone", "with the and for sale": "the " + p.Name + " for sale", "in capitals": strings.ToUpper(p.Name),
	}
	if p.Storage > 0 {
		for _, unit := range []string{"GB", " gb", " gigs"} {
			ways["with storage"+unit] = fmt.Sprint(p.Name, " ", p.Storage, unit)
		}
	}
	if p.Colour != "" {
		ways["with colour before"], ways["with colour after"] = p.Colour+" "+p.Name, p.Name+" in "+strings.ToUpper(p.Colour)
	}
	return ways
}

// fullWidth returns the text in full-width characters.
func fullWidth(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ':
			return '\u3000'
		case '!' <= c && c <= '~':
			return c - '!' + '！'
		}
		return c
	}, text)
}

// At least 98 in 100 searches for a phone of the demo have it on their first page, in each way
// to write it.
func TestPhonesOfDemoAreFound(t *testing.T) {
	srv := start(t, nodetest.Settings(t, map[string]string{"DEMO": "1", "RATE_LIMIT": "off"}))
	visitor := srv.newBrowser()
	var phones []demoPhone
	for path := "/products/search?sort=newest&limit=200"; path != ""; {
		var page []demoPhone
		header := visitor.call(http.MethodGet, path, nil, &page)
		phones = append(phones, page...)
		link, _, _ := strings.Cut(strings.TrimPrefix(header.Get("Link"), "<"), ">")
		path = link
	}
	if len(phones) != 300 {
		t.Fatalf("%d phones, want 300", len(phones))
	}
	made, found := map[string]int{}, map[string]int{}
	missed := map[string]bool{}
	for _, p := range phones {
		for way, text := range p.waysToWrite() {
			made[way]++
			var list []demoPhone
			visitor.call(http.MethodGet, "/products/search?q="+url.QueryEscape(text), nil, &list)
			if slices.ContainsFunc(list, func(other demoPhone) bool { return other.ID == p.ID }) {
				found[way]++
			} else {
				missed[fmt.Sprintf("%s: %q", way, text)] = true
			}
		}
	}
	for way, n := range made {
		share := 100 * float64(found[way]) / float64(n)
		t.Logf("%s: %.1f of 100 searches have the phone on the first page", way, share)
		if share < 98 {
			t.Errorf("%s: %d of %d searches have the phone, want at least 98 in 100", way, found[way], n)
		}
	}
	t.Logf("missed: %v", missed)
}
