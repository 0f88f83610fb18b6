package stripe

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"secondring/market"
)

const (
	intentRecord = "stripe.intent"
	intentPrefix = "pi_" // of the IDs of intents
	// intentLifetime is how long an intent is kept after its last change. It is longer than
	// any hold.
	intentLifetime = 180 * 24 * time.Hour
	// opLength is the length of an op, which an intent's id and those of its
	// parts begin with.
	opLength = 26
)

// The statuses of Stripe's payment intents.
const (
	statusRequiresPaymentMethod = "requires_payment_method"
	statusRequiresConfirmation  = "requires_confirmation"
	statusRequiresAction        = "requires_action"
	statusProcessing            = "processing"
	statusSucceeded             = "succeeded"
	statusCanceled              = "canceled"
)

// Maximum lengths of the lists in one intent's document.
const (
	maxCharges   = 20 // older failed charges are dropped
	maxResponses = 20
	maxEvents    = 50 // that are not delivered yet
)

// intent is the document of a payment intent, with everything that belongs to it.
type intent struct {
	ID           string            `json:"id"`
	Secret       string            `json:"secret"`
	Amount       int64             `json:"amount"`
	Currency     string            `json:"currency"`
	Status       string            `json:"status"`
	Metadata     map[string]string `json:"metadata,omitempty"`
	ReceiptEmail string            `json:"receipt_email,omitempty"`
	Description  string            `json:"description,omitempty"`
	Group        string            `json:"group,omitempty"`     // transfer_group
	Automatic    bool              `json:"automatic,omitempty"` // automatic_payment_methods
	Types        []string          `json:"types"`
	Created      int64             `json:"created"`
	CanceledAt   int64             `json:"canceled_at,omitempty"`
	CancelReason string            `json:"cancel_reason,omitempty"`
	Method       *method           `json:"method,omitempty"`
	LastError    *failure          `json:"last_error,omitempty"`
	Charges      []charge          `json:"charges,omitempty"` // oldest first
	NextAt       time.Time         `json:"later,omitzero"`    // the time of the next transition without a request: the bank's decision, a dispute or a failed refund; zero for none
	Parts        int               `json:"parts,omitempty"`   // the number of part IDs that were issued
	Events       []event           `json:"events,omitempty"`  // not delivered yet, oldest first
	Responses    []storedResponse  `json:"answers,omitempty"` // to requests with an Idempotency-Key, newest last

	version int64
}

// storedResponse is the response to a change. It is stored in the same write.
type storedResponse struct {
	Op       string   `json:"op"`
	Response response `json:"answer"`
}

// partID returns a new ID for a part of the intent: a charge, a refund, a dispute or a payment
// method.
func (i *intent) partID(prefix string) string {
	i.Parts++
	return partID(prefix, i.ID, i.Parts)
}

// partID returns the ID of a part of an intent or an account. It consists of the prefix, the op
// in the owner's ID, and the number of the part.
func partID(prefix, owner string, number int) string {
	_, op, _ := strings.Cut(owner, "_")
	return prefix + op + strconv.Itoa(number)
}

// ownerID returns the ID of the intent or the account to which a part belongs; "" if the part's
// ID is invalid.
func ownerID(ownerPrefix, prefix, id string) string {
	rest, ok := strings.CutPrefix(id, prefix)
	if !ok || len(rest) <= opLength {
		return ""
	}
	return ownerPrefix + rest[:opLength]
}

// intentIDOf returns the ID of the intent to which a part belongs; "" if the part's ID is invalid.
func intentIDOf(prefix, id string) string { return ownerID(intentPrefix, prefix, id) }

// charge returns the newest charge; nil if there is none.
func (i *intent) charge() *charge {
	if len(i.Charges) == 0 {
		return nil
	}
	return &i.Charges[len(i.Charges)-1]
}

// addCharge adds a charge, drops the oldest above maxCharges, and returns the new one.
func (i *intent) addCharge(c charge) *charge {
	i.Charges = append(i.Charges, c)
	if over := len(i.Charges) - maxCharges; over > 0 {
		i.Charges = slices.Delete(i.Charges, 0, over)
	}
	return i.charge()
}

// hasStatus reports whether the intent has one of the statuses.
func (i *intent) hasStatus(statuses ...string) bool { return slices.Contains(statuses, i.Status) }

// load reads an intent. It returns market.ErrNotFound if there is none.
func (s *Sandbox) load(ctx context.Context, id string) (*intent, error) {
	record, err := s.config.Records.Record(ctx, intentRecord, id)
	if err != nil {
		return nil, err
	}
	return decodeIntent(record)
}

func decodeIntent(record market.Record) (*intent, error) {
	i := &intent{version: record.Version}
	return i, json.Unmarshal(record.Data, i)
}

// record returns the record of the intent's next version.
func (s *Sandbox) record(i *intent) (market.Record, error) {
	data, err := json.Marshal(i)
	return market.Record{
		Kind: intentRecord, ID: i.ID, Data: data, Version: i.version + 1,
		Due: i.due(), Expires: s.config.Clock.Now().Add(intentLifetime),
	}, err
}

// save stores an intent. It returns market.ErrConflict if the stored intent was changed since it
// was read.
func (s *Sandbox) save(ctx context.Context, i *intent) error {
	record, err := s.record(i)
	if err != nil {
		return err
	}
	if i.version == 0 {
		return s.config.Records.AddRecord(ctx, record, nil)
	}
	return s.config.Records.SaveRecord(ctx, record)
}

// change applies one step to a call's intent: it reads the intent, runs the step, and writes
// the result and the response in one write. It repeats that after a concurrent write. A step
// that returns an error changes nothing, except for a *failure with status 402: a declined
// payment is a change as well.
func (s *Sandbox) change(ctx context.Context, c *call, id string, step func(i *intent) (object, error)) (object, error) {
	for {
		i, err := s.find(ctx, c, id)
		if err != nil {
			return nil, err
		}
		if kept, err := i.responseTo(c); err != nil || kept != nil {
			return kept, err
		}
		result, err := step(i)
		var f *failure
		if err != nil && (!errors.As(err, &f) || f.Type != cardError) {
			return nil, err
		}
		if storeErr := i.storeResponse(c, result, err); storeErr != nil {
			return nil, storeErr
		}
		saved := s.save(ctx, i)
		if errors.Is(saved, market.ErrConflict) {
			continue
		}
		if saved != nil {
			return nil, saved
		}
		s.wakeRun()
		return result, err
	}
}

// find reads the intent of a call, if the caller may see it. A caller with the
// publishable key needs the client secret; with a wrong one the response is the
// same as for an unknown id.
func (s *Sandbox) find(ctx context.Context, c *call, id string) (*intent, error) {
	i, err := s.load(ctx, id)
	if errors.Is(err, market.ErrNotFound) {
		return nil, notFound("payment_intent", id, "intent")
	}
	if err != nil {
		return nil, err
	}
	secret := c.text("client_secret")
	if (c.who == publishableKey || secret != "") && !secureEqual(secret, i.secret()) {
		return nil, notFound("payment_intent", id, "intent")
	}
	return i, nil
}

// secret returns the client secret.
func (i *intent) secret() string { return i.ID + "_secret_" + i.Secret }

// responseTo returns the stored response to the same call; nil if there is none.
func (i *intent) responseTo(c *call) (object, error) {
	for _, kept := range i.Responses {
		if kept.Op == c.op {
			return decodeResponse(kept.Response)
		}
	}
	return nil, nil
}

// decodeResponse returns the object or the failure of a stored response.
func decodeResponse(a response) (object, error) {
	var whole struct {
		Error *failure `json:"error"`
	}
	if err := json.Unmarshal(a.Body, &whole); err != nil {
		return nil, err
	}
	if whole.Error != nil {
		whole.Error.Status = a.Status
		return nil, whole.Error
	}
	var o object
	err := json.Unmarshal(a.Body, &o)
	return o, err
}

// storeResponse adds the response to the intent, if the call has an Idempotency-Key and so may be
// repeated.
func (i *intent) storeResponse(c *call, result object, err error) error {
	if c.key == "" {
		return nil
	}
	a, err := outcome(result, err)
	if err != nil {
		return err
	}
	i.Responses = append(i.Responses, storedResponse{c.op, a})
	if over := len(i.Responses) - maxResponses; over > 0 {
		i.Responses = slices.Delete(i.Responses, 0, over)
	}
	return nil
}
