package api

import (
	"context"
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// waitRequest is the body of PUT /products/{id}/waitlist: the data for the booking when it
// is the buyer's turn.
type waitRequest struct {
	Phone    string `json:"phone" minLength:"6" maxLength:"20" doc:"Digits, spaces and + ( ) - . with at least 6 digits"`
	Location string `json:"location,omitempty" maxLength:"120"`
}

// Waiting is the response to a buyer who has joined a waitlist.
type Waiting struct {
	Inserted

	Position int `json:"position" doc:"Place on the waitlist; 1 is next"`
}

func (h handlers) waitlist() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPut, Path: "/products/{id}/waitlist", ID: "joinWaitlist", Tag: "bookings",
			Summary: "Join the waitlist of a phone that another buyer holds (not for admins). A repeated call changes nothing", Access: rest.Bearer,
			Body: waitRequest{}, Response: Waiting{}, Handle: h.joinWaitlist,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodDelete, Path: "/products/{id}/waitlist", ID: "leaveWaitlist", Tag: "bookings",
			Summary: "Leave the waitlist of a phone", Access: rest.Bearer,
			Response: Deleted{}, Handle: h.leaveWaitlist,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound},
		},
		{
			Method: http.MethodGet, Path: "/waitlist", ID: "listWaitlist", Tag: "bookings",
			Summary: "List the phones whose waitlists you are on", Access: rest.Bearer, IsList: true, Query: []rest.Param{ownEmail},
			Response:      []market.WaitlistEntryView{},
			ErrorStatuses: []int{http.StatusForbidden, http.StatusUnprocessableEntity}, Handle: h.listWaitlist,
		},
	}
}

func (h handlers) joinWaitlist(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[waitRequest](w, r)
	if err != nil {
		return err
	}
	id := rest.PathValue(r, "id")
	if err := h.mayChange(w, r, id); err != nil {
		return err
	}
	entry, err := h.market.JoinWaitlist(r.Context(), actor(r), market.WaitlistRequest{
		ProductID: id, Phone: in.Phone, Location: in.Location, Network: h.network(r), Wrong: wrong,
	})
	if err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, Waiting{Inserted{Acknowledged: true, InsertedID: entry.ID}, entry.Position})
	return nil
}

func (h handlers) leaveWaitlist(w http.ResponseWriter, r *http.Request) error {
	id := rest.PathValue(r, "id")
	if err := h.mayChange(w, r, id); err != nil {
		return err
	}
	n, err := h.market.LeaveWaitlist(r.Context(), actor(r), id)
	return deleted(w, n, err)
}

func (h handlers) listWaitlist(w http.ResponseWriter, r *http.Request) error {
	who, email := actor(r), rest.EmailValue(r, "email")
	return listing[market.WaitlistEntry]{
		topic: topicMe(who.User.UID),
		read: func(ctx context.Context, page market.Page) (market.List[market.WaitlistEntry], error) {
			return h.market.Waitlist(ctx, who, email, page)
		},
		encode: viewed(market.WaitlistEntry.View), id: func(e market.WaitlistEntry) string { return e.ID },
	}.serve(h, w, r)
}
