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
	// intentLasts is how long after its last change an intent is kept. It is longer than
	// any hold.
	intentLasts = 180 * 24 * time.Hour
	// opLength is the length of an op, which an intent's id and those of its
	// parts begin with.
	opLength = 26
)

// Statuses of an intent, as Stripe names them.
const (
	needsMethod  = "requires_payment_method"
	needsConfirm = "requires_confirmation"
	needsAction  = "requires_action"
	isProcessing = "processing"
	isSucceeded  = "succeeded"
	isCanceled   = "canceled"
)

// How much of what repeats is kept in one intent's document.
const (
	maxCharges = 20 // older ones that failed are forgotten
	maxAnswers = 20
	maxEvents  = 50 // not delivered yet
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
	Later        time.Time         `json:"later,omitzero"`    // when the bank decides
	Parts        int               `json:"parts,omitempty"`   // how many parts got ids
	Events       []event           `json:"events,omitempty"`  // not delivered yet, oldest first
	Answers      []keptAnswer      `json:"answers,omitempty"` // to requests with a key, newest last

	version int64
}

// keptAnswer is what a change was answered with, kept in the same write.
type keptAnswer struct {
	Op     string `json:"op"`
	Answer answer `json:"answer"`
}

// partID makes an id for something that belongs to the intent and by which the
// intent is found: a charge, a refund, a dispute, a payment method.
func (i *intent) partID(prefix string) string {
	i.Parts++
	return prefix + strings.TrimPrefix(i.ID, "pi_") + strconv.Itoa(i.Parts)
}

// ownerOf is the intent's id in the id of a part; "" where there can be none.
func ownerOf(prefix, id string) string {
	rest, ok := strings.CutPrefix(id, prefix)
	if !ok || len(rest) <= opLength {
		return ""
	}
	return "pi_" + rest[:opLength]
}

// charge returns the newest one, or nil.
func (i *intent) charge() *charge {
	if len(i.Charges) == 0 {
		return nil
	}
	return &i.Charges[len(i.Charges)-1]
}

// addCharge adds one, and drops the oldest failed ones.
func (i *intent) addCharge(c charge) *charge {
	i.Charges = append(i.Charges, c)
	if over := len(i.Charges) - maxCharges; over > 0 {
		i.Charges = slices.Delete(i.Charges, 0, over)
	}
	return i.charge()
}

// is tells whether the intent is in one of some statuses.
func (i *intent) is(statuses ...string) bool { return slices.Contains(statuses, i.Status) }

// load reads an intent; market.ErrNotFound where there is none.
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

// record is the intent as it is to be written.
func (s *Sandbox) record(i *intent) (market.Record, error) {
	data, err := json.Marshal(i)
	return market.Record{
		Kind: intentRecord, ID: i.ID, Data: data, Version: i.version + 1,
		Due: i.due(), Expires: s.config.Clock.Now().Add(intentLasts),
	}, err
}

// save writes an intent; market.ErrConflict if it was changed since it was read.
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
// the result and the answer in one write. It repeats that after a concurrent write. A step
// that returns an error changes nothing, except for a *failure with status 402: a declined
// payment is a change as well.
func (s *Sandbox) change(ctx context.Context, c *call, id string, step func(i *intent) (object, error)) (object, error) {
	for {
		i, err := s.find(ctx, c, id)
		if err != nil {
			return nil, err
		}
		if kept, err := i.answered(c); err != nil || kept != nil {
			return kept, err
		}
		shown, err := step(i)
		var f *failure
		if err != nil && (!errors.As(err, &f) || f.Type != cardError) {
			return nil, err
		}
		if keepErr := i.keep(c, shown, err); keepErr != nil {
			return nil, keepErr
		}
		saved := s.save(ctx, i)
		if errors.Is(saved, market.ErrConflict) {
			continue
		}
		if saved != nil {
			return nil, saved
		}
		s.nudge()
		return shown, err
	}
}

// find reads the intent of a call, if the caller may have it. Who has the
// publishable key needs the client secret; with a wrong one the answer is the
// same as for an unknown id.
func (s *Sandbox) find(ctx context.Context, c *call, id string) (*intent, error) {
	i, err := s.load(ctx, id)
	if errors.Is(err, market.ErrNotFound) {
		return nil, missing("payment_intent", id, "intent")
	}
	if err != nil {
		return nil, err
	}
	secret := c.text("client_secret")
	if (c.who == publishableKey || secret != "") && !same(secret, i.secret()) {
		return nil, missing("payment_intent", id, "intent")
	}
	return i, nil
}

// secret is the client secret.
func (i *intent) secret() string { return i.ID + "_secret_" + i.Secret }

// answered returns the earlier answer to the same call.
func (i *intent) answered(c *call) (object, error) {
	for _, kept := range i.Answers {
		if kept.Op == c.op {
			return again(kept.Answer)
		}
	}
	return nil, nil
}

// again decodes a stored answer.
func again(a answer) (object, error) {
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

// keep stores the answer to a call that may be repeated.
func (i *intent) keep(c *call, shown object, err error) error {
	if c.key == "" {
		return nil
	}
	a, err := outcome(shown, err)
	if err != nil {
		return err
	}
	i.Answers = append(i.Answers, keptAnswer{c.op, a})
	if over := len(i.Answers) - maxAnswers; over > 0 {
		i.Answers = slices.Delete(i.Answers, 0, over)
	}
	return nil
}
