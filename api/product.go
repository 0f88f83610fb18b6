package api

import (
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

func (h handlers) oneProduct() []rest.Route {
	return []rest.Route{{
		Method: http.MethodGet, Path: "/products/{id}", ID: "getProduct", Tag: "products",
		Summary: "A phone; without a token without phone, e-mail and location, with one with its brand's Live-Position",
		Access:  rest.Optional, Response: market.ProductView{}, ErrorStatuses: []int{http.StatusNotFound}, Handle: h.product,
	}}
}

// product sends one phone. For the signed-in it adds the live position of the phone's
// brand. The phone is read again after the position, so that no event is missed; a phone
// never changes its brand.
func (h handlers) product(w http.ResponseWriter, r *http.Request) error {
	p, err := h.market.Product(r.Context(), rest.PathValue(r, "id"))
	if err != nil {
		return err
	}
	view, topic := market.Product.ViewForVisitor, topic{market.TopicBrandForVisitors(p.BrandID), market.TopicBrand(p.BrandID)}
	if _, signedIn := rest.Actor(r.Context()); signedIn {
		view, topic = market.Product.View, topicNamed(market.TopicBrand(p.BrandID))
	}
	position, err := h.positions.Position(r.Context(), topic.broker)
	if err != nil {
		return err
	}
	if p, err = h.market.Product(r.Context(), p.ID); err != nil {
		return err
	}
	w.Header().Set("Live-Position", topic.wire+"="+position)
	return rest.SendJSON(w, r, readerKind(r), view(p))
}
