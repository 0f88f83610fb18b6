package payment

import (
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

const tag = "payments"

// paymentOrder is the body of POST /create-payment-intent.
type paymentOrder struct {
	Price     *int   `json:"price" doc:"Whole US dollars: what the booking says; digits in a string are taken too" digits:"true"`
	BookingID string `json:"bookingId,omitempty" doc:"Left out: the caller's one payable booking at that price"`
}

// ClientSecret is a secret with which the buyer's browser can confirm one payment, and
// nothing else.
type ClientSecret struct {
	ClientSecret string `json:"clientSecret" doc:"For Stripe.js, to confirm this payment with"`
}

// paymentRequest is the body of POST /payments.
type paymentRequest struct {
	Price         *int   `json:"price" doc:"Whole US dollars: what the booking says; digits in a string are taken too" digits:"true"`
	TransactionID string `json:"transactionId" doc:"The payment intent's id"`
	Email         string `json:"email" doc:"The caller's"`
	BookingID     string `json:"bookingId"`
}

// Paid is the response of a payment that was recorded.
type Paid struct {
	Acknowledged bool   `json:"acknowledged"`
	InsertedID   string `json:"insertedId" doc:"The same for the same transaction"`
}

// Routes returns the routes of payments.
func (s *Service) Routes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/create-payment-intent", ID: "createPaymentIntent", Tag: tag,
			Summary: "Begin to pay for a booking, or go on: a booking has one payment intent", Access: rest.Bearer,
			Body: paymentOrder{}, Response: ClientSecret{}, Handle: s.open,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPost, Path: "/payments", ID: "recordPayment", Tag: tag,
			Summary: "Record a payment that has succeeded at Stripe, which is asked: 402 while it has not",
			Access:  rest.Bearer, Body: paymentRequest{}, Response: Paid{}, Handle: s.record,
			ErrorStatuses: []int{
				http.StatusPaymentRequired, http.StatusForbidden, http.StatusNotFound, http.StatusConflict,
			},
		},
		{
			Method: http.MethodPost, Path: WebhookPath, ID: "stripeWebhook", Tag: tag,
			Summary: "Stripe's events, as Stripe sends and signs them (header Stripe-Signature)", Access: rest.Anyone,
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
		BookingID: in.BookingID, Price: in.Price, Wrong: wrong,
	})
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	rest.JSON(w, http.StatusOK, ClientSecret{ClientSecret: secret})
	return nil
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
