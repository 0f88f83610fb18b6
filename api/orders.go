package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

type (
	// fulfilmentRequest is the body of PUT /bookings/{id}/fulfilment.
	fulfilmentRequest struct {
		Action   string   `json:"action" enum:"send,handed,cancel,received,wait,problem,answer,return,returned,object,settle" doc:"send: the seller has sent the phone by a carrier. handed: the seller has handed it over; while it is returned, the buyer has handed it back. cancel: the seller cannot send it, and the buyer is refunded. received: the buyer has it. wait: the buyer gives the seller more time, once. problem: the buyer reports a problem. answer: the seller answers it, once. return: the buyer has sent it back. returned: the seller has it back. object: the seller says what is wrong with what was sent back. settle: an admin decides who gets the money, or that the phone is returned"`
		Carrier  string   `json:"carrier,omitempty" maxLength:"120" doc:"Required for send and return: name of the carrier, in letters, digits, spaces and hyphens"`
		Tracking string   `json:"tracking,omitempty" maxLength:"120" doc:"Required for send and return: the carrier's tracking number, in letters, digits, spaces and hyphens. Until the phone is received, another send corrects it, at most five times"`
		Code     string   `json:"code,omitempty" maxLength:"6" doc:"Required for handed: the six digits that the other side shows"`
		Category string   `json:"category,omitempty" enum:"not_arrived,not_as_described,damaged,locked,other" doc:"Of a problem; other if it is missing. not_arrived only after the time to send the phone"`
		Reason   string   `json:"reason,omitempty" maxLength:"1000" doc:"Required for problem, cancel and settle. Shown to the buyer and the seller"`
		Text     string   `json:"text,omitempty" maxLength:"1000" doc:"Required for answer and object. Shown to the buyer, the seller and admins"`
		Photos   []string `json:"photos,omitempty" maxItems:"6" doc:"Of problem, answer and object: up to six addresses of your own photographs from POST /orders/{id}/photos"`
		Outcome  string   `json:"outcome,omitempty" doc:"Required for settle: release (the seller gets the money), refund (the buyer gets it back) or return (the buyer sends the phone back, and gets the money back)"`
	}

	// HandoverCode is the response of POST /bookings/{id}/handover.
	HandoverCode struct {
		Code      string    `json:"code" doc:"Six digits. The other side has five attempts to enter them"`
		ExpiresAt time.Time `json:"expiresAt" doc:"UTC"`
	}

	// refundRequest is the body of POST /orders/{id}/refund.
	refundRequest struct {
		Reason string `json:"reason" maxLength:"1000" doc:"Shown to the buyer and the seller"`
	}

	// repaymentRequest is the body of PUT /orders/{id}/repayment.
	repaymentRequest struct {
		Reference string `json:"reference" maxLength:"120" doc:"Reference of the payment from the seller, such as the number of a bank transfer. The seller sees it"`
	}

	// payoutsRequest is the body of PUT /orders/payouts.
	payoutsRequest struct {
		IDs       []string `json:"ids" maxItems:"200" doc:"The _id of 1 to 200 orders of one seller"`
		Reference string   `json:"reference" maxLength:"120" doc:"Reference of the payment to the seller, such as the number of a bank transfer"`
	}

	// payoutRequest is the body of PUT /orders/{id}/payout.
	payoutRequest struct {
		Reference string `json:"reference" maxLength:"120" doc:"Reference of the payment to the seller, such as the number of a bank transfer"`
	}
)

func (h handlers) orders() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPut, Path: "/bookings/{id}/fulfilment", ID: "fulfilOrder", Tag: "orders",
			Summary: "Take the next step of a paid order: send, handed, cancel, answer, returned or object (its seller), received, wait, problem, return or handed (its buyer), settle (admins, no moderators)",
			Access:  rest.Bearer, Body: fulfilmentRequest{}, Response: Modified{}, Fail: rest.FailWrite, Handle: h.fulfilOrder,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPost, Path: "/bookings/{id}/handover", ID: "openHandover", Tag: "orders",
			Summary: "Create the code that you show to the other side when you meet: the buyer, or the seller while the phone is returned. It replaces an earlier code", Access: rest.Bearer,
			Response: HandoverCode{}, Fail: rest.FailWrite, Handle: h.openHandover,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodGet, Path: "/orders", ID: "listOrders", Tag: "orders",
			Summary: "List all bookings, with both sides, newest first (admins only, no moderators)", Access: rest.Bearer, IsList: true,
			Query: []rest.Param{
				{Name: "status", Description: "Status of the booking: held, paid, expired, cancelled or refunded"},
				{Name: "state", Description: "State of the fulfilment: waiting, sent, received, problem, returning, sentBack or settled"},
				{Name: "payout", Description: "State of the payout to the seller: due, paidOut, debt or repaid"},
				{Name: "tab", Description: "problem (an admin must decide who gets the money), payout (money is released to the seller and not paid out), dispute (the buyer disputes the payment at their bank, which waits for an answer) or late (somebody was reminded and has not acted: " +
					"the seller has not sent the phone when half of the time is over, the buyer has not confirmed the receipt when the time in transit is over, or no admin has decided in 7 days). " +
					"An order whose payment is disputed at the bank is not late"},
				{Name: "q", Description: "An order's _id, its transactionId, an email address of its buyer or seller, each exactly, or the beginning of one or more successive words of the buyer's or seller's name, in any case. " +
					"Of a name the first 6 words are compared, to 30 characters"},
				{Name: "seller", Description: "Email address or uid of the seller"},
				{Name: "buyer", Description: "Email address or uid of the buyer"},
			},
			Response: []market.BookingView{}, Handle: h.listOrders,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusUnprocessableEntity},
		},
		{
			Method: http.MethodPost, Path: "/orders/{id}/refund", ID: "refundOrder", Tag: "orders",
			Summary: "Refund a paid order in full (admins only, no moderators). The phone is not offered again", Access: rest.Bearer,
			Body: refundRequest{}, Response: Modified{}, Handle: h.refundOrder,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPost, Path: "/orders/{id}/dispute", ID: "answerDispute", Tag: "orders",
			Summary: "Answer the dispute of a payment at the buyer's bank, once, before dispute.answerBy (admins only). The card provider gets what is known of the order: " +
				"the delivery or the handover, the problem and its answer, the messages of both sides about the phone, and their photographs",
			Access: rest.Bearer, Response: Modified{}, Handle: h.answerDispute,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPut, Path: "/orders/{id}/payout", ID: "payOutOrder", Tag: "orders",
			Summary: "Mark an order as paid out to its seller (admins only, no moderators; with the setting PAYOUTS=manual)", Access: rest.Bearer,
			Body: payoutRequest{}, Response: Modified{}, Handle: h.payOutOrder,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPut, Path: "/orders/payouts", ID: "payOutOrders", Tag: "orders",
			Summary: "Mark several orders of one seller as paid out with one reference (admins only, no moderators; with the setting PAYOUTS=manual). If one of them cannot be paid out, none is marked. " +
				"modifiedCount is the number of orders that have the reference now, so a repeated call has the same response",
			Access: rest.Bearer, Body: payoutsRequest{}, Response: Modified{}, Handle: h.payOutOrders,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPut, Path: "/orders/{id}/repayment", ID: "recordRepayment", Tag: "orders",
			Summary: "Record that the seller of a refunded order has paid back what they were paid for it (admins only, no moderators)", Access: rest.Bearer,
			Body: repaymentRequest{}, Response: Modified{}, Handle: h.recordRepayment,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
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
		Category: in.Category, Text: in.Text, Photos: in.Photos, Wrong: wrong,
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
		Tab: rest.QueryValue(r, "tab"), Text: rest.QueryValue(r, "q"),
		Seller: rest.EmailValue(r, "seller"), Buyer: rest.EmailValue(r, "buyer"),
	}
	if strings.Contains(q.Text, "@") {
		q.Text = rest.EmailValue(r, "q")
	}
	return listing[market.Order]{
		topic: topicAdmin(r),
		read: func(ctx context.Context, page market.Page) (market.List[market.Order], error) {
			return h.market.Orders(ctx, who, q, page)
		},
		encode: viewed(h.market.OrderView), id: func(o market.Order) string { return o.ID },
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

func (h handlers) answerDispute(w http.ResponseWriter, r *http.Request) error {
	n, err := h.market.AnswerDispute(r.Context(), actor(r), rest.PathValue(r, "id"))
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

func (h handlers) payOutOrders(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[payoutsRequest](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.PayOutOrders(r.Context(), actor(r), in.IDs, in.Reference, wrong)
	return modified(w, n, err)
}

func (h handlers) recordRepayment(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[repaymentRequest](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.RecordRepayment(r.Context(), actor(r), rest.PathValue(r, "id"), in.Reference, wrong)
	return modified(w, n, err)
}
