package stripe

import "net/http"

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
	Intent      object `json:"payment_intent,omitempty"`
	isInvalid   bool   // a parameter is invalid: the idempotency key can be used again
}

// Error implements error.
func (f *failure) Error() string { return f.Type + " " + f.Code + ": " + f.Message }

// refused returns the failure for a call that the state of an object does not allow.
func refused(code, param, message string) *failure {
	return &failure{Status: http.StatusBadRequest, Type: invalidRequest, Code: code, Param: param, Message: message}
}

// invalid returns the failure for an invalid parameter.
func invalid(code, param, message string) *failure {
	f := refused(code, param, message)
	f.isInvalid = true
	return f
}

// missing returns the failure for an object that does not exist, or that the caller may not see.
// The object is named by a parameter, or, if that is "", by the path.
func missing(param string) *failure {
	f := refused("resource_missing", param, "There is no such object.")
	if param == "" {
		f.Status = http.StatusNotFound
	}
	return f
}

// declined returns the failure for a card that is not charged.
func declined(d decline) *failure {
	return &failure{Status: http.StatusPaymentRequired, Type: cardError, Code: d.code, DeclineCode: d.reason, Message: d.message}
}
