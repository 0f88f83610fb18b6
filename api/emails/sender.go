package emails

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"secondring/market"
)

// Times of the sender.
const (
	sendTimeout = 30 * time.Second // of one whole try
	giveUpAfter = 24 * time.Hour   // from the request of an email
	concurrency = 4                // emails of one lane that one node sends at the same time
)

// ErrObsolete is the error for an email that is not needed any more: its account is
// removed, or its purpose is done.
var ErrObsolete = errors.New("emails: the email is not needed any more")

// Composer makes the text of an email when it is sent. It returns ErrObsolete for one that
// is not to be sent.
type Composer func(context.Context, Email) (Content, error)

// Transport sends one email. It returns ErrRefused if a retry cannot help.
type Transport interface {
	Send(ctx context.Context, m Message) error
}

// ErrRefused is the error if the server refuses this email permanently, for example
// because the address does not exist.
var ErrRefused = errors.New("emails: refused permanently")

// Message is an email as it is sent.
type Message struct {
	ID      string // the same for every try
	To      string
	Subject string
	Text    string
	HTML    string
	At      time.Time // when the email was requested
}

// Outcome is the result of a try to send an email.
type Outcome string

// The outcomes.
const (
	Sent     Outcome = "sent"
	Failed   Outcome = "failed"   // it is tried again later
	Refused  Outcome = "refused"  // the server refused it permanently
	GivenUp  Outcome = "given_up" // after a day of failures
	Obsolete Outcome = "obsolete"
)

// SenderConfig is the configuration of a Sender.
type SenderConfig struct {
	Queue     *Queue
	Compose   Composer
	Transport Transport
	Brand     Brand
	Note      func(Outcome) // counts outcomes; may be nil
	Log       *slog.Logger
}

// Sender sends the emails of a Queue.
type Sender struct{ SenderConfig }

// NewSender returns a sender.
func NewSender(c SenderConfig) *Sender {
	if c.Note == nil {
		c.Note = func(Outcome) {}
	}
	return &Sender{c}
}

// AddJobs adds the jobs that send emails.
func (s *Sender) AddJobs(r *market.Runner) {
	for _, lane := range lanes {
		r.AddJobs(s.Queue.records, market.JobKind{Kind: lane.recordKind(), Workers: concurrency, Keep: true, Do: s.do})
	}
}

// do tries to send an email once. The record of one that is not tried again has no content any more.
func (s *Sender) do(ctx context.Context, job *market.Job) error {
	e, err := decode(job.Record)
	if err != nil {
		return fmt.Errorf("%w: %w", market.ErrJobIsDead, err)
	}
	outcome, err := s.send(ctx, job.ID, e)
	if err != nil && ctx.Err() != nil { // the node is stopping
		return err
	}
	s.Note(outcome)
	if outcome != Failed {
		e.To, e.UID, e.Facts = "", "", nil
		job.Data = encode(e)
	}
	if outcome == Refused {
		s.Log.WarnContext(ctx, "email refused", "email_id", job.ID, "template", e.Template, "error", err)
		return nil
	}
	return err
}

// messageID is the same for all tries of an email, and different after a new request: a
// mail program shows two messages with one ID once.
func messageID(id string, at time.Time) string {
	return strings.ReplaceAll(id, ":", ".") + "." + strconv.FormatInt(at.UnixMilli(), 10)
}

// send makes the text and sends it. Errors have no addresses.
func (s *Sender) send(ctx context.Context, id string, e entry) (Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	content, err := s.Compose(ctx, e.Email)
	if errors.Is(err, ErrObsolete) {
		return Obsolete, nil
	}
	if err == nil {
		var m Message
		if m, err = content.message(s.Brand); err == nil {
			m.ID, m.To, m.At = messageID(id, e.At), cmp.Or(content.To, e.To), e.At
			err = s.Transport.Send(ctx, m)
		}
	}
	switch {
	case err == nil:
		return Sent, nil
	case errors.Is(err, ErrRefused):
		return Refused, err
	case s.Queue.clock.Now().Sub(e.At) >= giveUpAfter:
		return GivenUp, fmt.Errorf("%w: %s: %w", market.ErrJobIsDead, e.Template, err)
	default:
		return Failed, fmt.Errorf("%s: %w", e.Template, err)
	}
}
