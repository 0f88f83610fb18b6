package market

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"
)

// A sweep is one run of the cascade that follows a change of a user: the phones of a seller
// are updated (updateSellerPhones), or what a removed person had is removed (sweepRemoved).

// sweepFor is how long the janitor repeats a cascade. It is longer than any call may take, so
// that the cascade finds phones and holds that calls in progress have written.
const sweepFor = 40 * time.Second

// sweepPage is how many entities one step of a cascade reads.
const sweepPage = 200

// maxSweepPause is the longest pause between two repetitions of a cascade.
const maxSweepPause = 10 * time.Second

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
	p.pause = min(max(janitorEvery, 2*p.pause), maxSweepPause)
	p.next = now.Add(p.pause)
	if now.Before(p.until) && p.next.After(p.until) {
		p.next = p.until
	}
	return p
}

// sweep repeats the cascades of verified and removed users until SweepUntil has passed.
// The schedule is in memory: a process that starts repeats all of them at once.
func (k *Janitor) sweep(ctx context.Context, now time.Time) error {
	users, err := k.market.store.UsersToSweep(ctx, janitorBatch)
	if err != nil {
		return err
	}
	maps.DeleteFunc(k.sweeps, func(id string, _ sweepPace) bool {
		return !slices.ContainsFunc(users, func(u User) bool { return u.ID == id })
	})
	for _, u := range users {
		if err := k.sweepIfDue(ctx, u, now); err != nil {
			return err
		}
	}
	return nil
}

// sweepIfDue repeats one cascade if the repetition is due.
func (k *Janitor) sweepIfDue(ctx context.Context, u User, now time.Time) error {
	pace := k.sweeps[u.ID]
	if !pace.until.Equal(u.SweepUntil) { // a new cascade
		pace = sweepPace{until: u.SweepUntil}
	}
	if now.Before(pace.next) {
		if ended, err := k.market.anyEnded(ctx, pace.waiting); !ended || err != nil {
			return err
		}
	}
	var err error
	if pace.waiting, err = k.sweepOne(ctx, u, now); err != nil {
		return err
	}
	if k.sweeps == nil {
		k.sweeps = map[string]sweepPace{}
	}
	k.sweeps[u.ID] = pace.after(now)
	return nil
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
func (k *Janitor) sweepOne(ctx context.Context, u User, now time.Time) (waiting []Booking, err error) {
	if u.Removed {
		waiting, err = k.market.sweepRemoved(ctx, u)
		if err != nil || len(waiting) > 0 || now.Before(u.SweepUntil) {
			return waiting, err
		}
		if u.Leaving {
			if err := k.market.purgeAccount(ctx, u.UID); err != nil {
				return nil, err
			}
		}
		return nil, k.market.store.PurgeUser(ctx, u.UID)
	}
	if err := k.market.updateSellerPhones(ctx, u); err != nil || now.Before(u.SweepUntil) {
		return nil, err
	}
	u.SweepUntil, u.Leaving = time.Time{}, false // their process was killed while they left
	events := k.market.userChanged(&u)
	defer k.market.NotifyRelay()
	// If another write came first, the next step tries again.
	return nil, ignoreConflict(k.market.store.SaveUser(ctx, u, events))
}
