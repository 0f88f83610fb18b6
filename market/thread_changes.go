package market

import "context"

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
