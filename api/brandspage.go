package api

import (
	"context"
	"html"
	"net/http"
	"slices"
	"strings"
	"sync"

	"secondring/market"
)

const (
	// brandsScreen shows all brands.
	brandsScreen = "/categories"
	// stillBrands is how many brands a page shows before the client does, and
	// soonBrands how many of their pictures are asked for at once: those in sight.
	stillBrands, soonBrands = 24, 6
	soon, whenNear          = `loading="eager"`, `loading="lazy"`
)

// brandsStill is the screen of all brands with one, and the part of it that
// stands for that one: the build's own texts in place of a brand's.
type brandsStill struct {
	Still string `json:"still"`
	Each  string `json:"each"`
}

// brandsPage is a visitor's page of all brands with a still that shows them, so
// that their pictures come beside the client and not after it.
type brandsPage struct {
	market *market.Market
	// with makes the page that brings a still.
	with  func(still string) *file
	still brandsStill

	mu    sync.Mutex
	shown []market.Brand
	made  *file
}

// page is the page as the brands are now; nil where they can't be had, or there
// are none: the page without them tells so.
func (p *brandsPage) page(ctx context.Context) *file {
	all, err := p.market.Brands(ctx, market.Page{Limit: stillBrands})
	if err != nil || len(all.Items) == 0 || all.More {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Equal(p.shown, all.Items) {
		p.shown, p.made = all.Items, p.with(p.still.of(all.Items))
	}
	return p.made
}

// of is the still with these brands.
func (s brandsStill) of(brands []market.Brand) string {
	var cards strings.Builder
	for place, brand := range brands {
		v := brand.View()
		card := s.Each
		if place >= soonBrands {
			card = strings.Replace(card, soon, whenNear, 1)
		}
		_, _ = strings.NewReplacer( // into memory
			"BRAND_ID", html.EscapeString(v.ID), "BRAND_NAME", html.EscapeString(v.Name), "BRAND_IMG", html.EscapeString(v.Img),
		).WriteString(&cards, card)
	}
	return strings.Replace(s.Still, s.Each, cards.String(), 1)
}

// categoriesPage answers the screen of all brands. An address that asks more
// often than RATE_LIMIT gets it without them.
func (a *api) categoriesPage(w http.ResponseWriter, r *http.Request) {
	shown := a.client.brands
	if shown == nil || a.client.known(r) || a.tooManyPages(w, r) {
		a.client.screen(w, r)
		return
	}
	page := shown.page(r.Context())
	if page == nil {
		page = a.client.index(r)
	}
	a.client.send(w, r, page, http.StatusOK)
}
