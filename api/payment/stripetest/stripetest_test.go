package stripetest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/api/payment/stripetest"
)

// A mock that accepts everything would be useless.
func TestMockRejectsInvalidRequests(t *testing.T) {
	mock, err := stripetest.Start()
	if err != nil {
		t.Fatal(err)
	}
	for call, isValid := range map[string]bool{
		"POST /v1/payment_intents amount=12000&currency=usd":                               true,
		"POST /v1/payment_intents amount=12000&currency=usd&metadata[booking]=b":           true,
		"POST /v1/payment_intents currency=usd":                                            false,
		"POST /v1/payment_intents amount=much&currency=usd":                                false,
		"POST /v1/payment_intents amount=12000&currency=usd&buyer=b":                       false,
		"POST /v1/payment_intents amount=12000&currency=usd&payment_method_types=card":     false,
		"GET /v1/payment_intents/pi_1?expand[]=latest_charge ":                             true,
		"GET /v1/payment_intents/pi_1?unheard=1 ":                                          false,
		"POST /v1/payment_intents/pi_1/cancel cancellation_reason=abandoned":               true,
		"POST /v1/payment_intents/pi_1/cancel cancellation_reason=bored":                   false,
		"POST /v1/refunds payment_intent=pi_1&reason=requested_by_customer":                true,
		"POST /v1/refunds payment_intent=pi_1&reason=changed_my_mind":                      false,
		"POST /v1/payment_intents/pi_1/regret ":                                            false,
		"POST /mounted/v1/payment_intents/pi_1/cancel cancellation_reason=abandoned":       true,
		"POST /mounted/mounted/v1/payment_intents/pi_1/cancel cancellation_reason=nothing": false,
	} {
		method, rest, _ := strings.Cut(call, " ")
		path, body, _ := strings.Cut(rest, " ")
		r, err := http.NewRequestWithContext(t.Context(), method, "http://stripe.example"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer sk_test_123")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if err := mock.Validate(r, "/mounted"); (err == nil) != isValid {
			t.Errorf("%s: %v, want valid: %v", call, err, isValid)
		}
	}
}
