package market

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Times and sizes of announcements.
const (
	announcePause   = 500 * time.Millisecond
	announcePage    = 100 // people who are read together
	announceWorkers = 10  // sellers whose announcements are processed at the same time
	announceWrites  = 25  // notifications that are stored at the same time
)

// announcer notifies people of changes of phones that they watch, and of phones that match
// their saved searches. Nobody gets two notifications of one cause, because the store refuses
// the second while it has the first. So after a crash another node begins again.
//
// The announcements of a seller are processed together: those of a phone are merged, and each
// person with saved searches is read once. They wait while the seller's budget is used up.
type announcer struct {
	market  *Market
	budgets sellerBudgets
}

// AddAnnouncements adds the jobs that notify people of changes of phones.
func (m *Market) AddAnnouncements(r *Runner) {
	k := &announcer{market: m, budgets: sellerBudgets{}}
	r.AddJobs(m.store, JobKind{Kind: announcementKind, Pause: announcePause, DoAll: k.announce})
}

// announce processes announcements, those of different sellers at the same time.
func (k *announcer) announce(ctx context.Context, jobs []*Job) {
	k.budgets.forget(k.market.clock.Now())
	all := mergeByPhone(readAnnouncements(jobs))
	rounds, err := k.rounds(ctx, all)
	if err == nil {
		_ = concurrently(announceWorkers, rounds, func(r *announcerRound) error {
			r.run(ctx)
			return nil
		})
	}
	for _, pending := range all {
		pending.finish(err, k.market.clock.Now())
	}
}

// rounds returns the announcements by seller, with their phones. An announcement whose phone was
// removed is in none.
func (k *announcer) rounds(ctx context.Context, all []*pendingAnnouncement) ([]*announcerRound, error) {
	var phones []string
	for _, pending := range all {
		phones = append(phones, pending.ProductID)
	}
	found, err := k.market.store.ProductsByID(ctx, phones)
	if err != nil {
		return nil, err
	}
	var nobody sync.Map
	rounds := map[string]*announcerRound{}
	for _, pending := range all {
		i := slices.IndexFunc(found, func(p Product) bool { return p.ID == pending.ProductID })
		if i < 0 {
			continue
		}
		pending.comparison = pending.compare(found[i])
		seller := found[i].SellerUID
		if rounds[seller] == nil {
			rounds[seller] = &announcerRound{announcer: k, budget: k.budgets.of(seller), nobody: &nobody}
		}
		rounds[seller].queue = append(rounds[seller].queue, pending)
	}
	return slices.Collect(maps.Values(rounds)), nil
}

// readAnnouncements returns the announcements of jobs. A job that cannot be read is dead.
func readAnnouncements(jobs []*Job) (all []*pendingAnnouncement) {
	for _, job := range jobs {
		a, err := announcementIn(job.Record)
		if err != nil {
			job.Err = fmt.Errorf("%w: %w", ErrJobIsDead, err)
			continue
		}
		all = append(all, &pendingAnnouncement{announcement: a, job: job})
	}
	return all
}

// add stores notifications concurrently. So SQLite commits several of them together, and
// the round trips to MongoDB overlap.
func (k *announcer) add(ctx context.Context, notifications []Notification) error {
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

// The budget of a seller: how many people the announcer reads for their announcements. Beyond
// it the announcements wait, and those of a phone are merged meanwhile. So somebody who edits
// phones again and again cannot keep the announcer from the others. Each node has its own
// count, in memory.
const (
	announceAtOnce    = 10_000 // people who are read without a pause
	announcePerSecond = 500    // people a second, in the long run
)

// sellerBudget counts the people who were read for one seller. Only one goroutine uses it.
type sellerBudget struct {
	until time.Time // when all that was read so far would be paid off, at announcePerSecond
}

// pause returns how long the seller's announcements have to wait; 0 if they may be processed.
func (b *sellerBudget) pause(now time.Time) time.Duration {
	return max(0, b.until.Sub(now.Add(announceAtOnce*time.Second/announcePerSecond)))
}

// spend counts people who were read.
func (b *sellerBudget) spend(people int, now time.Time) {
	if b.until.Before(now) {
		b.until = now
	}
	b.until = b.until.Add(time.Duration(people) * time.Second / announcePerSecond)
}

// sellerBudgets are the budgets by the sellers' UIDs.
type sellerBudgets map[string]*sellerBudget

// of returns the budget of a seller.
func (all sellerBudgets) of(seller string) *sellerBudget {
	if all[seller] == nil {
		all[seller] = &sellerBudget{}
	}
	return all[seller]
}

// forget removes the budgets that are not used.
func (all sellerBudgets) forget(now time.Time) {
	maps.DeleteFunc(all, func(_ string, b *sellerBudget) bool { return !b.until.After(now) })
}
