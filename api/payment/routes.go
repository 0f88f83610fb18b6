package payment

import (
	"net/http"
	"strings"

	"secondring/api/rest"
	"secondring/market"
)

const tag = "payments"

// paymentOrder is the body of POST /create-payment-intent.
type paymentOrder struct {
	Price     *int   `json:"price" doc:"Price of the booking, in whole US dollars. A text such as $1,250 or 1250.00 is also accepted" number:"price"`
	BookingID string `json:"bookingId,omitempty" doc:"The _id of the booking. If absent, it is your only unpaid booking with this price; if there are several, the one whose payment page made the call, by its Referer"`
}

// ClientSecret is a secret with which the buyer's browser can confirm one payment, and
// nothing else.
type ClientSecret struct {
	ClientSecret string `json:"clientSecret" doc:"Client secret of the payment intent, with which Stripe.js confirms the payment"`
}

// paymentRequest is the body of POST /payments.
type paymentRequest struct {
	Price         *int   `json:"price" doc:"Price of the booking, in whole US dollars. A text such as $1,250 or 1250.00 is also accepted" number:"price"`
	TransactionID string `json:"transactionId" doc:"ID of the payment intent at Stripe"`
	Email         string `json:"email" doc:"Your email address"`
	BookingID     string `json:"bookingId" doc:"The _id of the booking"`
}

// Paid is the response of a payment that was recorded.
type Paid struct {
	Acknowledged bool   `json:"acknowledged"`
	InsertedID   string `json:"insertedId" doc:"The _id of the payment. A repeated call returns the same one"`
}

// Routes returns the routes of payments.
func (s *Service) Routes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/create-payment-intent", ID: "createPaymentIntent", Tag: tag,
			Summary: "Start or continue the payment of your booking (buyers only)", Access: rest.Bearer,
			Body: paymentOrder{}, Response: ClientSecret{}, Handle: s.open, CallsProvider: rest.AllCalls,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPost, Path: "/payments", ID: "recordPayment", Tag: tag,
			Summary: "Record a payment after it has succeeded at Stripe (buyers only). Status 402 if it has not succeeded",
			Access:  rest.Bearer, Body: paymentRequest{}, Response: Paid{}, Handle: s.record, CallsProvider: rest.AllCalls,
			ErrorStatuses: []int{
				http.StatusPaymentRequired, http.StatusForbidden, http.StatusNotFound, http.StatusConflict,
			},
		},
		{
			Method: http.MethodPost, Path: WebhookPath, ID: "stripeWebhook", Tag: tag,
			Summary: "Receive an event from Stripe (webhook). Stripe signs it in the header Stripe-Signature", Access: rest.Anyone,
			Response: Received{}, Handle: s.handleWebhook,
			ErrorStatuses: []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge},
		},
	}
}

func (s *Service) open(w http.ResponseWriter, r *http.Request) error {
	who, _ := rest.Actor(r.Context())
	in, wrong, err := rest.Decode[paymentOrder](w, r)
	if err != nil {
		return err
	}
	secret, err := s.market.OpenPayment(r.Context(), who, market.OpenPaymentRequest{
		BookingID: in.BookingID, OnPage: orderOfPage(r), Price: in.Price, Wrong: wrong,
	})
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	rest.JSON(w, http.StatusOK, ClientSecret{ClientSecret: secret})
	return nil
}

// orderOfPage returns the _id of the order whose payment page made the call; "" if it was another page.
func orderOfPage(r *http.Request) string {
	id, isPayment := strings.CutPrefix(rest.Page(r.Context()), "/dashboard/payment/")
	if !isPayment {
		return ""
	}
	return strings.TrimSuffix(id, "/")
}

func (s *Service) record(w http.ResponseWriter, r *http.Request) error {
	who, _ := rest.Actor(r.Context())
	in, wrong, err := rest.Decode[paymentRequest](w, r)
	if err != nil {
		return err
	}
	p, err := s.market.Pay(r.Context(), who, market.PaymentRequest{
		BookingID: in.BookingID, Transaction: in.TransactionID, Email: in.Email, Price: in.Price, Wrong: wrong,
	})
	if err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, Paid{Acknowledged: true, InsertedID: p.ID})
	return nil
}
