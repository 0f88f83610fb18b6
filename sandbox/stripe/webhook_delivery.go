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
	runInterval    = 250 * time.Millisecond // interval, to find due intents of other processes
	runBatch       = 100                    // intents that are read at once
	runConcurrency = 8                      // intents that are processed at the same time
	deliverTimeout = 10 * time.Second
)

// wakeRun makes Run check for due work at once.
func (s *Sandbox) wakeRun() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run processes due intents and accounts until the context ends: it sends events and lets banks
// decide. Any number of nodes may run it at once.
func (s *Sandbox) Run(ctx context.Context) {
	tick := time.NewTicker(runInterval)
	defer tick.Stop()
	var failures market.FailureLog
	for {
		if err := s.Step(ctx); ctx.Err() == nil {
			failures.Record(ctx, s.config.Log, "the payment sandbox's work", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-tick.C:
		}
	}
}

// Step processes all intents and accounts that are due now, once.
func (s *Sandbox) Step(ctx context.Context) error {
	return errors.Join(s.stepIntents(ctx), s.deliverAccountEvents(ctx))
}

func (s *Sandbox) stepIntents(ctx context.Context) error {
	for {
		due, err := s.config.Records.RecordsDue(ctx, intentRecord, s.config.Clock.Now(), runBatch)
		if err != nil {
			return err
		}
		group, errs := errgroup.Group{}, make([]error, len(due))
		group.SetLimit(runConcurrency)
		for at, record := range due {
			group.Go(func() error {
				errs[at] = s.processIntent(ctx, record.ID)
				return nil
			})
		}
		_ = group.Wait()
		// An intent that fails is due again at once: the next step tries it again.
		if err := errors.Join(errs...); err != nil || len(due) < runBatch {
			return err
		}
	}
}

// processIntent applies the due transition of one intent and sends its due events.
func (s *Sandbox) processIntent(ctx context.Context, id string) error {
	delivered := ""
	for ctx.Err() == nil {
		e, err := s.nextEvent(ctx, id, delivered)
		if err != nil || e == nil {
			return err
		}
		delivered = ""
		if s.try(ctx, e) {
			delivered = e.ID
		}
	}
	return ctx.Err()
}

// nextEvent removes the event that was delivered and returns the next one that is due, or
// nil. The attempt and the time of the next one are stored before the event is sent, so
// that a crash during sending needs no repair and no other node sends it at the same
// time.
func (s *Sandbox) nextEvent(ctx context.Context, id, delivered string) (*event, error) {
	for {
		i, err := s.load(ctx, id)
		if errors.Is(err, market.ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("intent %s: %w", id, err)
		}
		now := s.config.Clock.Now()
		if !i.needsWrite(delivered, now) {
			return nil, nil
		}
		i.Events = slices.DeleteFunc(i.Events, func(e event) bool { return e.ID == delivered })
		s.applyDue(i, now)
		s.dropExpiredEvents(ctx, i, now)
		if s.config.Webhook == nil { // the events are from an earlier run with a webhook
			i.Events = nil
		}
		var next *event
		for e := range i.sendable {
			if !e.Next.After(now) {
				e.countTry(now)
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

// needsWrite reports whether the intent has due work or a delivered event, so that it must be stored.
func (i *intent) needsWrite(delivered string, now time.Time) bool {
	due := i.due()
	return !due.IsZero() && !due.After(now) ||
		slices.ContainsFunc(i.Events, func(e event) bool { return e.ID == delivered })
}

// dropExpiredEvents drops events that could not be delivered within eventLifetime.
func (s *Sandbox) dropExpiredEvents(ctx context.Context, i *intent, now time.Time) {
	i.Events = slices.DeleteFunc(i.Events, func(e event) bool {
		expired := e.hasExpired(now)
		if expired {
			s.logAbandoned(ctx, &e, i.ID)
		}
		return expired
	})
}

// logAbandoned logs that an event of an intent or an account is dropped.
func (s *Sandbox) logAbandoned(ctx context.Context, e *event, owner string) {
	s.config.Log.ErrorContext(ctx, "webhook delivery abandoned", "event", e.ID, "type", e.Type, "object", owner, "tries", e.Tries)
}

// try sends an event, and logs if that fails. It reports whether the product accepted the event.
func (s *Sandbox) try(ctx context.Context, e *event) (accepted bool) {
	err := s.deliver(ctx, e)
	if err != nil && ctx.Err() == nil {
		s.config.Log.WarnContext(ctx, "webhook delivery failed and will be retried", "event", e.ID, "type", e.Type, "tries", e.Tries, "error", err)
	}
	return err == nil
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
	response, err := rest.InProcess(s.config.Webhook).Do(r)
	if err != nil {
		return err
	}
	if response.StatusCode/100 != 2 {
		err = errors.New("status " + strconv.Itoa(response.StatusCode))
	}
	return errors.Join(err, response.Body.Close())
}

// sign returns the value of the header Stripe-Signature
// (https://docs.stripe.com/webhooks#verify-manually).
func (s *Sandbox) sign(body []byte) string {
	t := strconv.FormatInt(s.config.Clock.Now().Unix(), 10)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac([]byte(s.config.WebhookSecret), t+"."+string(body)))
}
