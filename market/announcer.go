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
	announcePage  = 100              // people who are told between two writes of the progress
	announceLease = 10 * time.Second // a node that has told a page has told the next by then, or is gone
	announceBatch = 50

	announceWorkers = 10 // announcements at the same time, each of another change
	announceAtOnce  = 25 // notifications that are stored at the same time
)

// Announcer tells people what has changed on phones that they watch, and which phones match
// their searches. One runs on every node. It reads these people page by page and stores how
// far it has come, so that after a crash another node goes on from there. Nobody is told
// twice: a notification of the same cause is not stored again.
type Announcer struct {
	market *Market
	log    *slog.Logger
}

// NewAnnouncer makes the announcer of a market.
func NewAnnouncer(m *Market, log *slog.Logger) *Announcer { return &Announcer{market: m, log: log} }

// Run works until the context ends.
func (k *Announcer) Run(ctx context.Context) {
	repeat(ctx, announceEvery, k.log, "announcer", k.Step)
}

// Step tells all that is due now. An announcement that fails is put off, so that those after
// it are told.
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

// telling is an announcement that is being told.
type telling struct {
	announcement

	record Record
	phone  *Product  // nil where it has been removed
	nobody *sync.Map // the phones and brands without anybody; the same for all that are told together
}

// tell tells announcements at the same time. Their phones are read at once, and a phone or
// brand that nobody watches is looked up once: who watches it since before one of these
// changes would be found.
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

// try tells one announcement, or puts it off. It returns an error where it can do neither.
func (k *Announcer) try(ctx context.Context, t *telling) error {
	err := k.announce(ctx, t)
	if err == nil || ctx.Err() != nil {
		return err
	}
	t.Tries++
	k.log.WarnContext(ctx, "announcement not told yet", "announcement", t.record.ID, "tries", t.Tries, "error", err)
	return unlessChanged(k.save(ctx, t, RetryPause(t.Tries)))
}

// save stores how far an announcement has been told. It is due again after the pause.
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

// announce tells one announcement, from where it was left.
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
				continue // nothing is lost if these are looked at again
			}
			// A conflict means that another node tells the same: it goes on.
			if err := k.save(ctx, t, announceLease); err != nil {
				return unlessChanged(err)
			}
		}
	}
	return k.finish(ctx, t.record)
}

// finish lets the record be forgotten.
func (k *Announcer) finish(ctx context.Context, r Record) error {
	r.Data, r.Due, r.Expires = nil, time.Time{}, k.market.clock.Now()
	r.Version++
	return unlessChanged(k.market.store.SaveRecord(ctx, r))
}

// audience is a part of those who hear of an announcement.
type audience struct {
	isMeant func(a announcement) bool
	of      func(p Product) string // what they watch: the ID of a phone or a brand
	read    func(s Store, ctx context.Context, of string, page Page) ([]Watching, error)
	notes   func(a announcement, p Product, w Watching, of string, at time.Time) []Notification
}

// audiences are told one after another.
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

// searchers are those with a search of a brand.
func searchers(of func(p Product) string) audience {
	return audience{
		isMeant: func(a announcement) bool { return a.Searches },
		of:      of,
		read:    Store.WatchingOfBrand,
		notes:   announcement.forSearcher,
	}
}

// announcePage tells the next page of the audience. It returns whether anybody was told, and
// whether there are more of them.
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

// add stores notifications at the same time: SQLite commits together what waits, and MongoDB
// is not waited for once for each of them.
func (k *Announcer) add(ctx context.Context, notes []Notification) error {
	return atOnce(announceAtOnce, notes, func(n Notification) error {
		if err := k.market.store.AddNotification(ctx, n, []Event{n.Event()}); !errors.Is(err, ErrExists) {
			return err
		}
		return nil
	})
}
