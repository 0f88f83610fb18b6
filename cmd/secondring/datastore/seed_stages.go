package datastore

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"secondring/cmd/secondring/demo"
	"secondring/market"
)

const day = 24 * time.Hour

// fulfil brings an order that was paid at this time into its stage.
func (s *seeder) fulfil(ctx context.Context, o demo.Order, b market.Booking, paid time.Time) error {
	buyer, seller := s.people[o.Buyer], s.personOf(b.SellerUID)
	take := func(at time.Time, who market.Actor, step market.FulfilmentRequest) error {
		_, err := s.at(at).Fulfil(ctx, who, b.ID, step)
		return err
	}
	send := func() error {
		return take(paid.Add(day), seller, market.FulfilmentRequest{Action: "send", Carrier: "Sundarban Courier", Tracking: "SB" + b.ID[len(b.ID)-8:]})
	}
	switch yesterday := s.start.Add(-day); o.State {
	case demo.Sent:
		return send()
	case demo.Received:
		return errors.Join(send(), take(yesterday, buyer, market.FulfilmentRequest{Action: "received"}))
	case demo.Problem:
		const reason = "The screen flickers, which the description does not say. I would like my money back."
		return errors.Join(send(), take(yesterday, buyer, market.FulfilmentRequest{Action: "problem", Reason: reason}))
	case demo.Released:
		return s.meet(ctx, buyer, seller, b, paid.Add(day))
	case demo.PaidOut:
		if err := s.meet(ctx, buyer, seller, b, paid.Add(day)); err != nil || s.rules.Payouts != market.PayoutsManual {
			return err
		}
		_, err := s.at(paid.Add(3*day)).PayOut(ctx, s.people[demo.Logins()[0].Email], b.ID, "Bank transfer 1001", nil)
		return err
	}
	return nil
}

// meet hands the phone over. The order is settled at once.
func (s *seeder) meet(ctx context.Context, buyer, seller market.Actor, b market.Booking, at time.Time) error {
	m := market.New(s.store, fixedClock(at), s.rules, s.providerAt(at))
	code, err := m.OpenHandover(ctx, buyer, b.ID)
	if err != nil {
		return err
	}
	if _, err := m.Fulfil(ctx, seller, b.ID, market.FulfilmentRequest{Action: "handed", Code: code.Code}); err != nil {
		return err
	}
	checks := market.NewRunner(fixedClock(at), slog.New(slog.DiscardHandler), nil)
	m.AddPaymentChecks(checks)
	return checks.Step(ctx)
}

// personOf returns the person with a UID.
func (s *seeder) personOf(uid string) market.Actor {
	for _, who := range s.people {
		if who.User.UID == uid {
			return who
		}
	}
	return market.Actor{}
}
