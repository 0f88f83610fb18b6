package api

import (
	"context"
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// bookingRequest is the body of PUT /bookings. The fields other than productID, phone and
// location are optional and must agree with the store.
type bookingRequest struct {
	ProductID   string `json:"productID" doc:"The phone's _id"`
	ProductName string `json:"productName,omitempty"`
	BrandID     string `json:"id,omitempty" doc:"The brand's _id"`
	Brand       string `json:"brand,omitempty"`
	Img         string `json:"img,omitempty"`
	UserName    string `json:"userName,omitempty" doc:"The caller's name"`
	Email       string `json:"email,omitempty" doc:"The caller's"`
	Price       *int   `json:"price,omitempty" doc:"Whole US dollars; digits in a string are taken too" digits:"true"`
	Version     *int   `json:"version,omitempty" doc:"Of the phone that the buyer saw: 409 with code conflict where it has another price, name, storage, condition or description by now"`
	Phone       string `json:"phone" minLength:"6" maxLength:"20" doc:"Digits, blanks and + ( ) - . only; 6 digits at least"`
	Location    string `json:"location,omitempty" maxLength:"120"`
}

func (h handlers) bookings() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPut, Path: "/bookings", ID: "book", Tag: "bookings",
			Summary: "Book a phone, as a buyer: for exactly one of all who ask", Access: rest.Bearer,
			Body: bookingRequest{}, Response: Inserted{}, Handle: h.book,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodDelete, Path: "/bookings/{id}", ID: "cancelBooking", Tag: "bookings",
			Summary: "Cancel one's own booking while it is unpaid", Access: rest.Bearer,
			Response: Deleted{}, Handle: h.cancelBooking,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodGet, Path: "/bookings", ID: "listBookings", Tag: "bookings",
			Summary: "A buyer's orders", Access: rest.Bearer, IsList: true, Query: []rest.Param{byEmail},
			Response:      []market.BookingView{},
			ErrorStatuses: []int{http.StatusForbidden, http.StatusUnprocessableEntity}, Handle: h.listBookings,
		},
		{
			Method: http.MethodGet, Path: "/booking/{id}", ID: "getBooking", Tag: "bookings",
			Summary: "One order, with the Live-Position of its reader: for its buyer, for its seller once it is paid, and for admins", Access: rest.Bearer,
			Response: market.BookingView{}, Handle: h.getBooking,
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

func (h handlers) listBookings(w http.ResponseWriter, r *http.Request) error {
	who, email := actor(r), rest.QueryValue(r, "email")
	list := listing[market.Booking]{
		read: func(ctx context.Context, page market.Page) (market.List[market.Booking], error) {
			return h.market.Bookings(ctx, who, email, page)
		},
		encode: viewed(market.Booking.View), id: func(b market.Booking) string { return b.ID },
	}
	if isOwn(who, email) {
		list.topic = topicMe(who.User.UID)
	}
	return list.serve(h, w, r)
}

// getBooking sends one order with the live position of the reader's topic. An admin gets
// order.changed events, which exist for paid orders.
func (h handlers) getBooking(w http.ResponseWriter, r *http.Request) error {
	who := actor(r)
	topic := topicMe(who.User.UID)
	if who.User.Admin {
		topic = topicNamed(market.TopicAdmin)
	}
	return readLive(h, w, r, topic, func(ctx context.Context) (market.BookingView, error) {
		b, err := h.market.Booking(ctx, who, rest.PathValue(r, "id"))
		if who.User.Admin {
			return b.ViewForAdmin(), err
		}
		return b.View(), err
	})
}
