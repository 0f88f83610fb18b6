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
	keyRecord = "stripe.key"
	keyLasts  = 24 * time.Hour
	maxKey    = 255 // characters of an Idempotency-Key
)

// keyed is the stored state of an Idempotency-Key. It is written before the work begins,
// so that the key stays bound to its parameters and its op after a crash.
type keyed struct {
	Params  string  `json:"params"` // a hash of all that was asked
	Op      string  `json:"op"`
	Request string  `json:"request"`          // the id of the first request
	Answer  *answer `json:"answer,omitempty"` // nil until the work is done
}

// once runs the work of a request with an Idempotency-Key, or returns the
// answer of an earlier one, and then the id of that request too.
//
// There is no lock, because a killed process would leave it behind. Two concurrent
// runs, here or on two nodes, have the same op, and each step is one compare-and-set
// that detects whether its op was applied already. A second request while the first
// is running is refused if both are in the same process.
func (s *Sandbox) once(
	ctx context.Context, r *http.Request, c *call, run func(context.Context) (answer, error),
) (a answer, original string, err error) {
	id, asked := s.keyID(c), s.fingerprint(r)
	record, k, err := s.begin(ctx, id, keyed{Params: asked, Op: rand.Text(), Request: c.request})
	switch {
	case err != nil:
		return answer{}, "", err
	case k.Params != asked:
		return answer{}, "", &failure{
			Status: http.StatusBadRequest, Type: idempotency,
			Message: "This idempotency key was first used with other parameters. Use another key for another request.",
		}
	case k.Answer != nil: // a repeated request gets the stored answer
		return *k.Answer, k.Request, nil
	}
	if _, busy := s.running.LoadOrStore(id, true); busy {
		return answer{}, "", &failure{
			Status: http.StatusConflict, Type: idempotency, Code: "idempotency_key_in_use",
			Message: "A request with this idempotency key is still under way.",
		}
	}
	defer s.running.Delete(id)
	c.op = k.Op
	a, err = run(ctx)
	if err != nil {
		return answer{}, "", err
	}
	return s.finish(ctx, record, k, a)
}

// begin writes the key, or returns what is there of it.
func (s *Sandbox) begin(ctx context.Context, id string, k keyed) (market.Record, keyed, error) {
	now := s.config.Clock.Now()
	record := market.Record{Kind: keyRecord, ID: id, Version: 1, Expires: now.Add(keyLasts)}
	for {
		data, err := json.Marshal(k)
		if err != nil {
			return market.Record{}, keyed{}, err
		}
		record.Data = data
		if record.Version == 1 {
			err = s.config.Records.AddRecord(ctx, record, nil)
		} else { // an expired one that is not deleted yet
			err = s.config.Records.SaveRecord(ctx, record)
		}
		if err == nil || !clash(err) {
			return record, k, err
		}
		there, err := s.config.Records.Record(ctx, keyRecord, id)
		switch {
		case errors.Is(err, market.ErrNotFound):
			record.Version = 1
		case err != nil:
			return market.Record{}, keyed{}, err
		case there.Expires.After(now):
			var old keyed
			err := json.Unmarshal(there.Data, &old)
			return there, old, err
		default:
			record.Version = there.Version + 1
		}
	}
}

// clash tells whether the error means that another process wrote first.
func clash(err error) bool {
	return errors.Is(err, market.ErrExists) || errors.Is(err, market.ErrConflict) || errors.Is(err, market.ErrNotFound)
}

// finish keeps the answer. Where another run of the same op was faster, its
// answer is the answer.
func (s *Sandbox) finish(ctx context.Context, record market.Record, k keyed, a answer) (answer, string, error) {
	k.Answer = &a
	data, err := json.Marshal(k)
	if err != nil {
		return answer{}, "", err
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
		return answer{}, "", err
	}
	if err := json.Unmarshal(record.Data, &k); err != nil {
		return answer{}, "", err
	}
	if k.Answer == nil {
		return a, "", nil
	}
	return *k.Answer, k.Request, nil
}

// keyID returns the ID under which a key is stored. Keys of browsers are kept apart by
// the client secret, so that no browser gets another's answer.
func (s *Sandbox) keyID(c *call) string {
	whose := "secret key"
	if c.who == publishableKey {
		whose = "publishable key, " + c.text("client_secret")
	}
	return hex.EncodeToString(mac([]byte(s.config.SecretKey), "idempotency: "+whose+": "+c.key))
}

// fingerprint is a hash of what is asked: the call and its parameters, in any
// order. It is one with a key, since a card's number may be in there, of which
// there are few enough to try them all.
func (s *Sandbox) fingerprint(r *http.Request) string {
	return hex.EncodeToString(mac([]byte(s.config.SecretKey), "asked: "+r.Method+" "+r.URL.Path+"?"+r.PostForm.Encode()))
}
