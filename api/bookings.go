package api

import (
	"cmp"
	"context"
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// bookingRequest is the body of PUT /bookings. The fields other than productID, phone and
// location are optional and must agree with the store.
type bookingRequest struct {
	ProductID   string `json:"productID" doc:"The _id of the phone"`
	ProductName string `json:"productName,omitempty" doc:"Optional; if sent, it must equal the stored value, ignoring case"`
	BrandID     string `json:"id,omitempty" doc:"The _id of the brand. Optional; if sent, it must equal the stored value, ignoring case"`
	Brand       string `json:"brand,omitempty" doc:"Name of the brand. Optional; if sent, it must equal the stored value, ignoring case"`
	Img         string `json:"img,omitempty" doc:"Ignored"`
	UserName    string `json:"userName,omitempty" doc:"Your name. Optional; if sent, it must equal the stored value, ignoring case"`
	Email       string `json:"email,omitempty" doc:"Optional; if sent, it must be your email address"`
	Price       *int   `json:"price,omitempty" doc:"Optional; if sent, it must equal the price of the phone, in whole US dollars. A text such as $1,250 or 1250.00 is also accepted" number:"price"`
	Version     *int   `json:"version,omitempty" doc:"Version of the phone that you saw. Status 409 with the code conflict if its price, name, storage, colour, condition, description, delivery or postage has changed since"`
	Phone       string `json:"phone" minLength:"6" maxLength:"20" doc:"Digits, spaces and + ( ) - . with at least 6 digits"`
	Location    string `json:"location,omitempty" maxLength:"120"`
}

// deliveryRequest is the body of PUT /bookings/{id}/delivery.
type deliveryRequest struct {
	Delivery string          `json:"delivery" enum:"meet,send" doc:"It must be offered by the seller"`
	Address  *market.Address `json:"address,omitempty" doc:"Required for send, unless the booking has an address. All parts together have at most 300 characters"`
	Remember *bool           `json:"remember,omitempty" doc:"Whether your account remembers the address for your next order. false forgets the one that is stored"`
}

func (h handlers) bookings() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPut, Path: "/bookings", ID: "book", Tag: "bookings",
			Summary: "Book a phone (not for admins). One buyer gets it; all others get status 409 with the code taken", Access: rest.Bearer,
			Body: bookingRequest{}, Response: Inserted{}, Fail: rest.FailWrite, Handle: h.book,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodDelete, Path: "/bookings/{id}", ID: "cancelBooking", Tag: "bookings",
			Summary: "Cancel your unpaid booking", Access: rest.Bearer,
			Response: Deleted{}, Fail: rest.FailWrite, Handle: h.cancelBooking, CallsProvider: rest.AllCalls,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPut, Path: "/bookings/{id}/delivery", ID: "chooseDelivery", Tag: "bookings",
			Summary: "Choose how you get the phone of your unpaid booking. It changes the total. Status 409 once it is paid", Access: rest.Bearer,
			Body: deliveryRequest{}, Response: Modified{}, Fail: rest.FailWrite, Handle: h.chooseDelivery, CallsProvider: rest.AllCalls,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodGet, Path: "/bookings", ID: "listBookings", Tag: "bookings",
			Summary: "List a person's bookings, newest first (that person and admins only)", Access: rest.Bearer, IsList: true,
			Query:         []rest.Param{byEmail, {Name: "side", Description: "buyer (what they have booked; the default) or seller (what they have sold: once it was paid)"}},
			Response:      []market.BookingView{},
			ErrorStatuses: []int{http.StatusForbidden, http.StatusUnprocessableEntity}, Fail: rest.FailWrite, Handle: h.listBookings,
		},
		{
			Method: http.MethodGet, Path: "/booking/{id}", ID: "getBooking", Tag: "bookings",
			Summary: "Get a booking (its buyer, admins and, after payment, its seller only). The header Live-Position of the response is for the topic me; for admins, for the topic admin", Access: rest.Bearer,
			Response: market.BookingView{}, Fail: rest.FailWrite, Handle: h.getBooking,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound},
		},
	}
}

func (h handlers) book(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[bookingRequest](w, r)
	if err != nil {
		return err
	}
	b, err := h.market.Book(r.Context(), actor(r), market.BookingRequest{
		ProductID: in.ProductID, ProductName: in.ProductName, BrandID: in.BrandID, Brand: in.Brand,
		UserName: in.UserName, Email: in.Email, Price: in.Price, Version: in.Version,
		Phone: in.Phone, Location: in.Location, Network: h.network(r), Wrong: wrong,
	})
	if err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, Inserted{Acknowledged: true, InsertedID: b.ID})
	return nil
}

func (h handlers) cancelBooking(w http.ResponseWriter, r *http.Request) error {
	n, err := h.market.CancelBooking(r.Context(), actor(r), rest.PathValue(r, "id"))
	return deleted(w, n, err)
}

func (h handlers) chooseDelivery(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[deliveryRequest](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.ChooseDelivery(r.Context(), actor(r), rest.PathValue(r, "id"), market.DeliveryRequest{
		Delivery: market.Delivery(in.Delivery), Address: in.Address, Remember: in.Remember, Wrong: wrong,
	})
	return modified(w, n, err)
}

func (h handlers) listBookings(w http.ResponseWriter, r *http.Request) error {
	who, email := actor(r), rest.EmailValue(r, "email")
	side, view := market.OrderSide(cmp.Or(rest.QueryValue(r, "side"), string(market.SideBuyer))), market.Booking.View
	if side == market.SideSeller {
		view = market.Booking.ViewForSeller
	}
	list := listing[market.Booking]{
		read: func(ctx context.Context, page market.Page) (market.List[market.Booking], error) {
			return h.market.Bookings(ctx, who, email, side, page)
		},
		encode: viewed(view), id: func(b market.Booking) string { return b.ID },
	}
	if isOwn(who, email) {
		list.topic = topicMe(who.User.UID)
	}
	return list.serve(h, w, r)
}

// getBooking sends one order with the live position of the reader's topic. An admin gets
// order.changed events.
func (h handlers) getBooking(w http.ResponseWriter, r *http.Request) error {
	who := actor(r)
	topic := topicMe(who.User.UID)
	if who.User.Admin {
		topic = topicAdmin(r)
	}
	return readLive(h, w, r, topic, func(ctx context.Context) (market.BookingView, error) {
		v, err := h.market.BookingView(ctx, who, rest.PathValue(r, "id"))
		if v.Address != nil {
			w.Header().Set("Cache-Control", "private, no-store")
		}
		return v, err
	})
}
