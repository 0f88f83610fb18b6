package market

import (
	"context"
	"errors"
)

// ReadThread marks the other side's messages as read, up to and including one of the thread. It returns
// how many changed.
func (m *Market) ReadThread(ctx context.Context, who Actor, id, upTo string, wrong Fields) (changed int, err error) {
	t, err := m.ownThread(ctx, who, id)
	if err != nil {
		return 0, err
	}
	f := FieldsOf(wrong)
	f.text("upTo", upTo, maxShort)
	if err := f.Err(); err != nil {
		return 0, err
	}
	uid, notice := who.User.UID, ""
	err = m.changeThread(ctx, t.ID, func(t *Thread) ([]string, error) {
		before := *t.unreadOf(uid)
		after, err := m.unreadAfter(ctx, *t, uid, upTo)
		changed = before.Count - after.Count
		if err != nil || changed <= 0 {
			changed = 0
			return nil, err
		}
		*t.unreadOf(uid), notice = after, messageCause(before.First)
		return []string{uid}, nil
	})
	if err != nil || notice == "" {
		return changed, err
	}
	return changed, m.readNotificationOf(ctx, uid, notice)
}

// unreadAfter returns what of a thread a person has not read after they have read up to a message.
func (m *Market) unreadAfter(ctx context.Context, t Thread, uid, upTo string) (unread Unread, err error) {
	if upTo >= t.Last.ID {
		return Unread{}, nil
	}
	page := Page{Limit: sweepPage}
	for {
		list, err := m.store.Messages(ctx, t.ID, page)
		if err != nil {
			return unread, err
		}
		for _, v := range list.Items {
			if v.ID <= upTo {
				return unread, nil
			}
			if page.After = v.ID; v.ByUID != uid && v.Kind != MessageNote {
				unread.Count++
				unread.First = v.ID
			}
		}
		if !list.More {
			return unread, nil
		}
	}
}

// Block blocks the other side of a thread, in all threads of the two, and ends the offers between them.
// It returns 0 if they are blocked already.
func (m *Market) Block(ctx context.Context, who Actor, id string) (int, error) {
	t, err := m.ownThread(ctx, who, id)
	if err != nil {
		return 0, err
	}
	uid, now := who.User.UID, m.clock.Now()
	changed := 1
	err = m.store.AddRecord(ctx, Record{Kind: blockKind, ID: blockID(uid, t.other(uid)), Data: encode(now), Version: 1}, nil)
	if errors.Is(err, ErrExists) {
		changed, err = 0, nil
	}
	if err != nil {
		return 0, err
	}
	return changed, m.eachThreadOfPair(ctx, t.Pair(), func(t Thread) error {
		// First, so that no line or offer is added by a call that has not seen the block.
		if err := m.touchThread(ctx, t.ID, uid); err != nil {
			return err
		}
		offers, err := m.store.OffersOfThread(ctx, t.ID)
		for _, o := range offers {
			err = errors.Join(err, m.endOffer(ctx, o.ID, OfferGone))
		}
		return err
	})
}

// Unblock ends a block. It returns 0 if there is none.
func (m *Market) Unblock(ctx context.Context, who Actor, id string) (int, error) {
	t, err := m.ownThread(ctx, who, id)
	if err != nil {
		return 0, err
	}
	block := blockID(who.User.UID, t.other(who.User.UID))
	if _, err := m.store.Record(ctx, blockKind, block); err != nil {
		return 0, ignoreNotFound(err)
	}
	if err := m.store.RemoveRecords(ctx, blockKind, []string{block}); err != nil {
		return 0, err
	}
	return 1, m.eachThreadOfPair(ctx, t.Pair(), func(t Thread) error { return m.touchThread(ctx, t.ID, who.User.UID) })
}

// touchThread raises a thread's version, because what one side sees of it has changed.
func (m *Market) touchThread(ctx context.Context, id, uid string) error {
	return m.changeThread(ctx, id, func(*Thread) ([]string, error) { return []string{uid}, nil })
}

func (m *Market) eachThreadOfPair(ctx context.Context, pair string, visit func(Thread) error) error {
	return each(func(page Page) ([]Thread, error) { return m.store.ThreadsOfPair(ctx, pair, page) }, threadPlace, visit)
}

func (m *Market) eachThreadOfPhone(ctx context.Context, productID string, visit func(Thread) error) error {
	return each(func(page Page) ([]Thread, error) { return m.store.ThreadsOfPhone(ctx, productID, page) }, threadPlace, visit)
}

func (m *Market) eachThreadOf(ctx context.Context, uid string, visit func(Thread) error) error {
	return each(func(page Page) ([]Thread, error) { return items(m.store.ThreadsOf(ctx, uid, "", page)) }, threadPlace, visit)
}

// threadPlace is the place of a thread in lists.
func threadPlace(t Thread) string { return t.Last.ID }

func (m *Market) eachMessageOf(ctx context.Context, threadID string, visit func(Message) error) error {
	return each(func(page Page) ([]Message, error) { return items(m.store.Messages(ctx, threadID, page)) },
		func(v Message) string { return v.ID }, visit)
}
