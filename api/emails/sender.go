package emails

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"secondring/market"
)

// Times of the sender.
const (
	pollInterval = time.Second      // interval, to find emails that other nodes have stored
	sendTimeout  = 30 * time.Second // of one whole try
	lease        = 2 * sendTimeout  // a running node has finished its try by then
	giveUpAfter  = 24 * time.Hour   // from the request of an email
	concurrency  = 4                // emails of one lane that one node sends at the same time
	batchSize    = 50               // emails that are read at once
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

// Sender sends the emails of a Queue. One runs on every node.
type Sender struct{ SenderConfig }

// NewSender returns a sender.
func NewSender(c SenderConfig) *Sender {
	if c.Note == nil {
		c.Note = func(Outcome) {}
	}
	return &Sender{c}
}

// Run runs until the context ends.
func (s *Sender) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, lane := range lanes {
		all.Go(func() { s.runLane(ctx, lane) })
	}
	all.Wait()
}

func (s *Sender) runLane(ctx context.Context, lane Lane) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	var failures market.FailureLog
	for {
		if err := s.stepLane(ctx, lane); ctx.Err() == nil {
			failures.Record(ctx, s.Log, "sending emails", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-s.Queue.wake[lane]:
		}
	}
}

// Step tries each email that is due once.
func (s *Sender) Step(ctx context.Context) error {
	var all errgroup.Group
	for _, lane := range lanes {
		all.Go(func() error { return s.stepLane(ctx, lane) })
	}
	return all.Wait()
}

func (s *Sender) stepLane(ctx context.Context, lane Lane) error {
	for {
		due, err := s.Queue.records.RecordsDue(ctx, lane.recordKind(), s.Queue.clock.Now(), batchSize)
		if err != nil {
			return err
		}
		var all errgroup.Group
		all.SetLimit(concurrency)
		for _, r := range due {
			all.Go(func() error { return s.try(ctx, r) })
		}
		if err := all.Wait(); err != nil || len(due) < batchSize {
			return err
		}
	}
}

// try takes an email, sends it, and stores the outcome. A conflict means that another node
// has taken the email, or that it was requested again: then the newer request is kept.
func (s *Sender) try(ctx context.Context, r market.Record) error {
	q := s.Queue
	e, err := decode(r)
	if err != nil {
		return err
	}
	r.Due = q.clock.Now().Add(lease)
	r.Version++
	if err := q.records.SaveRecord(ctx, r); err != nil {
		return ignoreFaster(err)
	}
	outcome := s.send(ctx, r.ID, e)
	if ctx.Err() != nil && outcome == Failed {
		return nil // this node is stopping: another tries after the lease
	}
	s.Note(outcome)
	now := q.clock.Now()
	if outcome == Failed {
		e.Tries++
		r.Due = now.Add(market.RetryPause(e.Tries))
	} else {
		e.To, e.UID, e.Facts = "", "", nil
		r.Due = time.Time{}
	}
	r.Data = encode(e)
	r.Version++
	return ignoreFaster(q.records.SaveRecord(context.WithoutCancel(ctx), r))
}

func ignoreFaster(err error) error {
	if errors.Is(err, market.ErrConflict) || errors.Is(err, market.ErrNotFound) {
		return nil
	}
	return err
}

// messageID is the same for all tries of an email, and different after a new request: a
// mail program shows two messages with one ID once.
func messageID(id string, at time.Time) string {
	return strings.ReplaceAll(id, ":", ".") + "." + strconv.FormatInt(at.UnixMilli(), 10)
}

// send makes the text and sends it. It logs errors without addresses.
func (s *Sender) send(ctx context.Context, id string, e entry) Outcome {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	content, err := s.Compose(ctx, e.Email)
	if errors.Is(err, ErrObsolete) {
		return Obsolete
	}
	if err == nil {
		var m Message
		if m, err = content.message(s.Brand); err == nil {
			m.ID, m.To, m.At = messageID(id, e.At), cmp.Or(content.To, e.To), e.At
			err = s.Transport.Send(ctx, m)
		}
	}
	log := s.Log.With("email_id", id, "template", e.Template, "tries", e.Tries+1)
	switch {
	case err == nil:
		return Sent
	case errors.Is(err, ErrRefused):
		log.WarnContext(ctx, "email refused", "error", err)
		return Refused
	case s.Queue.clock.Now().Sub(e.At) >= giveUpAfter:
		log.ErrorContext(ctx, "email given up", "error", err)
		return GivenUp
	default:
		log.WarnContext(ctx, "email not sent yet", "error", err)
		return Failed
	}
}
