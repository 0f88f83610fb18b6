package api

import (
	"context"
	"net/http"

	"secondring/api/cache"
	"secondring/api/rest"
	"secondring/market"
)

var (
	byEmail  = rest.Param{Name: "email", Description: "Email address of the person: your own; admins can send any", Required: true}
	ownEmail = rest.Param{Name: "email", Description: "Your own email address", Required: true}
)

func (h handlers) productReads() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/products/advertised", ID: "listAdvertised", Tag: "products",
			Summary: "List the advertised phones that are not booked",
			Access:  rest.Optional, IsList: true, Response: []market.ProductView{}, Handle: h.advertised,
		},
		{
			Method: http.MethodGet, Path: "/products", ID: "listProductsOfSeller", Tag: "products",
			Summary: "List a seller's phones (the seller and admins only)", Access: rest.Bearer, IsList: true, Query: []rest.Param{byEmail},
			Response:      []market.ProductView{},
			ErrorStatuses: []int{http.StatusForbidden, http.StatusUnprocessableEntity}, Handle: h.productsOfSeller,
		},
		{
			Method: http.MethodGet, Path: "/products/{id}", ID: "getProduct", Tag: "products",
			Summary: "Get a phone. The header Live-Position of the response is for the topic of its brand; for its seller, for the topic me",
			Access:  rest.Optional, Response: market.ProductView{}, ErrorStatuses: []int{http.StatusNotFound}, Handle: h.product,
		},
	}
}

func (h handlers) advertised(w http.ResponseWriter, r *http.Request) error {
	return listing[market.Product]{
		topic: topicNamed(market.TopicAdvertised), read: h.market.Advertised, encode: viewed(h.productView(r)), id: productID,
		reader: readerKind(r), subjects: []string{market.TopicAdvertised},
	}.serve(h, w, r)
}

func (h handlers) productsOfSeller(w http.ResponseWriter, r *http.Request) error {
	who, email := actor(r), rest.EmailValue(r, "email")
	list := listing[market.Product]{
		read: func(ctx context.Context, page market.Page) (market.List[market.Product], error) {
			return h.market.ProductsOfSeller(ctx, who, email, page)
		},
		encode: viewed(h.market.ViewForBuyers), id: productID,
	}
	if isOwn(who, email) {
		list.topic, list.encode = topicMe(who.User.UID), viewed(market.Product.ViewForSeller)
		list.reader, list.subjects = who.User.UID, []string{list.topic.broker, cache.Person(who.User.UID)}
	}
	return list.serve(h, w, r)
}

// product sends one phone with the live position of its brand's topic. Its seller gets more
// fields, which the events on their own topic have, too. The phone is read again after the
// position, so that no event is missed. It never changes its brand or its seller.
func (h handlers) product(w http.ResponseWriter, r *http.Request) error {
	p, _, err := h.market.ProductFor(r.Context(), reader(r), rest.PathValue(r, "id"))
	if err != nil {
		return err
	}
	topic, view := topicOfBrand(r, p.BrandID), h.productView(r)
	switch who, signedIn := rest.Actor(r.Context()); {
	case signedIn && p.SellerUID == who.User.UID:
		topic, view = topicMe(who.User.UID), market.Product.ViewForSeller
	case signedIn && who.User.Admin:
		view = market.Product.ViewWithContact
	}
	return readLive(h, w, r, topic, func(ctx context.Context) (market.ProductView, error) {
		p, isHidden, err := h.market.ProductFor(ctx, reader(r), p.ID)
		shown := view(p)
		shown.Hidden = isHidden
		return shown, err
	})
}

// reader returns who makes the call; nil for a visitor.
func reader(r *http.Request) *market.Actor {
	if who, signedIn := rest.Actor(r.Context()); signedIn {
		return &who
	}
	return nil
}
