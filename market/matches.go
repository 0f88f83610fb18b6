package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The matches of one seller for one person are one notification while it is unread, for an
// hour. Its Cause is the seller's, so the store has at most one to which a match can be added.
// When another begins, the old one gets its ID as the Cause.

const (
	matchWindow = time.Hour
	// maxKnownMatches is how many matches of a notification, and of the seller's earlier ones,
	// are known, so that the person is not notified of them again.
	maxKnownMatches = 100
)

// Matches is what a NotifyMatch is about. A pair is a saved search and a phone, "search:phone".
type Matches struct {
	Search  string   `json:"search"`            // the path of the screen that shows the search
	Phones  int      `json:"phones"`            // how many there are
	Pairs   []string `json:"pairs"`             // the last ones that the notification is about
	Earlier []string `json:"earlier,omitempty"` // the last ones that earlier ones of the seller were about
}

// newMatch returns the notification of a phone that matches a saved search.
func newMatch(uid string, s SavedSearch, p Product, at time.Time) Notification {
	text := fmt.Sprintf("New for your search “%s”: %s for $%d.", s.Name, p.title(), p.ResalePrice)
	n := NewNotification(uid, NotifyMatch, text, linkPhone+p.ID, "match:"+p.SellerUID, at)
	n.Subject, n.ProductID = s.Name, p.ID
	n.Matches = &Matches{Search: linkSearch + s.Query.Encode(), Phones: 1, Pairs: []string{s.ID + ":" + p.ID}}
	return n
}

// lastMatches returns the last maxKnownMatches pairs.
func lastMatches(pairs []string) []string { return pairs[max(0, len(pairs)-maxKnownMatches):] }

// withMatches returns the notification with the matches of another, which is about one phone of
// the same seller.
func (n Notification) withMatches(other Notification) Notification {
	isKnown := slices.ContainsFunc(n.Matches.Pairs, func(pair string) bool { return strings.HasSuffix(pair, ":"+other.ProductID) })
	m := *n.Matches
	m.Pairs = lastMatches(slices.Concat(m.Pairs, other.Matches.Pairs))
	n.Matches = &m
	if isKnown { // it matches another search, maybe at another price
		if m.Phones == 1 {
			n.Text, n.Subject = other.Text, other.Subject
		}
		return n
	}
	m.Phones++
	n.ProductID = ""
	n.Link, n.Text = m.Search, fmt.Sprintf("%d new phones for your search “%s”.", m.Phones, n.Subject)
	if n.Subject != other.Subject {
		n.Subject = ""
	}
	if n.Subject == "" {
		n.Link, n.Text = linkWatching, fmt.Sprintf("%d new phones for your searches.", m.Phones)
	}
	return n
}

// addMatch stores a new notification of a match, or adds the match to the seller's last
// notification of the person. It does nothing if they were notified of the match before.
func (m *Market) addMatch(ctx context.Context, n Notification) error {
	for {
		err := m.store.AddNotification(ctx, n, []Effect{n.Event()})
		if !errors.Is(err, ErrExists) {
			return err
		}
		last, err := m.store.NotificationOfCause(ctx, n.UID, n.Cause)
		if errors.Is(err, ErrNotFound) { // deleted in between
			continue
		}
		if err != nil {
			return err
		}
		known := slices.Concat(last.Matches.Earlier, last.Matches.Pairs)
		n.Matches.Pairs = slices.DeleteFunc(n.Matches.Pairs, func(pair string) bool { return slices.Contains(known, pair) })
		if len(n.Matches.Pairs) == 0 {
			return nil
		}
		n.Matches.Earlier = lastMatches(known)
		isDone, err := m.changeLastMatch(ctx, last, n)
		if isDone || err != nil && !errors.Is(err, ErrConflict) && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
}

// changeLastMatch adds the matches of n to the seller's last notification, or lets another
// begin. It returns whether it added them.
func (m *Market) changeLastMatch(ctx context.Context, last, n Notification) (isAdded bool, err error) {
	now := m.clock.Now()
	isAdded = last.ReadAt.IsZero() && now.Sub(last.At) < matchWindow
	if isAdded {
		last.Changes++
		if last = last.withMatches(n); last.EmailDue.IsZero() { // an email about it was sent, or not wanted
			last.Email, last.EmailDue = "", now.Add(emailDelay)
		}
	} else {
		last.Cause = last.ID
	}
	last.Version++
	err = m.store.SaveNotification(ctx, last, []Effect{last.event(TypeNotificationChanged, now)})
	return isAdded && err == nil, err
}
