package stripe

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"

	"secondring/market"
)

// addAccountEvent adds the event account.updated to the account's document, which is saved with
// the change. It replaces an event that was not delivered yet.
func (s *Sandbox) addAccountEvent(a *account) {
	if s.config.Webhook == nil {
		return
	}
	body, err := json.Marshal(a.view())
	if err != nil { // impossible for the types of an object
		panic(err)
	}
	now := s.config.Clock.Now()
	a.Event = &event{ID: "evt_" + rand.Text(), Type: "account.updated", Account: a.ID, Created: now.Unix(), Object: body, Next: now}
}

// deliverAccountEvents sends the events of accounts that are due.
func (s *Sandbox) deliverAccountEvents(ctx context.Context) error {
	due, err := s.config.Records.RecordsDue(ctx, accountRecord, s.config.Clock.Now(), runBatch)
	errs := []error{err}
	for _, record := range due {
		errs = append(errs, s.deliverAccountEvent(ctx, record))
	}
	return errors.Join(errs...)
}

// deliverAccountEvent sends the event of an account. The attempt and the time of the next one are stored
// first, as with those of intents.
func (s *Sandbox) deliverAccountEvent(ctx context.Context, record market.Record) error {
	a, err := decodeAccount(record)
	if err != nil || a.Event == nil {
		return err
	}
	now := s.config.Clock.Now()
	e := *a.Event
	e.Tries++
	e.Next = now.Add(retryDelay(e.Tries))
	a.Event = &e
	if s.config.Webhook == nil || now.Unix()-e.Created >= int64(eventLifetime.Seconds()) {
		a.Event = nil
	}
	err = s.saveAccount(ctx, a)
	if errors.Is(err, market.ErrConflict) { // another process sends it, or the account has changed
		return nil
	}
	if err != nil || a.Event == nil {
		return err
	}
	if err := s.deliver(ctx, &e); err != nil {
		if ctx.Err() == nil {
			s.config.Log.WarnContext(ctx, "webhook delivery failed and will be retried", "event", e.ID, "type", e.Type, "tries", e.Tries, "error", err)
		}
		return nil
	}
	_, err = s.changeAccount(ctx, a.ID, func(a *account) error {
		if a.Event != nil && a.Event.ID == e.ID {
			a.Event = nil
		}
		return nil
	})
	return err
}
