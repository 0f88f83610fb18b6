package market

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// Times and sizes of the announcer.
const (
	announceEvery = 500 * time.Millisecond
	announcePage  = 100              // people who are read together
	announceLease = 10 * time.Second // half of it is longer than a page takes; afterwards another node begins again
	announceBatch = 200

	announceWorkers = 10 // sellers whose announcements are processed at the same time
	announceWrites  = 25 // notifications that are stored at the same time
)

// Announcer notifies people of changes of phones that they watch, and of phones that match
// their saved searches. One runs on every node. Nobody gets two notifications of one cause,
// because the store refuses the second while it has the first. So after a crash another node
// begins again.
//
// The announcements of a seller are processed together: those of a phone are merged, and each
// person with saved searches is read once. They wait while the seller's budget is used up
// (announcer_budget.go).
type Announcer struct {
	market  *Market
	log     *slog.Logger
	budgets sellerBudgets
}

// NewAnnouncer returns the announcer of a market.
func NewAnnouncer(m *Market, log *slog.Logger) *Announcer {
	return &Announcer{market: m, log: log, budgets: sellerBudgets{}}
}

// Run runs until the context ends.
func (k *Announcer) Run(ctx context.Context) {
	repeat(ctx, announceEvery, k.log, "announcer", k.Step)
}

// Step processes all announcements that are due. One that fails is retried later and does
// not block the others.
func (k *Announcer) Step(ctx context.Context) error {
	k.budgets.forget(k.market.clock.Now())
	for {
		due, err := k.market.store.RecordsDue(ctx, announcementKind, k.market.clock.Now(), announceBatch)
		if err != nil || len(due) == 0 {
			return err
		}
		if err := k.process(ctx, due); err != nil || len(due) < announceBatch {
			return err
		}
	}
}

// process processes announcements, those of different sellers at the same time. It reads
// their phones together, and removes the records of all that are done.
func (k *Announcer) process(ctx context.Context, due []Record) error {
	all := mergeByPhone(k.read(ctx, due))
	var phones []string
	for _, pending := range all {
		phones = append(phones, pending.ProductID)
	}
	found, err := k.market.store.ProductsByID(ctx, phones)
	if err != nil {
		return err
	}
	var nobody sync.Map
	rounds := map[string]*announcerRound{}
	for _, pending := range all {
		i := slices.IndexFunc(found, func(p Product) bool { return p.ID == pending.ProductID })
		if i < 0 { // the phone was removed, or the announcement cannot be read
			pending.done = true
			continue
		}
		pending.phone = &found[i]
		pending.comparison = pending.compare(found[i])
		seller := found[i].SellerUID
		if rounds[seller] == nil {
			rounds[seller] = &announcerRound{announcer: k, budget: k.budgets.of(seller), nobody: &nobody}
		}
		rounds[seller].queue = append(rounds[seller].queue, pending)
	}
	err = concurrently(announceWorkers, slices.Collect(maps.Values(rounds)), func(r *announcerRound) error { return r.run(ctx) })
	return errors.Join(err, k.finish(ctx, all))
}

// read reads the announcements in records.
func (k *Announcer) read(ctx context.Context, due []Record) []*pendingAnnouncement {
	var all []*pendingAnnouncement
	for _, r := range due {
		a, err := announcementIn(r)
		if err != nil {
			k.log.ErrorContext(ctx, "announcement dropped: it cannot be read", "announcement", r.ID, "error", err)
			a = announcement{ProductID: r.ID} // which is no phone's
		}
		all = append(all, &pendingAnnouncement{announcement: a, record: r})
	}
	return all
}

// finish removes the announcements that are done.
func (k *Announcer) finish(ctx context.Context, all []*pendingAnnouncement) error {
	var done []string
	for _, pending := range all {
		if pending.done {
			done = append(append(done, pending.record.ID), pending.merged...)
		}
	}
	return k.market.store.RemoveRecords(ctx, announcementKind, done)
}

// save stores an announcement, which is due again after the pause. Then it removes the
// records that were merged into it.
func (k *Announcer) save(ctx context.Context, pending *pendingAnnouncement, pause time.Duration) error {
	next := pending.record
	next.Data, next.Due = encode(pending.announcement), k.market.clock.Now().Add(pause)
	next.Version++
	if err := k.market.store.SaveRecord(ctx, next); err != nil {
		return err
	}
	merged := pending.merged
	pending.record, pending.merged = next, nil
	return k.market.store.RemoveRecords(ctx, announcementKind, merged)
}

// add stores notifications concurrently. So SQLite commits several of them together, and
// the round trips to MongoDB overlap.
func (k *Announcer) add(ctx context.Context, notifications []Notification) error {
	return concurrently(announceWrites, notifications, func(n Notification) error {
		if n.Kind == NotifyMatch {
			return k.market.addMatch(ctx, n)
		}
		if err := k.market.store.AddNotification(ctx, n, []Effect{n.Event()}); !errors.Is(err, ErrExists) {
			return err
		}
		return nil
	})
}
