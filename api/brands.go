package api

import (
	"context"
	"net/http"
	"slices"

	"secondring/api/cache"
	"secondring/api/rest"
	"secondring/market"
	"secondring/market/search"
)

func (h handlers) brands() []rest.Route {
	all := h.brandList(h.market.Brands)
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/productCategory", ID: "listProductCategories", Tag: "brands",
			Summary: "List all brands. Same as GET /allCategories",
			IsList:  true, Response: []market.BrandView{}, Handle: all,
		},
		{
			Method: http.MethodGet, Path: "/allCategories", ID: "listAllCategories", Tag: "brands",
			Summary: "List all brands", IsList: true, Response: []market.BrandView{}, Handle: all,
		},
		{
			Method: http.MethodGet, Path: "/categories", ID: "listTopCategories", Tag: "brands",
			Summary: "List the six brands with the most available phones. If a browser asks for text/html, it gets a page of the website instead",
			IsList:  true, Response: []market.BrandView{}, Handle: h.brandList(h.topBrands),
		},
		{
			Method: http.MethodGet, Path: "/categories/{id}", ID: "listProductsOfBrand", Tag: "brands",
			Summary: "List the phones of a brand. Without parameters: all of them, newest first",
			Access:  rest.Optional, IsList: true, Query: searchParams, Response: []market.ProductView{},
			ErrorStatuses: []int{http.StatusNotFound, http.StatusUnprocessableEntity}, Handle: h.productsOfBrand, IsSearch: narrows,
		},
	}
}

// brandList returns the handler of a list of brands with the numbers of their available
// phones.
func (h handlers) brandList(read func(context.Context, market.Page) (market.List[market.BrandStock], error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		return listing[market.BrandStock]{
			read: read, encode: viewed(market.BrandStock.View), id: func(b market.BrandStock) string { return b.ID },
			reader: kindVisitor, subjects: []string{cache.Brands, cache.Phones},
		}.serve(h, w, r)
	}
}

// topBrands pages the six brands, so that the route accepts limit and cursor like every
// list.
func (h handlers) topBrands(ctx context.Context, page market.Page) (market.List[market.BrandStock], error) {
	top, err := h.market.TopBrands(ctx)
	if err != nil {
		return market.List[market.BrandStock]{}, err
	}
	rest := top
	if page.After != "" {
		at := slices.IndexFunc(top, func(b market.BrandStock) bool { return b.ID == page.After })
		rest = top[at+1:]
	}
	shown := rest[:min(page.Limit, len(rest))]
	return market.List[market.BrandStock]{Items: shown, Total: len(top), More: len(shown) < len(rest)}, nil
}

// productsOfBrand lists a brand's phones. The topic is the same for every query: the
// subscriber checks for each event whether the phone matches the query.
func (h handlers) productsOfBrand(w http.ResponseWriter, r *http.Request) error {
	id, in := rest.PathValue(r, "id"), readSearch(r)
	view, reader := h.productView(r), readerKind(r)
	list := listing[market.Product]{
		read: func(ctx context.Context, page market.Page) (market.List[market.Product], error) {
			return h.market.ProductsOfBrand(ctx, id, page)
		},
		encode: viewed(view), id: productID,
	}
	if !in.Plain() {
		list = h.searchListing(in, search.SortNewest, view, func(ctx context.Context, in market.Search) (market.SearchResult, error) {
			return h.market.SearchBrand(ctx, reader == kindVisitor, id, in)
		})
	}
	if market.IsID(id) {
		list.topic = topicOfBrand(r, id)
		if in.Plain() || in.Unfiltered() && in.Query.Sort == search.SortAvailable { // what our screens show
			list.reader, list.subjects = reader, []string{market.TopicBrand(id), cache.Brands}
		}
	}
	return list.serve(h, w, r)
}

func productID(p market.Product) string { return p.ID }
