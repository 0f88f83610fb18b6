package payment

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76/webhook"

	"secondring/market"
	"secondring/market/markettest"
)

// FuzzSignature checks that only a header with a valid signature and a single, recent time
// is accepted for an event.
func FuzzSignature(f *testing.F) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	const body, secret = `{"id":"evt_1","object":"event","type":"payment_intent.succeeded","data":{"object":{"object":"payment_intent","id":"pi_1"}}}`, "whsec_fuzz"
	signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: []byte(body), Secret: secret, Timestamp: now})
	_, digest, _ := strings.Cut(signed.Header, "v1=")
	f.Add(body, signed.Header)
	f.Add(body+" ", signed.Header)
	f.Add(body, signed.Header+fmt.Sprintf(",t=%d", now.Unix()))
	f.Add(body, "t=99999999999999999999,v1="+digest)
	f.Add(body, "t=-1,v1=")
	f.Add("", ",,,=,t=,v1")
	s := &Service{clock: markettest.NewClock(now), secrets: []string{secret}, log: slog.New(slog.DiscardHandler)}
	f.Fuzz(func(t *testing.T, sent, signature string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, WebhookPath, strings.NewReader(sent))
		r.Header["Stripe-Signature"] = []string{signature}
		event, err := s.event(httptest.NewRecorder(), r)
		if err != nil {
			if market.CodeOf(err) != market.CodeBadRequest {
				t.Errorf("the body %q with the signature %q: unexpected error %v", sent, signature, err)
			}
			return
		}
		if sent != body || !strings.Contains(strings.ToLower(signature), digest) || event.ID != "evt_1" {
			t.Errorf("the body %q with the signature %q is accepted as event %q", sent, signature, event.ID)
		}
		intentIDOf(event)
	})
}
