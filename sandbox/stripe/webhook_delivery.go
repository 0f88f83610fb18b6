package stripe

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"secondring/api/rest"
	"secondring/market"
)

const (
	runEvery       = 250 * time.Millisecond // finds what other processes have left
	runBatch       = 100                    // intents read at once
	runAtOnce      = 8                      // intents worked on at once
	deliverTimeout = 10 * time.Second
)

// nudge wakes Run.
func (s *Sandbox) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run does what is due until the context ends: it sends events and lets banks
// decide. Any number of nodes may run it at once.
func (s *Sandbox) Run(ctx context.Context) {
	tick := time.NewTicker(runEvery)
	defer tick.Stop()
	var out market.FailureLog
	for {
		if err := s.Step(ctx); ctx.Err() == nil {
			out.Record(ctx, s.config.Log, "the payment sandbox's work", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-tick.C:
		}
	}
}

// Step does all that is due now, once.
func (s *Sandbox) Step(ctx context.Context) error {
	return errors.Join(s.stepIntents(ctx), s.tellAccounts(ctx))
}

func (s *Sandbox) stepIntents(ctx context.Context) error {
	for {
		due, err := s.config.Records.RecordsDue(ctx, intentRecord, s.config.Clock.Now(), runBatch)
		if err != nil {
			return err
		}
		group, errs := errgroup.Group{}, make([]error, len(due))
		group.SetLimit(runAtOnce)
		for at, record := range due {
			group.Go(func() error {
				errs[at] = s.work(ctx, record.ID)
				return nil
			})
		}
		_ = group.Wait()
		// One that fails is due again at once: the next step may try it.
		if err := errors.Join(errs...); err != nil || len(due) < runBatch {
			return err
		}
	}
}

// work does what is due for one intent.
func (s *Sandbox) work(ctx context.Context, id string) error {
	delivered := ""
	for ctx.Err() == nil {
		e, err := s.take(ctx, id, delivered)
		if err != nil || e == nil {
			return err
		}
		delivered = ""
		switch err := s.deliver(ctx, e); {
		case err == nil:
			delivered = e.ID
		case ctx.Err() == nil:
			s.config.Log.WarnContext(ctx, "webhook delivery failed and will be retried", "event", e.ID, "type", e.Type, "tries", e.Tries, "error", err)
		}
	}
	return ctx.Err()
}

// take removes the event that was delivered and returns the next one that is due, or
// nil. The attempt and the time of the next one are stored before the event is sent, so
// that a crash during sending needs no repair and no other node sends it at the same
// time.
func (s *Sandbox) take(ctx context.Context, id, delivered string) (*event, error) {
	for {
		i, err := s.load(ctx, id)
		if errors.Is(err, market.ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("intent %s: %w", id, err)
		}
		now := s.config.Clock.Now()
		if !i.busy(delivered, now) {
			return nil, nil
		}
		i.Events = slices.DeleteFunc(i.Events, func(e event) bool { return e.ID == delivered })
		s.goOn(i, now)
		s.giveUp(ctx, i, now)
		if s.config.Webhook == nil { // left by a sandbox that had one
			i.Events = nil
		}
		var next *event
		for e := range i.waiting {
			if !e.Next.After(now) {
				e.Tries++
				e.Next = now.Add(pause(e.Tries))
				copied := *e
				next = &copied
				break
			}
		}
		if err := s.save(ctx, i); !errors.Is(err, market.ErrConflict) {
			return next, err
		}
	}
}

// busy tells whether the intent has something due that must be written.
func (i *intent) busy(delivered string, now time.Time) bool {
	due := i.due()
	return !due.IsZero() && !due.After(now) ||
		slices.ContainsFunc(i.Events, func(e event) bool { return e.ID == delivered })
}

// giveUp drops events that were not delivered for days.
func (s *Sandbox) giveUp(ctx context.Context, i *intent, now time.Time) {
	i.Events = slices.DeleteFunc(i.Events, func(e event) bool {
		old := e.Tries > 0 && now.Sub(time.Unix(e.Created, 0)) >= eventLasts
		if old {
			s.config.Log.ErrorContext(ctx, "webhook delivery abandoned", "event", e.ID, "type", e.Type, "intent", i.ID, "tries", e.Tries)
		}
		return old
	})
}

// deliver posts an event to the product. It returns an error if the product did not accept it.
func (s *Sandbox) deliver(ctx context.Context, e *event) (err error) {
	body, err := e.body()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, deliverTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost"+WebhookPath, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Header.Set("User-Agent", "Stripe/1.0 (sandbox)")
	r.Header.Set("Stripe-Signature", s.sign(body))
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("the handler panicked: %v", broken)
		}
	}()
	answer, err := rest.InProcess(s.config.Webhook).Do(r)
	if err != nil {
		return err
	}
	if answer.StatusCode/100 != 2 {
		err = errors.New("status " + strconv.Itoa(answer.StatusCode))
	}
	return errors.Join(err, answer.Body.Close())
}

// sign makes the header Stripe-Signature (https://docs.stripe.com/webhooks#verify-manually).
func (s *Sandbox) sign(body []byte) string {
	t := strconv.FormatInt(s.config.Clock.Now().Unix(), 10)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac([]byte(s.config.WebhookSecret), t+"."+string(body)))
}
