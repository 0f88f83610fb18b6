package emails

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"secondring/market"
)

// Lane is a part of the outbox with senders of its own, so that its emails do not wait for
// those of another. The records of its emails have a kind of their own.
//
// A record is a job (market.JobKind). An email that was sent, or given up, is not due any more. Its
// record is kept for some time without the email's content: the event that stored it may
// be read again, and must not store it again.
type Lane int

// The lanes.
const (
	Security Lane = iota // emails that people need to enter or to keep their account; the default
	Welcome              // emails after a sign-up
	Ordinary             // all others, and those that one network causes too many of
)

var lanes = []Lane{Security, Welcome, Ordinary}

// recordKind returns the kind of the records of the lane's emails.
func (l Lane) recordKind() string { return [...]string{"email.security", "email.welcome", "email"}[l] }

// recordRetention is how long a record is kept after the last request of its email. It is
// longer than giveUpAfter.
const recordRetention = 48 * time.Hour

// Email is an email to be sent.
type Email struct {
	Template string            `json:"template"`        // the name of its text
	To       string            `json:"to"`              // an email address
	UID      string            `json:"uid,omitempty"`   // of the account that it is about; "" where only the address is known
	Facts    map[string]string `json:"facts,omitempty"` // data for the text, by the template's names
	At       time.Time         `json:"at"`              // when it was requested, UTC
	Lane     Lane              `json:"-"`
	// Subjects are the IDs of what the email is about, for an email of Once. They are kept
	// after it was sent.
	Subjects []string `json:"subjects,omitempty"`
}

// entry is the content of an email's record.
type entry struct {
	Email

	Asked []time.Time `json:"asked,omitempty"` // the times of requests within the window of a Limit; see Request
}

// Queue is the outbox. A nil Queue stores no emails, for a market that sends none.
type Queue struct {
	records market.DocumentStore
	clock   market.Clock
}

// NewQueue returns the outbox in a store.
func NewQueue(records market.DocumentStore, clock market.Clock) *Queue {
	return &Queue{records: records, clock: clock}
}

// Records returns the record that stores an email with a write; none if no emails are sent.
func (q *Queue) Records(email Email) []market.Effect {
	if q == nil {
		return nil
	}
	now := q.clock.Now()
	return []market.Effect{newRecord(market.NewID(now), entry{Email: email}, now)}
}

// newRecord returns the record of an email that is requested now.
func newRecord(id string, e entry, now time.Time) market.Record {
	e.At = now
	return market.Record{Kind: e.Lane.recordKind(), ID: id, Data: encode(e), Due: now, Expires: now.Add(recordRetention), Version: 1}
}

// Once stores an email under an ID, unless there was one with that ID within recordRetention. It
// returns the Subjects of the email with that ID.
func (q *Queue) Once(ctx context.Context, id string, email Email) ([]string, error) {
	err := q.records.AddRecord(ctx, newRecord(id, entry{Email: email}, q.clock.Now()), nil)
	if err == nil {
		return email.Subjects, nil
	}
	if !errors.Is(err, market.ErrExists) {
		return nil, err
	}
	r, err := q.records.Record(ctx, email.Lane.recordKind(), id)
	if err != nil {
		return nil, err
	}
	e, err := decode(r)
	return e.Subjects, err
}

// Limit is how many emails of one template one address gets within a time. The zero Limit is
// none.
type Limit struct {
	Most   int
	Within time.Duration
}

// Request requests an email that people can request repeatedly. All requests of a template
// and an address in a lane share one record, so they take the same time and space whether an
// email is sent or not. A request above the limit sends nothing and returns no error.
func (q *Queue) Request(ctx context.Context, email Email, limit Limit) error {
	if q == nil {
		return nil
	}
	id := requestID(email)
	for {
		err := q.request(ctx, id, email, limit)
		if !market.IsTaken(err) {
			return err
		}
	}
}

func requestID(email Email) string {
	sum := sha256.Sum256([]byte(market.NormalEmail(email.To)))
	return email.Template + ":" + hex.EncodeToString(sum[:])
}

// request adds or changes the record once. It returns the store's error if a concurrent
// request was faster.
func (q *Queue) request(ctx context.Context, id string, email Email, limit Limit) error {
	now := q.clock.Now()
	email.At = now
	r, err := q.records.Record(ctx, email.Lane.recordKind(), id)
	if errors.Is(err, market.ErrNotFound) {
		return q.records.AddRecord(ctx, newRecord(id, entry{Email: email, Asked: []time.Time{now}}, now), nil)
	}
	if err != nil {
		return err
	}
	e, err := decode(r)
	if err != nil {
		return err
	}
	e.Asked = slices.DeleteFunc(e.Asked, func(t time.Time) bool { return now.Sub(t) >= limit.Within })
	if len(e.Asked) < limit.Most || limit == (Limit{}) {
		e.Email, e.Asked = email, append(e.Asked, now)
		r.Due, r.Tries = now, 0
	}
	r.Data, r.Expires = encode(e), now.Add(recordRetention)
	r.Version++
	return q.records.SaveRecord(ctx, r)
}

// Waiting is the number of pending emails and the time of the oldest.
type Waiting struct {
	Emails int
	Oldest time.Time // zero if there are none
}

// Waiting counts the emails that are not sent yet, up to limit.
func (q *Queue) Waiting(ctx context.Context, limit int) (w Waiting, err error) {
	for _, lane := range lanes {
		if w.Emails >= limit {
			break
		}
		due, err := q.records.RecordsDue(ctx, lane.recordKind(), q.clock.Now().Add(giveUpAfter), limit-w.Emails)
		if err != nil {
			return Waiting{}, err
		}
		w.Emails += len(due)
		for _, r := range due {
			e, err := decode(r)
			if err != nil {
				return Waiting{}, err
			}
			if w.Oldest.IsZero() || e.At.Before(w.Oldest) {
				w.Oldest = e.At
			}
		}
	}
	return w, nil
}

func encode(e entry) []byte {
	data, err := json.Marshal(e)
	if err != nil { // never happens for texts and times
		panic(fmt.Sprintf("emails: %v", err))
	}
	return data
}

func decode(r market.Record) (e entry, err error) {
	if err = json.Unmarshal(r.Data, &e); err != nil {
		err = fmt.Errorf("emails: the record %s cannot be read: %w", r.ID, err)
	}
	return e, err
}
