package market

import (
	"context"
	"errors"
	"time"
)

// How long data is kept, and how often the janitor looks for expired data.
const (
	// BookingRetention is how long an unpaid booking that has ended stays in its buyer's list.
	BookingRetention = 365 * 24 * time.Hour
	// OrphanedAccountTTL is how long an account may exist without a user of the market.
	OrphanedAccountTTL = 30 * 24 * time.Hour

	purgeEvery            = time.Hour
	orphanedAccountsEvery = 24 * time.Hour
)

// purgeBatch purges one batch. If it was less than a full batch, it sets next to the time of
// the next purge.
func purgeBatch(next *time.Time, now time.Time, purge func(limit int) (int, error)) error {
	if now.Before(*next) {
		return nil
	}
	n, err := purge(janitorBatch)
	if err == nil && n < janitorBatch {
		*next = now.Add(purgeEvery)
	}
	return err
}

func (k *Janitor) purgeSessions(ctx context.Context, now time.Time) error {
	return purgeBatch(&k.nextSession, now, func(limit int) (int, error) { return k.market.store.PurgeSessions(ctx, now, limit) })
}

func (k *Janitor) purgeRecords(ctx context.Context, now time.Time) error {
	return purgeBatch(&k.nextRecord, now, func(limit int) (int, error) { return k.market.store.PurgeRecords(ctx, now, limit) })
}

func (k *Janitor) purgeAuditEntries(ctx context.Context, now time.Time) error {
	return purgeBatch(&k.nextAuditEntry, now, func(limit int) (int, error) {
		return k.market.store.PurgeAuditEntries(ctx, now.Add(-AuditLogRetention), limit)
	})
}

func (k *Janitor) purgeBookings(ctx context.Context, now time.Time) error {
	return purgeBatch(&k.nextBooking, now, func(limit int) (int, error) {
		return k.market.store.PurgeBookings(ctx, now.Add(-BookingRetention), limit)
	})
}

func (k *Janitor) purgeNotifications(ctx context.Context, now time.Time) error {
	return purgeBatch(&k.nextNotification, now, func(limit int) (int, error) {
		return k.market.store.PurgeNotifications(ctx, now.Add(-NotificationRetention), limit)
	})
}

// orphanedAccounts is the janitor's progress in the purge of accounts without a user of the market.
type orphanedAccounts struct {
	after string    // the last UID that was checked
	ended []string  // accounts whose access has ended; they are purged at the time next
	next  time.Time // when to continue
}

// purgeOrphanedAccounts purges one batch of accounts without a user. Their access ends first.
// They are purged once no call can be running that makes them a user.
func (k *Janitor) purgeOrphanedAccounts(ctx context.Context, now time.Time) error {
	switch s := &k.orphanedAccounts; {
	case now.Before(s.next):
		return nil
	case len(s.ended) > 0:
		return k.purgeEnded(ctx, now)
	default:
		return k.endAccessOfOrphaned(ctx, now)
	}
}

func (k *Janitor) endAccessOfOrphaned(ctx context.Context, now time.Time) error {
	s := &k.orphanedAccounts
	found, last, err := k.market.store.OrphanedAccounts(ctx, s.after, now.Add(-OrphanedAccountTTL), janitorBatch)
	if err != nil {
		return err
	}
	for _, uid := range found {
		if err := k.market.endAccess(ctx, uid); err != nil {
			return err
		}
	}
	s.after, s.ended = last, found
	switch {
	case len(found) > 0:
		s.next = now.Add(sweepFor)
	case last == "":
		s.next = now.Add(orphanedAccountsEvery)
	}
	return nil
}

func (k *Janitor) purgeEnded(ctx context.Context, now time.Time) error {
	s := &k.orphanedAccounts
	for ; len(s.ended) > 0; s.ended = s.ended[1:] {
		if err := k.market.purgeOrphaned(ctx, s.ended[0]); err != nil {
			return err
		}
	}
	if s.after == "" { // these were the last
		s.next = now.Add(orphanedAccountsEvery)
	}
	return nil
}

// purgeOrphaned purges an account if it still has no user and nobody has signed in since.
// Such a person may be about to become a user.
func (m *Market) purgeOrphaned(ctx context.Context, uid string) error {
	if _, err := m.store.User(ctx, uid); !errors.Is(err, ErrNotFound) {
		return err
	}
	sessions, err := m.store.SessionsOf(ctx, uid)
	if err != nil || len(sessions) > 0 {
		return err
	}
	return m.store.PurgeAccount(ctx, uid, nil)
}
