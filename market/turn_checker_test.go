package market_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"secondring/market"
)

// turnChecker is a store that checks each turn when it is written.
type turnChecker struct {
	market.Store

	clock market.Clock
	rules market.Rules
	wrong []string
}

// SaveProduct checks the turn that the write contains.
func (s *turnChecker) SaveProduct(ctx context.Context, p market.Product, effects []market.Effect) error {
	before, err := s.Product(ctx, p.ID)
	if err != nil {
		return s.Store.SaveProduct(ctx, p, effects)
	}
	if isNewTurn := p.Hold != nil && p.Hold.Turn && (before.Hold == nil || before.Hold.BookingID != p.Hold.BookingID); isNewTurn {
		s.checkTurn(ctx, before, p)
	}
	err = s.Store.SaveProduct(ctx, p, effects)
	if err == nil && p.Hold == nil && before.Hold != nil {
		for _, w := range before.Waitlist { // the phone is available, so everyone was passed over
			s.checkPassedOver(ctx, p, w)
		}
	}
	return err
}

func (s *turnChecker) checkTurn(ctx context.Context, before, p market.Product) {
	for _, w := range before.Waitlist {
		if w.UID == p.Hold.BuyerUID {
			return
		}
		s.checkPassedOver(ctx, p, w)
	}
	s.wrong = append(s.wrong, fmt.Sprintf("%s got a turn for %s without waiting", p.Hold.BuyerUID, p.ID))
}

// checkPassedOver records an error unless there is a reason to pass over this entry.
func (s *turnChecker) checkPassedOver(ctx context.Context, p market.Product, w market.Waiter) {
	u, err := s.User(ctx, w.UID)
	if errors.Is(err, market.ErrNotFound) || u.Removed {
		return
	}
	if held, _ := s.HeldBookings(ctx, w.UID, 1000); len(held) >= s.rules.MaxHolds {
		return
	}
	last, err := s.LastBooking(ctx, w.UID, p.ID)
	if err == nil && (last.Status == market.BookingHeld || s.clock.Now().Before(last.EndedAt.Add(time.Hour))) {
		return
	}
	s.wrong = append(s.wrong, fmt.Sprintf("%s was passed over for %s without a reason", w.UID, p.ID))
}
