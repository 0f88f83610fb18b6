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
	announceBatch = 50

	announceWorkers = 10 // announcements that are processed at the same time
	announceAtOnce  = 25 // notifications that are stored at the same time
)

// Announcer notifies people of changes of phones that they watch, and of phones that match
// their saved searches. One runs on every node. It reads these people page by page and
// stores its progress, so that another node continues after a crash. Nobody gets two
// notifications of one cause, because the store refuses the second.
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
		if err := k.tell(ctx, due); err != nil || len(due) < announceBatch {
			return err
		}
	}
}

// pendingAnnouncement is an announcement that is being processed.
type telling struct {
	announcement

	record Record
	phone  *Product  // nil if it was removed
	nobody *sync.Map // the phones and brands that nobody watches; shared by all announcements of one Step
}

// process processes announcements at the same time. It reads their phones together. It
// looks up only once that nobody watches a phone or a brand: people who start to watch it
// after the changes need no notification.
func (k *Announcer) tell(ctx context.Context, due []Record) error {
	var (
		all    []*telling
		phones []string
		nobody sync.Map
	)
	for _, r := range due {
		a, err := announcementIn(r)
		if err != nil {
			k.log.ErrorContext(ctx, "announcement dropped: it cannot be read", "announcement", r.ID, "error", err)
		}
		all = append(all, &telling{announcement: a, record: r, nobody: &nobody})
		phones = append(phones, a.ProductID)
	}
	found, err := k.market.store.ProductsByID(ctx, phones)
	if err != nil {
		return err
	}
	for _, t := range all {
		if i := slices.IndexFunc(found, func(p Product) bool { return p.ID == t.ProductID }); i >= 0 {
			t.phone = &found[i]
		}
	}
	return atOnce(announceWorkers, all, func(t *telling) error {
		if err := k.try(ctx, t); err != nil {
			return fmt.Errorf("announcement %s: %w", t.record.ID, err)
		}
		return nil
	})
}

// try processes one announcement, or schedules a retry. It returns an error if it can do
// neither.
func (k *Announcer) try(ctx context.Context, t *telling) error {
	err := k.announce(ctx, t)
	if err == nil || ctx.Err() != nil {
		return err
	}
	t.Tries++
	k.log.WarnContext(ctx, "announcement not told yet", "announcement", t.record.ID, "tries", t.Tries, "error", err)
	return unlessChanged(k.save(ctx, t, RetryPause(t.Tries)))
}

// save stores the progress of an announcement. It is due again after the pause.
func (k *Announcer) save(ctx context.Context, t *telling, pause time.Duration) error {
	next := t.record
	next.Data, next.Due = encode(t.announcement), k.market.clock.Now().Add(pause)
	next.Version++
	err := k.market.store.SaveRecord(ctx, next)
	if err == nil {
		t.record = next
	}
	return err
}

// announce processes one announcement from its stored progress.
func (k *Announcer) announce(ctx context.Context, t *telling) error {
	if t.phone == nil {
		return k.finish(ctx, t.record)
	}
	for ; t.Audience < len(audiences); t.Audience, t.After = t.Audience+1, "" {
		more := audiences[t.Audience].isMeant(t.announcement)
		for more {
			var (
				told bool
				err  error
			)
			if told, more, err = k.announcePage(ctx, t); err != nil {
				return err
			}
			if !told || !more {
				continue // the next step reads these again
			}
			// A conflict means that another node processes the same announcement and will
			// finish it.
			if err := k.save(ctx, t, announceLease); err != nil {
				return unlessChanged(err)
			}
		}
	}
	return k.finish(ctx, t.record)
}

// finish lets the record expire.
func (k *Announcer) finish(ctx context.Context, r Record) error {
	r.Data, r.Due, r.Expires = nil, time.Time{}, k.market.clock.Now()
	r.Version++
	return unlessChanged(k.market.store.SaveRecord(ctx, r))
}

// audience is one group of people who get an announcement's notifications.
type audience struct {
	isMeant func(a announcement) bool
	of      func(p Product) string // what they watch: the ID of the phone or of its brand
	read    func(s Store, ctx context.Context, of string, page Page) ([]Watching, error)
	notes   func(a announcement, p Product, w Watching, of string, at time.Time) []Notification
}

// audiences are notified one after another.
var audiences = []audience{
	{
		isMeant: func(a announcement) bool { return a.Kind != "" },
		of:      func(p Product) string { return p.ID },
		read:    Store.WatchingOfPhone,
		notes: func(a announcement, p Product, w Watching, _ string, at time.Time) []Notification {
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
func searchers(of func(p Product) string) audience {
	return audience{
		isMeant: func(a announcement) bool { return a.Searches },
		of:      of,
		read:    Store.WatchingOfBrand,
		notes:   announcement.forSearcher,
	}
}

// announcePage notifies the next page of the audience. It returns whether it notified
// anybody, and whether there are more pages.
func (k *Announcer) announcePage(ctx context.Context, t *telling) (told, more bool, err error) {
	m, to := k.market, audiences[t.Audience]
	of := to.of(*t.phone)
	if _, is := t.nobody.Load(of); is {
		return false, false, nil
	}
	some, err := to.read(m.store, ctx, of, Page{Limit: announcePage, After: t.After})
	if err != nil {
		return false, false, err
	}
	if len(some) == 0 && t.After == "" {
		t.nobody.Store(of, true)
		return false, false, nil
	}
	defer m.NotifyRelay()
	var notes []Notification
	for _, w := range some {
		notes = append(notes, to.notes(t.announcement, *t.phone, w, of, m.clock.Now())...)
	}
	if err := k.add(ctx, notes); err != nil {
		return false, false, err
	}
	if len(some) > 0 {
		t.After = some[len(some)-1].ID
	}
	return len(notes) > 0, len(some) == announcePage, nil
}

// add stores notifications concurrently. So SQLite commits several of them together, and
// the round trips to MongoDB overlap.
func (k *Announcer) add(ctx context.Context, notes []Notification) error {
	return atOnce(announceAtOnce, notes, func(n Notification) error {
		if err := k.market.store.AddNotification(ctx, n, []Event{n.Event()}); !errors.Is(err, ErrExists) {
			return err
		}
		return nil
	})
}
