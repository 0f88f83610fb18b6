package api

import (
	"context"
	"net/http"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

type (
	// fulfilmentRequest is the body of PUT /bookings/{id}/fulfilment.
	fulfilmentRequest struct {
		Action   string `json:"action" enum:"send,handed,received,problem,settle"`
		Carrier  string `json:"carrier,omitempty" maxLength:"120" doc:"Of send"`
		Tracking string `json:"tracking,omitempty" maxLength:"120" doc:"Of send: the carrier's number; until the phone is received, another number corrects it"`
		Code     string `json:"code,omitempty" maxLength:"6" doc:"Of handed: the six digits that the buyer shows"`
		Reason   string `json:"reason,omitempty" maxLength:"1000" doc:"Of problem and settle; both sides read it"`
		Outcome  string `json:"outcome,omitempty" doc:"Of settle: release or refund"`
	}

	// HandoverCode is the response of POST /bookings/{id}/handover.
	HandoverCode struct {
		Code      string    `json:"code" doc:"Six digits, for five tries"`
		ExpiresAt time.Time `json:"expiresAt" doc:"UTC"`
	}

	// refundRequest is the body of POST /orders/{id}/refund.
	refundRequest struct {
		Reason string `json:"reason" maxLength:"1000" doc:"Both sides read it"`
	}

	// OnboardingLink is the response of POST /payouts/onboarding.
	OnboardingLink struct {
		URL string `json:"url" doc:"Of Stripe's page; it works once, for some minutes"`
	}

	// payoutRequest is the body of PUT /orders/{id}/payout.
	payoutRequest struct {
		Reference string `json:"reference" maxLength:"120" doc:"Of the payment to the seller, such as the number of a bank transfer"`
	}
)

func (h handlers) orders() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPut, Path: "/bookings/{id}/fulfilment", ID: "fulfilOrder", Tag: "orders",
			Summary: "Take a paid order one step on: send or handed, as its seller; received or problem, as its buyer; settle, as an admin",
			Access:  rest.Bearer, Body: fulfilmentRequest{}, Response: Modified{}, Handle: h.fulfilOrder,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPost, Path: "/bookings/{id}/handover", ID: "openHandover", Tag: "orders",
			Summary: "The code that a buyer shows the seller when they meet; it replaces the one before", Access: rest.Bearer,
			Response: HandoverCode{}, Handle: h.openHandover,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodGet, Path: "/orders", ID: "listOrders", Tag: "orders",
			Summary: "All bookings, newest first, for admins; order.changed on admin has the paid ones", Access: rest.Bearer, IsList: true,
			Query: []rest.Param{
				{Name: "status", Description: "held, paid, expired, cancelled or refunded"},
				{Name: "state", Description: "Of the fulfilment: waiting, sent, received, problem or settled"},
				{Name: "payout", Description: "Of the seller's money: due, paidOut or debt"},
				{Name: "seller", Description: "The seller's email address or UID"},
				{Name: "buyer", Description: "The buyer's email address or UID"},
			},
			Response: []market.BookingView{}, Handle: h.listOrders,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusUnprocessableEntity},
		},
		{
			Method: http.MethodPost, Path: "/orders/{id}/refund", ID: "refundOrder", Tag: "orders",
			Summary: "Give the whole charge of a paid order back, once, as an admin; the phone stays withdrawn", Access: rest.Bearer,
			Body: refundRequest{}, Response: Modified{}, Handle: h.refundOrder,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPut, Path: "/orders/{id}/payout", ID: "payOutOrder", Tag: "orders",
			Summary: "Mark a released order as paid out to its seller, as an admin; with the setting PAYOUTS=manual", Access: rest.Bearer,
			Body: payoutRequest{}, Response: Modified{}, Handle: h.payOutOrder,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodGet, Path: "/earnings", ID: "getEarnings", Tag: "orders",
			Summary: "What the caller has earned, as a seller, with the Live-Position of me; each booking.changed about a phone that the caller sold may change it", Access: rest.Bearer,
			Response: market.EarningsView{}, ErrorStatuses: []int{http.StatusForbidden}, Handle: h.getEarnings,
		},
		{
			Method: http.MethodPost, Path: "/payouts/onboarding", ID: "openOnboarding", Tag: "orders",
			Summary: "A link to the page on which a seller sets up their payout account at Stripe; with the setting PAYOUTS=stripe",
			Access:  rest.Bearer, Response: OnboardingLink{}, Handle: h.openOnboarding,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusConflict},
		},
	}
}

func (h handlers) fulfilOrder(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[fulfilmentRequest](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.Fulfil(r.Context(), actor(r), rest.PathValue(r, "id"), market.FulfilmentRequest{
		Action: in.Action, Carrier: in.Carrier, Tracking: in.Tracking, Code: in.Code, Reason: in.Reason, Outcome: in.Outcome,
		Wrong: wrong,
	})
	return modified(w, n, err)
}

func (h handlers) openHandover(w http.ResponseWriter, r *http.Request) error {
	code, err := h.market.OpenHandover(r.Context(), actor(r), rest.PathValue(r, "id"))
	if err == nil {
		rest.JSON(w, http.StatusOK, HandoverCode{Code: code.Code, ExpiresAt: code.Expires})
	}
	return err
}

func (h handlers) listOrders(w http.ResponseWriter, r *http.Request) error {
	who, q := actor(r), market.OrderQuery{
		Status: rest.QueryValue(r, "status"), State: rest.QueryValue(r, "state"), Payout: rest.QueryValue(r, "payout"),
		Seller: rest.QueryValue(r, "seller"), Buyer: rest.QueryValue(r, "buyer"),
	}
	return listing[market.Order]{
		topic: topicNamed(market.TopicAdmin),
		read: func(ctx context.Context, page market.Page) (market.List[market.Order], error) {
			return h.market.Orders(ctx, who, q, page)
		},
		encode: viewed(market.Order.View), id: func(o market.Order) string { return o.ID },
	}.serve(h, w, r)
}

func (h handlers) refundOrder(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[refundRequest](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.RefundOrder(r.Context(), actor(r), rest.PathValue(r, "id"), in.Reason, wrong)
	return modified(w, n, err)
}

func (h handlers) payOutOrder(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[payoutRequest](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.PayOut(r.Context(), actor(r), rest.PathValue(r, "id"), in.Reference, wrong)
	return modified(w, n, err)
}

func (h handlers) openOnboarding(w http.ResponseWriter, r *http.Request) error {
	url, err := h.market.OpenOnboarding(r.Context(), actor(r))
	if err == nil {
		w.Header().Set("Cache-Control", "no-store")
		rest.JSON(w, http.StatusOK, OnboardingLink{URL: url})
	}
	return err
}

func (h handlers) getEarnings(w http.ResponseWriter, r *http.Request) error {
	who := actor(r)
	return readLive(h, w, r, topicMe(who.User.UID), func(ctx context.Context) (market.EarningsView, error) {
		earnings, err := h.market.Earnings(ctx, who)
		return earnings.View(), err
	})
}
