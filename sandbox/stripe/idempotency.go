package stripe

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"secondring/market"
)

const (
	keyRecord   = "stripe.key"
	keyLifetime = 24 * time.Hour
	maxKey      = 255 // characters of an Idempotency-Key
)

// keyState is the stored state of an Idempotency-Key. It is written before the work begins,
// so that the key stays bound to its parameters and its op after a crash.
type keyState struct {
	Params   string    `json:"params"` // a hash of the call and its parameters
	Op       string    `json:"op"`
	Request  string    `json:"request"`          // the ID of the first request
	Response *response `json:"answer,omitempty"` // nil until the work is done
}

// runOnce runs the work of a request with an Idempotency-Key. For a repeated request it returns the
// stored response and the ID of the first request instead.
//
// There is no lock, because a killed process would leave it behind. Two concurrent
// runs, here or on two nodes, have the same op, and each step is one compare-and-set
// that detects whether its op was applied already. A second request while the first
// is running is refused if both are in the same process.
func (s *Sandbox) runOnce(
	ctx context.Context, r *http.Request, c *call, run func(context.Context) (response, error),
) (a response, original string, err error) {
	id, hash := s.keyID(c), s.fingerprint(r)
	record, k, err := s.claimKey(ctx, id, keyState{Params: hash, Op: rand.Text(), Request: c.request})
	switch {
	case err != nil:
		return response{}, "", err
	case k.Params != hash:
		return response{}, "", &failure{
			Status: http.StatusBadRequest, Type: idempotency,
			Message: "This idempotency key was first used with other parameters. Use another key for another request.",
		}
	case k.Response != nil: // a repeated request gets the stored response
		return *k.Response, k.Request, nil
	}
	if _, busy := s.running.LoadOrStore(id, true); busy {
		return response{}, "", &failure{
			Status: http.StatusConflict, Type: idempotency, Code: "idempotency_key_in_use",
			Message: "A request with this idempotency key is still under way.",
		}
	}
	defer s.running.Delete(id)
	c.op = k.Op
	a, err = run(ctx)
	if err != nil {
		return response{}, "", err
	}
	return s.completeKey(ctx, record, k, a)
}

// claimKey stores the key's state, or returns the existing one.
func (s *Sandbox) claimKey(ctx context.Context, id string, k keyState) (market.Record, keyState, error) {
	now := s.config.Clock.Now()
	record := market.Record{Kind: keyRecord, ID: id, Version: 1, Expires: now.Add(keyLifetime)}
	for {
		data, err := json.Marshal(k)
		if err != nil {
			return market.Record{}, keyState{}, err
		}
		record.Data = data
		if record.Version == 1 {
			err = s.config.Records.AddRecord(ctx, record, nil)
		} else { // an expired one that is not deleted yet
			err = s.config.Records.SaveRecord(ctx, record)
		}
		if err == nil || !isConflict(err) {
			return record, k, err
		}
		existing, err := s.config.Records.Record(ctx, keyRecord, id)
		switch {
		case errors.Is(err, market.ErrNotFound):
			record.Version = 1
		case err != nil:
			return market.Record{}, keyState{}, err
		case existing.Expires.After(now):
			var old keyState
			err := json.Unmarshal(existing.Data, &old)
			return existing, old, err
		default:
			record.Version = existing.Version + 1
		}
	}
}

// isConflict reports whether the error means that another process wrote first.
func isConflict(err error) bool {
	return errors.Is(err, market.ErrExists) || errors.Is(err, market.ErrConflict) || errors.Is(err, market.ErrNotFound)
}

// completeKey stores the response. If another run of the same op has stored one first,
// completeKey returns that.
func (s *Sandbox) completeKey(ctx context.Context, record market.Record, k keyState, a response) (response, string, error) {
	k.Response = &a
	data, err := json.Marshal(k)
	if err != nil {
		return response{}, "", err
	}
	id := record.ID
	record.Data = data
	record.Version++
	err = s.config.Records.SaveRecord(ctx, record)
	if !errors.Is(err, market.ErrConflict) {
		return a, "", err
	}
	record, err = s.config.Records.Record(ctx, keyRecord, id)
	if err != nil {
		return response{}, "", err
	}
	if err := json.Unmarshal(record.Data, &k); err != nil {
		return response{}, "", err
	}
	if k.Response == nil {
		return a, "", nil
	}
	return *k.Response, k.Request, nil
}

// keyID returns the ID under which a key is stored. Keys of browsers are separated by
// the client secret, so that no browser gets the response to another one. Keys of calls for
// connected accounts are separated by the account.
func (s *Sandbox) keyID(c *call) string {
	owner := "secret key"
	switch {
	case c.who == publishableKey:
		owner = "publishable key, " + c.text("client_secret")
	case c.account != "":
		owner = "secret key, " + c.account
	}
	return hex.EncodeToString(mac([]byte(s.config.SecretKey), "idempotency: "+owner+": "+c.key))
}

// fingerprint returns a hash of the call and its parameters, in any
// order. It is an HMAC, because the parameters may contain a card's number, and there are
// so few of these that one could be found by trying all.
func (s *Sandbox) fingerprint(r *http.Request) string {
	return hex.EncodeToString(mac([]byte(s.config.SecretKey), "asked: "+r.Method+" "+r.URL.Path+"?"+r.PostForm.Encode()))
}
