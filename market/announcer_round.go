package market

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// pendingAnnouncement is an announcement that is being processed.
type pendingAnnouncement struct {
	announcement
	comparison

	job    *Job
	merged bool          // it has the content of other jobs
	keys   []searchKey   // those whose people were read
	pause  time.Duration // of a seller whose budget is used up
	err    error         // why it is not processed any further
}

// finish stores the result in the job. If the job stays, it has the content of the jobs that were
// merged into it.
func (p *pendingAnnouncement) finish(err error, now time.Time) {
	p.job.Err = errors.Join(p.err, err)
	if p.pause > 0 {
		p.job.Again = now.Add(p.pause)
	}
	if p.merged && (p.job.Err != nil || p.pause > 0) {
		p.job.Data = encode(p.announcement)
	}
}

// mergeByPhone returns one announcement for each phone, the first changes first.
func mergeByPhone(due []*pendingAnnouncement) []*pendingAnnouncement {
	slices.SortStableFunc(due, func(a, b *pendingAnnouncement) int {
		return cmp.Or(cmp.Compare(a.ProductID, b.ProductID), cmp.Compare(a.From, b.From))
	})
	var all []*pendingAnnouncement
	for _, next := range due {
		if len(all) == 0 || all[len(all)-1].ProductID != next.ProductID {
			all = append(all, next)
			continue
		}
		first := all[len(all)-1]
		first.announcement = first.with(next.announcement)
		first.merged = true
	}
	return all
}

// announcerRound processes the announcements of one seller, at most one of each phone.
type announcerRound struct {
	announcer *announcer
	queue     []*pendingAnnouncement
	budget    *sellerBudget
	// nobody has the IDs of phones and keys of searches that nobody watches. All rounds of one
	// call of announcer.announce share it: people who start to watch something after the
	// changes need no notification.
	nobody *sync.Map
}

// run processes the announcements, or lets them wait until the seller has a budget again.
func (r *announcerRound) run(ctx context.Context) {
	if pause := r.budget.pause(r.now()); pause > 0 {
		for _, pending := range r.queue {
			pending.pause = pause
		}
		return
	}
	for _, pending := range r.queue {
		r.notifyWatchers(ctx, pending)
	}
	for _, key := range r.searchKeys() {
		r.notifySearchers(ctx, key)
	}
}

func (r *announcerRound) now() time.Time { return r.announcer.market.clock.Now() }

// active returns those of the announcements that have not failed.
func (r *announcerRound) active(some []*pendingAnnouncement) []*pendingAnnouncement {
	return slices.DeleteFunc(slices.Clone(some), func(pending *pendingAnnouncement) bool { return pending.err != nil })
}

// searchKeys returns the keys of all announcements, each once.
func (r *announcerRound) searchKeys() []searchKey {
	var all []searchKey
	for _, pending := range r.queue {
		for _, key := range pending.searchKeys(pending.phone) {
			if !slices.Contains(all, key) {
				all = append(all, key)
			}
		}
	}
	return all
}

// audience is a group of people who may get notifications.
type audience struct {
	watched string // what they watch: the ID of a phone, or a key of their searches
	read    func(s Store, ctx context.Context, watched string, page Page) ([]Watching, error)
	// concerned are the announcements of which they may get notifications.
	concerned     []*pendingAnnouncement
	notifications func(pending *pendingAnnouncement, w Watching, at time.Time) []Notification
}

// notifyWatchers notifies the people who watch the phone.
func (r *announcerRound) notifyWatchers(ctx context.Context, pending *pendingAnnouncement) {
	if len(pending.Changes) == 0 {
		return
	}
	r.notify(ctx, audience{
		pending.ProductID, Store.WatchingOfPhone,
		[]*pendingAnnouncement{pending},
		func(pending *pendingAnnouncement, w Watching, at time.Time) (all []Notification) {
			for _, change := range pending.Changes {
				if n, ok := change.forWatcher(pending.phone, w, at); ok {
					all = append(all, n)
				}
			}
			return all
		},
	})
}

// notifySearchers notifies the people with saved searches that have a key.
func (r *announcerRound) notifySearchers(ctx context.Context, key searchKey) {
	concerned := slices.DeleteFunc(slices.Clone(r.queue), func(pending *pendingAnnouncement) bool {
		return !slices.Contains(pending.searchKeys(pending.phone), key)
	})
	r.notify(ctx, audience{
		key.String(), Store.WatchingOfSearches, concerned,
		func(pending *pendingAnnouncement, w Watching, at time.Time) []Notification {
			return pending.forSearcher(w, key, pending.keys, at)
		},
	})
	for _, pending := range concerned {
		pending.keys = append(pending.keys, key)
	}
}

// notify reads an audience page by page, and notifies it. An error ends the announcements that
// it concerns.
func (r *announcerRound) notify(ctx context.Context, group audience) {
	if _, isUnwatched := r.nobody.Load(group.watched); isUnwatched {
		return
	}
	for page, more := (Page{Limit: announcePage}), true; more; {
		concerned := r.active(group.concerned)
		if len(concerned) == 0 {
			return
		}
		people, err := r.read(ctx, group, page)
		if err != nil {
			for _, pending := range concerned {
				pending.err = err
			}
			return
		}
		if len(people) == 0 {
			return
		}
		for _, pending := range r.active(concerned) {
			pending.err = r.notifyOf(ctx, pending, group, people)
		}
		page.After, more = people[len(people)-1].ID, len(people) == announcePage
	}
}

// read reads a page of an audience.
func (r *announcerRound) read(ctx context.Context, group audience, page Page) ([]Watching, error) {
	people, err := group.read(r.announcer.market.store, ctx, group.watched, page)
	if err != nil {
		return nil, err
	}
	if len(people) == 0 && page.After == "" {
		r.nobody.Store(group.watched, true)
	}
	r.budget.spend(len(people), r.now())
	return people, nil
}

// notifyOf notifies people of one announcement.
func (r *announcerRound) notifyOf(ctx context.Context, pending *pendingAnnouncement, group audience, people []Watching) error {
	var notifications []Notification
	for _, w := range people {
		notifications = append(notifications, group.notifications(pending, w, r.now())...)
	}
	if len(notifications) == 0 {
		return nil
	}
	return r.announcer.add(ctx, notifications)
}
