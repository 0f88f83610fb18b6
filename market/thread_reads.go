package market

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// threadContext reads what views of threads show: those of one reader, or of both sides if uid is "".
func (m *Market) threadContext(ctx context.Context, uid string, threads ...Thread) (threadContext, error) {
	c := threadContext{phones: map[string]Product{}, people: map[string]User{}, offers: map[string]Offer{}}
	phones, people, offers, blocks := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, t := range threads {
		phones[t.ProductID], people[t.BuyerUID], people[t.SellerUID] = true, true, true
		if t.Last.OfferID != "" {
			offers[t.Last.OfferID] = true
		}
		for _, side := range []string{t.BuyerUID, t.SellerUID} {
			if uid == "" || uid == side {
				blocks[blockID(side, t.other(side))] = true
			}
		}
	}
	products, err := m.store.ProductsByID(ctx, slices.Collect(maps.Keys(phones)))
	for _, p := range products {
		c.phones[p.ID] = p
	}
	users, failure := m.store.UsersByUID(ctx, slices.Collect(maps.Keys(people)))
	for _, u := range users {
		c.people[u.UID] = u
	}
	err = errors.Join(err, failure)
	if len(offers) > 0 {
		found, failure := m.store.OffersByID(ctx, slices.Collect(maps.Keys(offers)))
		for _, o := range found {
			c.offers[o.ID] = o
		}
		err = errors.Join(err, failure)
	}
	c.blocked, failure = m.blocks(ctx, slices.Collect(maps.Keys(blocks)))
	return c, errors.Join(err, failure)
}

func (m *Market) thread(ctx context.Context, id string) (Thread, error) {
	t, err := m.store.Thread(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return t, missing("conversation")
	}
	return t, err
}

// ownThread returns the thread with an ID to its sides.
func (m *Market) ownThread(ctx context.Context, who Actor, id string) (Thread, error) {
	t, err := m.thread(ctx, id)
	if err == nil && (t.side(who.User.UID) == "" || !who.User.MayBuy()) {
		err = forbidden("This conversation belongs to other people")
	}
	return t, err
}

// Thread returns a thread to its sides.
func (m *Market) Thread(ctx context.Context, who Actor, id string) (ThreadView, error) {
	t, err := m.ownThread(ctx, who, id)
	if err != nil {
		return ThreadView{}, err
	}
	c, err := m.threadContext(ctx, who.User.UID, t)
	return c.view(t, who.User.UID, m.clock.Now()), err
}

// ThreadList is a page of a person's threads.
type ThreadList struct {
	List[ThreadView]

	After  string // the Page.After of the next page
	Unread int    // threads with unread messages, on all pages
}

// Threads lists a person's threads, those with the newest messages first; only those about a phone if
// productID is not "".
func (m *Market) Threads(ctx context.Context, who Actor, productID string, page Page) (ThreadList, error) {
	uid := who.User.UID
	if !who.User.MayBuy() {
		return ThreadList{}, forbidden("Admins have no conversations")
	}
	stored, err := m.store.ThreadsOf(ctx, uid, productID, page)
	if err != nil {
		return ThreadList{}, err
	}
	c, err := m.threadContext(ctx, uid, stored.Items...)
	if err != nil {
		return ThreadList{}, err
	}
	list := ThreadList{List: List[ThreadView]{Total: stored.Total, More: stored.More}}
	for _, t := range stored.Items {
		list.Items, list.After = append(list.Items, c.view(t, uid, m.clock.Now())), t.Last.ID
	}
	list.Unread, err = m.store.CountUnreadThreads(ctx, uid)
	return list, err
}

// Messages lists a page of a thread's messages to its sides, the newest first.
func (m *Market) Messages(ctx context.Context, who Actor, id string, page Page) (List[MessageView], error) {
	t, err := m.ownThread(ctx, who, id)
	if err != nil {
		return List[MessageView]{}, err
	}
	found, err := m.store.Messages(ctx, t.ID, page)
	if err != nil {
		return List[MessageView]{}, err
	}
	list := List[MessageView]{Total: found.Total, More: found.More}
	var ids []string
	for _, v := range found.Items {
		if v.OfferID != "" {
			ids = append(ids, v.OfferID)
		}
	}
	offers, err := m.store.OffersByID(ctx, ids)
	for _, v := range found.Items {
		var about *Offer
		if i := slices.IndexFunc(offers, func(o Offer) bool { return o.ID == v.OfferID }); i >= 0 {
			about = &offers[i]
		}
		list.Items = append(list.Items, v.viewFor(who.User.UID, about))
	}
	return list, err
}

// BlockedThreads returns a thread with each person whom somebody has blocked.
func (m *Market) BlockedThreads(ctx context.Context, who Actor) ([]ThreadView, error) {
	uid, isListed := who.User.UID, map[string]bool{}
	var all []ThreadView
	read := func(page Page) ([]Thread, error) { return items(m.store.ThreadsOf(ctx, uid, "", page)) }
	for threads, err := range eachPage(sweepPage, read, threadPlace) {
		if err != nil {
			return nil, err
		}
		c, err := m.threadContext(ctx, uid, threads...)
		if err != nil {
			return nil, err
		}
		for _, t := range threads {
			if v := c.view(t, uid, m.clock.Now()); v.Blocked && !isListed[t.other(uid)] {
				all, isListed[t.other(uid)] = append(all, v), true
			}
		}
	}
	return all, nil
}
