package market

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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
		if err != nil {
			return err
		}
		err = atOnce(announceWorkers, due, func(r Record) error {
			if err := k.try(ctx, r); err != nil {
				return fmt.Errorf("announcement %s: %w", r.ID, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(due) < announceBatch {
			return nil
		}
	}
}

// try tells one announcement, or puts it off. It returns an error where it can do neither.
func (k *Announcer) try(ctx context.Context, r Record) error {
	a, err := announcementIn(r)
	if err != nil {
		k.log.ErrorContext(ctx, "announcement dropped: it cannot be read", "announcement", r.ID, "error", err)
		return k.finish(ctx, r)
	}
	err = k.announce(ctx, &r, &a)
	if err == nil || ctx.Err() != nil {
		return err
	}
	a.Tries++
	k.log.WarnContext(ctx, "announcement not told yet", "announcement", r.ID, "tries", a.Tries, "error", err)
	return unlessChanged(k.save(ctx, &r, a, RetryPause(a.Tries)))
}

// save stores how far an announcement has been told. It is due again after the pause.
func (k *Announcer) save(ctx context.Context, r *Record, a announcement, pause time.Duration) error {
	next := *r
	next.Data, next.Due = encode(a), k.market.clock.Now().Add(pause)
	next.Version++
	err := k.market.store.SaveRecord(ctx, next)
	if err == nil {
		*r = next
	}
	return err
}

// announce tells one announcement, from where it was left.
func (k *Announcer) announce(ctx context.Context, r *Record, a *announcement) error {
	p, err := k.market.store.Product(ctx, a.ProductID)
	if errors.Is(err, ErrNotFound) {
		return k.finish(ctx, *r)
	}
	if err != nil {
		return err
	}
	for ; a.Audience < len(audiences); a.Audience, a.After = a.Audience+1, "" {
		more := audiences[a.Audience].isMeant(*a)
		for more {
			var told bool
			if told, more, err = k.announcePage(ctx, a, p); err != nil {
				return err
			}
			if !told || !more {
				continue // nothing is lost if these are looked at again
			}
			// A conflict means that another node tells the same: it goes on.
			if err := k.save(ctx, r, *a, announceLease); err != nil {
				return unlessChanged(err)
			}
		}
	}
	return k.finish(ctx, *r)
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
	read    func(ctx context.Context, s Store, p Product, page Page) ([]Watching, error)
	notes   func(a announcement, p Product, w Watching, at time.Time) []Notification
}

// audiences are told one after another.
var audiences = []audience{
	{
		isMeant: func(a announcement) bool { return a.Kind != "" },
		read: func(ctx context.Context, s Store, p Product, page Page) ([]Watching, error) {
			return s.WatchingOfPhone(ctx, p.ID, page)
		},
		notes: func(a announcement, p Product, w Watching, at time.Time) []Notification {
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
func searchers(brandOf func(Product) string) audience {
	return audience{
		isMeant: func(a announcement) bool { return a.Searches },
		read: func(ctx context.Context, s Store, p Product, page Page) ([]Watching, error) {
			return s.WatchingOfBrand(ctx, brandOf(p), page)
		},
		notes: func(a announcement, p Product, w Watching, at time.Time) []Notification {
			return a.forSearcher(p, w, brandOf(p), at)
		},
	}
}

// announcePage tells the next page of the audience. It returns whether anybody was told, and
// whether there are more of them.
func (k *Announcer) announcePage(ctx context.Context, a *announcement, p Product) (told, more bool, err error) {
	m, to := k.market, audiences[a.Audience]
	some, err := to.read(ctx, m.store, p, Page{Limit: announcePage, After: a.After})
	if err != nil {
		return false, false, err
	}
	defer m.NotifyRelay()
	var notes []Notification
	for _, w := range some {
		notes = append(notes, to.notes(*a, p, w, m.clock.Now())...)
	}
	if err := k.add(ctx, notes); err != nil {
		return false, false, err
	}
	if len(some) > 0 {
		a.After = some[len(some)-1].ID
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
