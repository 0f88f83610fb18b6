package api

import (
	"context"
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// newOffer is the body of POST /offers.
type newOffer struct {
	ProductID string `json:"productID" doc:"The _id of the phone"`
	Price     int    `json:"price" doc:"In whole US dollars: below the price of the phone, and at least half of it" number:"price"`
	Phone     string `json:"phone" doc:"Your phone number, for the booking"`
	Location  string `json:"location,omitempty" maxLength:"120" doc:"Your location, for the booking"`
	Text      string `json:"text,omitempty" maxLength:"2000" doc:"A message to the seller"`
	Key       string `json:"key,omitempty" maxLength:"64" doc:"Any text that you make with the form. For a day, the same call with the same key has the same response and makes no second offer"`
	Confirm   bool   `json:"confirm,omitempty" doc:"true sends a text that may have a phone number or the name of a messenger. Without it such a text has status 422 and code contact_warning"`
}

// OfferMade is the response of POST /offers.
type OfferMade struct {
	Inserted

	ThreadID string `json:"threadId" doc:"The _id of the thread in which the offer stands"`
}

// offerAnswer is the body of PUT /offers/{id}.
type offerAnswer struct {
	Action string `json:"action" enum:"accept,decline,counter,withdraw" doc:"The seller answers an offer with accept, decline or, once, counter. The buyer answers the other price with accept or decline, and can withdraw the offer"`
	Price  int    `json:"price,omitempty" doc:"The other price, with counter: in whole US dollars, between the offer and the price of the phone" number:"price"`
}

// OfferAnswered is the response of PUT /offers/{id}.
type OfferAnswered struct {
	Modified

	BookingID string `json:"bookingId,omitempty" doc:"The _id of the booking that the buyer has now. Of an accepted offer; absent otherwise"`
}

func (h handlers) offers() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/offers", ID: "makeOffer", Tag: "offers",
			Summary: "Offer a price for a phone. The seller has a day to answer. At most three offers for a phone, and ten open ones", Access: rest.Bearer,
			Body: newOffer{}, Response: OfferMade{}, Handle: h.makeOffer,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodGet, Path: "/offers", ID: "listOffers", Tag: "offers",
			Summary: "List your own offers: those that you made, and those for your phones. The topic me has the event offer.changed",
			Access:  rest.Bearer, IsList: true,
			Query:    []rest.Param{byEmail, {Name: "productID", Description: "Only those for this phone"}},
			Response: []market.OfferView{}, ErrorStatuses: []int{http.StatusForbidden, http.StatusUnprocessableEntity}, Handle: h.listOffers,
		},
		{
			Method: http.MethodPut, Path: "/offers/{id}", ID: "answerOffer", Tag: "offers",
			Summary: "Answer an offer. To accept one books the phone for the buyer at its price", Access: rest.Bearer,
			Body: offerAnswer{}, Response: OfferAnswered{}, Handle: h.answerOffer,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
	}
}

func (h handlers) makeOffer(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[newOffer](w, r)
	if err != nil {
		return err
	}
	o, err := h.market.MakeOffer(r.Context(), actor(r), market.OfferRequest{
		ProductID: in.ProductID, Price: in.Price, Phone: in.Phone, Location: in.Location, Text: in.Text, Key: in.Key, Confirm: in.Confirm,
		Network: h.network(r), Wrong: wrong,
	})
	if err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, OfferMade{Inserted{Acknowledged: true, InsertedID: o.ID}, o.ThreadID})
	return nil
}

func (h handlers) listOffers(w http.ResponseWriter, r *http.Request) error {
	who, query := actor(r), r.URL.Query()
	return listing[market.OfferView]{
		topic: topicMe(who.User.UID),
		read: func(ctx context.Context, page market.Page) (market.List[market.OfferView], error) {
			return h.market.Offers(ctx, who, query.Get("email"), query.Get("productID"), page)
		},
		encode: viewed(func(v market.OfferView) market.OfferView { return v }),
		id:     func(v market.OfferView) string { return v.ID },
	}.serve(h, w, r)
}

func (h handlers) answerOffer(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[offerAnswer](w, r)
	if err != nil {
		return err
	}
	answer, err := h.market.AnswerOffer(r.Context(), actor(r), rest.PathValue(r, "id"), market.AnswerRequest{
		Action: market.OfferAction(in.Action), Price: in.Price, Wrong: wrong,
	})
	if err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, OfferAnswered{Modified{Acknowledged: true, ModifiedCount: answer.Modified}, answer.BookingID})
	return nil
}
