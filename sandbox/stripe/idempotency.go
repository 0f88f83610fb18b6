package stripe

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"secondring/market"
)

const (
	keyRecord   = "stripe.key"
	keyLifetime = 24 * time.Hour
)

// keyState is the stored state of an Idempotency-Key. It is written before the work begins,
// so that the key stays bound to its parameters and its op after a crash.
type keyState struct {
	Params   string    `json:"params"` // a hash of the call and its parameters
	Op       string    `json:"op"`
	Response *response `json:"answer,omitempty"` // nil until the work is done
}

// once does the work of a request with an Idempotency-Key, or returns the stored response of an
// earlier request with that key.
//
// There is no lock, because a killed process would leave it behind. Concurrent requests have the
// same op, and each step is one compare-and-set that detects whether its op was applied already.
// Stripe refuses the second one with 409.
func (s *Sandbox) once(r *http.Request, key string, c *call, do operation) (response, error) {
	ctx := r.Context()
	// The hash is an HMAC, because the parameters may contain the number of a card.
	params := mac([]byte(s.config.SecretKey), "asked: "+r.Method+" "+r.URL.Path+"?"+r.PostForm.Encode())
	id := mac([]byte(s.config.SecretKey), "idempotency: secret key: "+key)
	record, k, err := s.claimKey(ctx, id, keyState{Params: params, Op: c.op})
	switch {
	case err != nil:
		return response{}, err
	case k.Params != params:
		return failed(&failure{
			Status: http.StatusBadRequest, Type: idempotency,
			Message: "This idempotency key was first used with other parameters. Use another key for another request.",
		}), nil
	case k.Response != nil:
		k.Response.isRepeated = true
		return *k.Response, nil
	}
	c.op = k.Op
	result, err := do(ctx, c)
	a, internal := responseOf(result, err)
	if internal != nil {
		return response{}, internal
	}
	if isInvalid(err) { // Stripe does not store the failure of a request that it did not begin
		return a, s.config.Records.RemoveRecords(ctx, keyRecord, []string{id})
	}
	k.Response = &a
	if record.Data, err = json.Marshal(k); err != nil {
		return response{}, err
	}
	record.Version++
	if err = s.write(ctx, record); errors.Is(err, market.ErrConflict) { // a concurrent request has stored its response
		err = nil
	}
	return a, err
}

func isInvalid(err error) bool {
	var f *failure
	return errors.As(err, &f) && f.isInvalid
}

// claimKey stores the key's state, or returns the existing one.
func (s *Sandbox) claimKey(ctx context.Context, id string, k keyState) (market.Record, keyState, error) {
	data, err := json.Marshal(k)
	if err != nil {
		return market.Record{}, k, err
	}
	for {
		record, err := s.config.Records.Record(ctx, keyRecord, id)
		if err != nil && !errors.Is(err, market.ErrNotFound) {
			return record, k, err
		}
		if err == nil && record.Expires.After(s.now()) {
			var existing keyState
			err = json.Unmarshal(record.Data, &existing)
			return record, existing, err
		}
		record = market.Record{Kind: keyRecord, ID: id, Data: data, Version: record.Version + 1, Expires: s.now().Add(keyLifetime)}
		if err = s.write(ctx, record); !market.IsTaken(err) {
			return record, k, err
		}
	}
}
