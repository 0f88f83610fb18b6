package market

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// Times and sizes of the announcer.
const (
	announceEvery = 500 * time.Millisecond
	announcePage  = 100              // people who are notified between two writes of the progress
	announceLease = 10 * time.Second // a running node needs less than this for a page; afterwards another node continues
	announceBatch = 200
	// announceKept is how long the record of a finished announcement is kept. In MongoDB a slow
	// process may still copy the record from an event that is published by then. While the event
	// is not published, the store keeps the record, see DocumentStore.PurgeRecords.
	announceKept = time.Hour

	announceWorkers = 10 // announcements that are processed at the same time
	announceWrites  = 25 // notifications that are stored at the same time
)

// Announcer notifies people of changes of phones that they watch, and of phones that match
// their saved searches. One runs on every node. It reads these people page by page and
// stores its progress, so that another node continues after a crash. Nobody gets two
// notifications of one cause, because the store refuses the second while it has the first.
type Announcer struct {
	market *Market
	log    *slog.Logger
}

// NewAnnouncer returns the announcer of a market.
func NewAnnouncer(m *Market, log *slog.Logger) *Announcer { return &Announcer{market: m, log: log} }

// Run runs until the context ends.
func (k *Announcer) Run(ctx context.Context) {
	repeat(ctx, announceEvery, k.log, "announcer", k.Step)
}

// Step processes all announcements that are due. One that fails is retried later and does
// not block the others.
func (k *Announcer) Step(ctx context.Context) error {
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

// pendingAnnouncement is an announcement that is being processed.
type pendingAnnouncement struct {
	announcement

	record Record
	phone  *Product  // nil if it was removed
	done   bool      // everybody is notified, or it cannot be read
	nobody *sync.Map // the IDs of phones and brands that nobody watches; shared by all announcements of one call of process
}

// process processes announcements at the same time. It reads their phones together, and
// finishes the records of all that are done in one write. It looks up only once that nobody
// watches a phone or a brand: people who start to watch it after the changes need no
// notification.
func (k *Announcer) process(ctx context.Context, due []Record) error {
	var (
		all    []*pendingAnnouncement
		phones []string
		nobody sync.Map
	)
	for _, r := range due {
		a, err := announcementIn(r)
		if err != nil {
			k.log.ErrorContext(ctx, "announcement dropped: it cannot be read", "announcement", r.ID, "error", err)
		}
		all = append(all, &pendingAnnouncement{announcement: a, record: r, done: err != nil, nobody: &nobody})
		phones = append(phones, a.ProductID)
	}
	found, err := k.market.store.ProductsByID(ctx, phones)
	if err != nil {
		return err
	}
	for _, pending := range all {
		if i := slices.IndexFunc(found, func(p Product) bool { return p.ID == pending.ProductID }); i >= 0 {
			pending.phone = &found[i]
		}
	}
	err = concurrently(announceWorkers, all, func(pending *pendingAnnouncement) error {
		if err := k.try(ctx, pending); err != nil {
			return fmt.Errorf("announcement %s: %w", pending.record.ID, err)
		}
		return nil
	})
	return errors.Join(err, k.finish(ctx, all))
}

// finish stores which announcements are done.
func (k *Announcer) finish(ctx context.Context, all []*pendingAnnouncement) error {
	var done []string
	for _, pending := range all {
		if pending.done {
			done = append(done, pending.record.ID)
		}
	}
	if len(done) == 0 {
		return nil
	}
	return k.market.store.FinishRecords(ctx, announcementKind, done, k.market.clock.Now().Add(announceKept))
}

// try processes one announcement, or schedules a retry. It returns an error if it can do
// neither.
func (k *Announcer) try(ctx context.Context, pending *pendingAnnouncement) error {
	err := k.announce(ctx, pending)
	if err == nil || ctx.Err() != nil {
		return err
	}
	pending.Tries++
	k.log.WarnContext(ctx, "announcement failed and is retried later", "announcement", pending.record.ID, "tries", pending.Tries, "error", err)
	return ignoreConflict(k.save(ctx, pending, RetryPause(pending.Tries)))
}

// save stores the progress of an announcement. It is due again after the pause.
func (k *Announcer) save(ctx context.Context, pending *pendingAnnouncement, pause time.Duration) error {
	next := pending.record
	next.Data, next.Due = encode(pending.announcement), k.market.clock.Now().Add(pause)
	next.Version++
	err := k.market.store.SaveRecord(ctx, next)
	if err == nil {
		pending.record = next
	}
	return err
}

// announce processes one announcement from its stored progress.
func (k *Announcer) announce(ctx context.Context, pending *pendingAnnouncement) error {
	if pending.done || pending.phone == nil { // it cannot be read, or the phone was removed
		pending.done = true
		return nil
	}
	for ; pending.Audience < len(audiences); pending.Audience, pending.After = pending.Audience+1, "" {
		more := audiences[pending.Audience].concerns(pending.announcement)
		for more {
			var (
				notified bool
				err      error
			)
			if notified, more, err = k.announcePage(ctx, pending); err != nil {
				return err
			}
			if !notified || !more {
				continue // the next step reads these again
			}
			// A conflict means that another node processes the same announcement and will
			// finish it.
			if err := k.save(ctx, pending, announceLease); err != nil {
				return ignoreConflict(err)
			}
		}
	}
	pending.done = true
	return nil
}

// audience is one group of people who get an announcement's notifications.
type audience struct {
	concerns      func(a announcement) bool
	watched       func(p Product) string // what they watch: the ID of the phone or of its brand
	read          func(s Store, ctx context.Context, watched string, page Page) ([]Watching, error)
	notifications func(a announcement, p Product, w Watching, watched string, at time.Time) []Notification
}

// audiences are notified one after another.
var audiences = []audience{
	{
		concerns: func(a announcement) bool { return a.Kind != "" },
		watched:  func(p Product) string { return p.ID },
		read:     Store.WatchingOfPhone,
		notifications: func(a announcement, p Product, w Watching, _ string, at time.Time) []Notification {
			if n, ok := a.forWatcher(p, w, at); ok {
				return []Notification{n}
			}
			return nil
		},
	},
	searchers(func(p Product) string { return p.BrandID }),
	searchers(func(Product) string { return AnyBrand }),
}

// searchers returns the audience with a saved search of a brand.
func searchers(brand func(p Product) string) audience {
	return audience{
		concerns:      func(a announcement) bool { return a.Searches },
		watched:       brand,
		read:          Store.WatchingOfBrand,
		notifications: announcement.forSearcher,
	}
}

// announcePage notifies the next page of the audience. It returns whether it notified
// anybody, and whether there are more pages.
func (k *Announcer) announcePage(ctx context.Context, pending *pendingAnnouncement) (notified, more bool, err error) {
	m, group := k.market, audiences[pending.Audience]
	watched := group.watched(*pending.phone)
	if _, isUnwatched := pending.nobody.Load(watched); isUnwatched {
		return false, false, nil
	}
	people, err := group.read(m.store, ctx, watched, Page{Limit: announcePage, After: pending.After})
	if err != nil {
		return false, false, err
	}
	if len(people) == 0 && pending.After == "" {
		pending.nobody.Store(watched, true)
		return false, false, nil
	}
	defer m.NotifyRelay()
	var notifications []Notification
	for _, w := range people {
		notifications = append(notifications, group.notifications(pending.announcement, *pending.phone, w, watched, m.clock.Now())...)
	}
	if err := k.add(ctx, notifications); err != nil {
		return false, false, err
	}
	if len(people) > 0 {
		pending.After = people[len(people)-1].ID
	}
	return len(notifications) > 0, len(people) == announcePage, nil
}

// add stores notifications concurrently. So SQLite commits several of them together, and
// the round trips to MongoDB overlap.
func (k *Announcer) add(ctx context.Context, notifications []Notification) error {
	return concurrently(announceWrites, notifications, func(n Notification) error {
		if n.Kind == NotifyMatch {
			return k.market.addMatch(ctx, n)
		}
		if err := k.market.store.AddNotification(ctx, n, []Event{n.Event()}); !errors.Is(err, ErrExists) {
			return err
		}
		return nil
	})
}
