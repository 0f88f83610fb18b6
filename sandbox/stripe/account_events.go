package stripe

import (
	"context"
	"errors"

	"secondring/market"
)

// addAccountEvent adds the event account.updated to the account's document, which is saved with
// the change. It replaces an event that was not delivered yet.
func (s *Sandbox) addAccountEvent(a *account) {
	if s.config.Webhook == nil {
		return
	}
	e := s.newEvent("account.updated", a.view())
	e.Account = a.ID
	a.Event = &e
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

// deliverAccountEvent sends the event of an account. The attempt and the time of the next one are
// stored first, as with those of intents.
func (s *Sandbox) deliverAccountEvent(ctx context.Context, record market.Record) error {
	a, err := decodeAccount(record)
	if err != nil || a.Event == nil {
		return err
	}
	now, e := s.config.Clock.Now(), *a.Event
	switch {
	case s.config.Webhook == nil: // the event is from an earlier run with a webhook
		a.Event = nil
	case e.hasExpired(now):
		s.logAbandoned(ctx, &e, a.ID)
		a.Event = nil
	default:
		e.countTry(now)
		a.Event = &e
	}
	err = s.saveAccount(ctx, a)
	if errors.Is(err, market.ErrConflict) { // another process sends it, or the account has changed
		return nil
	}
	if err != nil || a.Event == nil {
		return err
	}
	if !s.try(ctx, &e) {
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
