package market

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// How long data is kept, and how often expired data is looked for.
const (
	// BookingRetention is how long an unpaid booking that has ended stays in its buyer's list.
	BookingRetention = 365 * 24 * time.Hour
	// OrphanedAccountTTL is how long an account may exist without a user of the market.
	OrphanedAccountTTL = 30 * 24 * time.Hour

	purgeEvery            = time.Hour
	orphanedAccountsEvery = 24 * time.Hour
)

// purge deletes what has expired, in batches.
func (m *Market) purge(ctx context.Context) error {
	now := m.clock.Now()
	var errs []error
	for _, one := range []struct {
		purge  func(ctx context.Context, before time.Time, limit int) (int, error)
		before time.Time
	}{
		{m.store.PurgeSessions, now},
		{m.store.PurgeRecords, now},
		{m.store.PurgeAuditEntries, now.Add(-AuditLogRetention)},
		{m.store.PurgeBookings, now.Add(-BookingRetention)},
		{m.store.PurgeCases, now.Add(-CaseRetention)},
		{m.store.PurgeNotifications, now.Add(-NotificationRetention)},
	} {
		for n := dueBatch; n == dueBatch; {
			var err error
			if n, err = one.purge(ctx, one.before, dueBatch); err != nil {
				errs = append(errs, err)
				break
			}
		}
	}
	return errors.Join(errs...)
}

// orphanedAccounts is the progress of the task that purges accounts without a user of the market.
type orphanedAccounts struct {
	After string   // the last UID that was checked
	Ended []string // accounts whose access has ended
}

// purgeOrphanedAccounts purges the accounts without a user, batch by batch. First their access ends.
// They are purged in the next run, when no call can be running any more that makes them a user.
func (m *Market) purgeOrphanedAccounts(ctx context.Context, job *Job) error {
	var progress orphanedAccounts
	if len(job.Data) > 0 {
		if err := json.Unmarshal(job.Data, &progress); err != nil {
			return err
		}
	}
	for _, uid := range progress.Ended {
		if err := m.purgeOrphaned(ctx, uid); err != nil {
			return err
		}
	}
	isLast := progress.After == "" && len(progress.Ended) > 0
	for progress.Ended = nil; !isLast && len(progress.Ended) == 0; isLast = progress.After == "" {
		var err error
		progress.Ended, progress.After, err = m.store.OrphanedAccounts(ctx, progress.After, m.clock.Now().Add(-OrphanedAccountTTL), dueBatch)
		if err != nil {
			return err
		}
	}
	for _, uid := range progress.Ended {
		if err := m.endAccess(ctx, uid); err != nil {
			return err
		}
	}
	if len(progress.Ended) > 0 {
		job.Again = m.clock.Now().Add(sweepFor)
	}
	job.Data = encode(progress)
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

// minOfKind is how many of a kind are kept in any case.
const minOfKind = 10

// needsAct returns whether the person ought to act on a notification of the kind: pay, send a
// phone, see to a payout account, or take a step of an order. Such a one is kept until it is
// read.
func (k NotificationKind) needsAct() bool {
	return k == NotifyTurn || k == NotifyOrder || k == NotifyPaid
}

// SurplusNotifications returns which of all of a person's notifications, newest first, are to
// be deleted, so that the person has MaxNotifications. Those of which there are most go first:
// the oldest of the kind, and of the phone in it, that has most. So a flood of one kind or
// about one phone deletes none of another.
func SurplusNotifications(all []Notification) (surplus []Notification) {
	all = slices.Clone(all)
	for len(all) > MaxNotifications {
		deletable := slices.DeleteFunc(slices.Clone(all), func(n Notification) bool { return n.Kind.needsAct() && n.ReadAt.IsZero() })
		deletable = mostFrequent(deletable, func(n Notification) string { return string(n.Kind) })
		if len(deletable) <= minOfKind {
			return surplus
		}
		deletable = mostFrequent(deletable, func(n Notification) string { return n.ProductID })
		oldest := deletable[len(deletable)-1]
		surplus = append(surplus, oldest)
		all = slices.DeleteFunc(all, func(n Notification) bool { return n.ID == oldest.ID })
	}
	return surplus
}

// mostFrequent returns the notifications with the most frequent key.
func mostFrequent(all []Notification, key func(Notification) string) (most []Notification) {
	by := map[string][]Notification{}
	for _, n := range all {
		by[key(n)] = append(by[key(n)], n)
	}
	for _, n := range slices.Backward(all) { // of equal ones that with the oldest
		if group := by[key(n)]; len(group) > len(most) {
			most = group
		}
	}
	return most
}
