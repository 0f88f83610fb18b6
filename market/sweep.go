package market

import (
	"context"
	"errors"
	"time"
)

// A sweep is one run of the cascade that follows a change of a user: the phones of a seller
// are updated (updateSellerPhones), or what a removed person had is removed (sweepRemoved).

// sweepFor is how long a cascade is repeated. It is longer than any call may take, so
// that the cascade finds phones and holds that calls in progress have written.
const sweepFor = 40 * time.Second

// sweepPage is how many entities one step of a cascade reads.
const sweepPage = 200

// Pauses between two repetitions of a cascade.
const (
	minSweepPause = 250 * time.Millisecond
	maxSweepPause = 10 * time.Second
)

// sweepPace is the schedule of a cascade's repetitions. Each repetition reads all phones of
// the person. A cascade can miss the writes of calls that run at the same time. Most such
// calls end within a second and none takes longer than sweepFor. So the pauses double, and
// the last repetition is not before until.
type sweepPace struct {
	until   time.Time // User.SweepUntil
	pause   time.Duration
	next    time.Time
	waiting []Booking // held bookings whose payments must be checked first; when one of them has ended, the cascade is repeated at once
}

// after returns the schedule after a repetition.
func (p sweepPace) after(now time.Time) sweepPace {
	p.pause = min(max(minSweepPause, 2*p.pause), maxSweepPause)
	p.next = now.Add(p.pause)
	if now.Before(p.until) && p.next.After(p.until) {
		p.next = p.until
	}
	return p
}

// nextLook returns when the cascade is repeated, or its waiting bookings are read again.
func (p sweepPace) nextLook(now time.Time) time.Time {
	if look := now.Add(time.Second); len(p.waiting) > 0 && look.Before(p.next) {
		return look
	}
	return p.next
}

// sweeps repeats the cascades of verified and removed users until SweepUntil has passed.
// The schedule is in memory: a process that starts repeats all of them at once.
type sweeps struct {
	market *Market
	paces  map[string]sweepPace // by User.ID
}

// step repeats the cascades that are due.
func (s *sweeps) step(ctx context.Context) (next time.Time, err error) {
	users, err := s.market.store.UsersToSweep(ctx, dueBatch)
	if err != nil {
		return next, err
	}
	paces := map[string]sweepPace{}
	var errs []error
	for _, u := range users {
		pace, err := s.market.sweepIfDue(ctx, u, s.paces[u.ID])
		errs = append(errs, err)
		paces[u.ID] = pace
		if at := pace.nextLook(s.market.clock.Now()); next.IsZero() || at.Before(next) {
			next = at
		}
	}
	s.paces = paces
	return next, errors.Join(errs...)
}

// sweepIfDue repeats one cascade if the repetition is due, and returns its new schedule.
func (m *Market) sweepIfDue(ctx context.Context, u User, pace sweepPace) (sweepPace, error) {
	now := m.clock.Now()
	if !pace.until.Equal(u.SweepUntil) || pace.next.After(now.Add(maxSweepPause)) { // a new cascade, or the clock was set back
		pace = sweepPace{until: u.SweepUntil}
	}
	if now.Before(pace.next) {
		if ended, err := m.anyEnded(ctx, pace.waiting); !ended || err != nil {
			return pace, err
		}
	}
	waiting, err := m.sweepOne(ctx, u, now)
	if err != nil {
		return pace, err
	}
	pace.waiting = waiting
	return pace.after(now), nil
}

// anyEnded returns whether one of these holds has ended.
func (m *Market) anyEnded(ctx context.Context, held []Booking) (bool, error) {
	for _, b := range held {
		b, err := m.store.Booking(ctx, b.ID)
		if errors.Is(err, ErrNotFound) || err == nil && b.Status != BookingHeld {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// sweepOne repeats one cascade. After SweepUntil it stops the repetitions, and purges a
// removed user. A user who is still leaving then stays. It returns the bookings that it waits for.
func (m *Market) sweepOne(ctx context.Context, u User, now time.Time) (waiting []Booking, err error) {
	if u.Removed {
		waiting, err = m.sweepRemoved(ctx, u)
		if err != nil || len(waiting) > 0 || now.Before(u.SweepUntil) {
			return waiting, err
		}
		if u.Closed != "" { // it is sealed, and stays
			u.SweepUntil = time.Time{}
			u.Version++
			return nil, ignoreConflict(m.store.SaveUser(ctx, u, nil))
		}
		if u.Leaving {
			if err := m.purgeAccount(ctx, u.UID); err != nil {
				return nil, err
			}
		}
		return nil, m.store.PurgeUser(ctx, u.UID)
	}
	if waiting, err = m.sweepPresent(ctx, u); err != nil || len(waiting) > 0 || now.Before(u.SweepUntil) {
		return waiting, err
	}
	u.SweepUntil, u.Leaving = time.Time{}, false // their process was killed while they left
	events := m.userChanged(&u)
	// If another write came first, the next step tries again.
	return nil, ignoreConflict(m.store.SaveUser(ctx, u, events))
}

// sweepPresent makes true what follows from who a person is who is in the market: what the phones of a seller
// show, that those of a suspended one are hidden and their waits and holds ended, and that those of one who may
// trade again are back. It returns the bookings whose payment must be checked first.
func (m *Market) sweepPresent(ctx context.Context, u User) (waiting []Booking, err error) {
	if err := m.openAccount(ctx, u); err != nil {
		return nil, err
	}
	if !m.isSuspended(u) {
		return nil, errors.Join(m.showPhonesOf(ctx, u), m.updateSellerPhones(ctx, u))
	}
	if err := m.leaveWaitlists(ctx, u.UID); err != nil {
		return nil, err
	}
	if waiting, err = m.closeHolds(ctx, u.UID); err != nil {
		return waiting, err
	}
	hiding, err := m.hidePhonesOf(ctx, u.UID)
	return append(waiting, hiding...), err
}
