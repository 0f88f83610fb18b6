package api

import (
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

// product sends one phone with the live position of its brand. The phone is read again
// after the position, so that no event is missed; a phone never changes its brand.
func (h handlers) product(w http.ResponseWriter, r *http.Request) error {
	p, err := h.market.Product(r.Context(), rest.PathValue(r, "id"))
	if err != nil {
		return err
	}
	topic := topicOfBrand(r, p.BrandID)
	position, err := h.positions.Position(r.Context(), topic.broker)
	if err != nil {
		return err
	}
	if p, err = h.market.Product(r.Context(), p.ID); err != nil {
		return err
	}
	w.Header().Set("Live-Position", topic.wire+"="+position)
	return rest.SendJSON(w, r, readerKind(r), productView(r)(p))
}
