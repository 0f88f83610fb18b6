package api

import (
	"context"
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

func (h handlers) oneProduct() []rest.Route {
	return []rest.Route{{
		Method: http.MethodGet, Path: "/products/{id}", ID: "getProduct", Tag: "products",
		Summary: "A phone, with its brand's Live-Position; without a token it has no phone, email and location",
		Access:  rest.Optional, Response: market.ProductView{}, ErrorStatuses: []int{http.StatusNotFound}, Handle: h.product,
	}}
}

// product sends one phone with the live position of its brand's topic. It reads the phone
// again after the position, so that no event is missed. A phone never changes its brand.
func (h handlers) product(w http.ResponseWriter, r *http.Request) error {
	p, err := h.market.Product(r.Context(), rest.PathValue(r, "id"))
	if err != nil {
		return err
	}
	return readLive(h, w, r, topicOfBrand(r, p.BrandID), func(ctx context.Context) (market.ProductView, error) {
		p, err := h.market.Product(ctx, p.ID)
		return productView(r)(p), err
	})
}
