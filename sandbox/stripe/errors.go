package stripe

import (
	"net/http"
)

// The types of Stripe's errors.
const (
	invalidRequest = "invalid_request_error"
	cardError      = "card_error"
	idempotency    = "idempotency_error"
	apiError       = "api_error"
)

// failure is an error response. Its JSON is also the last_payment_error of an intent.
type failure struct {
	Status      int    `json:"-"` // HTTP status
	Type        string `json:"type"`
	Code        string `json:"code,omitempty"`
	DeclineCode string `json:"decline_code,omitempty"`
	Message     string `json:"message"`
	Param       string `json:"param,omitempty"`
	Charge      string `json:"charge,omitempty"`
	Method      object `json:"payment_method,omitempty"`
	Intent      object `json:"payment_intent,omitempty"`
}

// Error implements error.
func (f *failure) Error() string { return f.Type + " " + f.Code + ": " + f.Message }

// badRequest returns the failure for an invalid request.
func badRequest(code, param, message string) *failure {
	return &failure{Status: http.StatusBadRequest, Type: invalidRequest, Code: code, Param: param, Message: message}
}

// notFound returns the failure for an ID of which the caller may see no object.
func notFound(kind, id, param string) *failure {
	return &failure{
		Status: http.StatusNotFound, Type: invalidRequest, Code: "resource_missing", Param: param,
		Message: "No such " + kind + ": '" + short(id) + "'",
	}
}

// unexpectedState returns the failure for a step that the intent's state does not allow.
func unexpectedState(i *intent, who caller, message string) *failure {
	f := badRequest("payment_intent_unexpected_state", "", message)
	f.Intent = i.view(who, params{})
	return f
}

// declined returns the failure for a charge that the bank refused.
func declined(d decline) *failure {
	return &failure{
		Status: http.StatusPaymentRequired, Type: cardError,
		Code: d.code, DeclineCode: d.reason, Message: d.message, Param: d.param,
	}
}

func (s *Sandbox) unknown(w http.ResponseWriter, r *http.Request) {
	write(w, errorResponse(&failure{
		Status: http.StatusNotFound, Type: invalidRequest,
		Message: "Unrecognized request URL (" + r.Method + ": " + short(r.URL.Path) + ").",
	}))
}
