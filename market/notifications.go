package market

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Limits of notifications.
const (
	NotificationsKept = 200                  // of each person: the oldest goes when there are more
	NotificationKept  = 365 * 24 * time.Hour // how long one is kept at most
)

// NotificationKind is what a notification is about.
type NotificationKind string

// The kinds of notifications.
const (
	NotifyBooked    NotificationKind = "booked"    // to the seller: their phone is booked
	NotifyPaid      NotificationKind = "paid"      // to the seller: their phone is paid
	NotifyReleased  NotificationKind = "released"  // to the seller and the buyer: a booking has ended
	NotifyVerified  NotificationKind = "verified"  // to the seller
	NotifyTurn      NotificationKind = "turn"      // to the next on a waitlist: the phone is theirs, or why it is not
	NotifyMessage   NotificationKind = "message"   // to the other side of a conversation
	NotifyOffer     NotificationKind = "offer"     // to either side of an offer
	NotifyPrice     NotificationKind = "price"     // to who watches the phone: it is cheaper
	NotifyAvailable NotificationKind = "available" // to who waits or watches: everybody can book the phone, or nobody any more
	NotifySold      NotificationKind = "sold"      // to who waits or watches
	NotifyMatch     NotificationKind = "match"     // to who saved a search: it has a new phone
	NotifyOrder     NotificationKind = "order"     // to the buyer: what became of their payment
	NotifyReport    NotificationKind = "report"    // to admins
)

// NotificationKinds lists all kinds.
func NotificationKinds() []NotificationKind {
	return []NotificationKind{
		NotifyBooked, NotifyPaid, NotifyReleased, NotifyVerified, NotifyTurn, NotifyMessage, NotifyOffer,
		NotifyPrice, NotifyAvailable, NotifySold, NotifyMatch, NotifyOrder, NotifyReport,
	}
}

// Notification tells one person something. Its text names phones, and no other person.
//
// It is stored in one of two ways: with the write that is its cause, in an event of that
// write (Notification.Event), or by itself (NotificationStore.AddNotification).
type Notification struct {
	ID      string // begins with the time, as every id
	UID     string // whom it tells
	Kind    NotificationKind
	Text    string
	Subject string // the name of the saved search, for NotifyMatch: who lists notifications groups them by it; else empty
	Link    string // the path of a screen of the client
	Cause   string // unique among the person's: nobody is told of a cause twice. The ID where the notification is stored with its cause
	At      time.Time
	ReadAt  time.Time // zero while it is unread
	Version int64     // 2 once it is read

	// Email is what was decided about an email to the person; "" before it is decided, a
	// while after At (see Emailer). EmailDue is when the next step of that must be done,
	// zero if nothing is left to do. Neither raises the version.
	Email    EmailWhen
	EmailDue time.Time
}

// NewNotification makes an unread notification. An empty cause is replaced by the ID.
func NewNotification(uid string, kind NotificationKind, text, link, cause string, at time.Time) Notification {
	id := NewID(at)
	return Notification{
		ID: id, UID: uid, Kind: kind, Text: text, Link: link, Cause: cmp.Or(cause, id), At: at, Version: 1,
		EmailDue: at.Add(emailAfter),
	}
}

// notify returns the event that stores a notification with a write and brings it to the
// person.
func notify(uid string, kind NotificationKind, text, link string, at time.Time) Event {
	return NewNotification(uid, kind, text, link, "", at).Event()
}

// Event is the event that brings the new notification to its person. With the write of
// its cause it also stores it there.
func (n Notification) Event() Event { return n.event(TypeNotificationAdded, n.At) }

func (n Notification) event(kind string, at time.Time) Event {
	return Event{Topic: TopicMe(n.UID), Type: kind, At: at, Entity: n.ID, Version: n.Version, Data: encode(n.View())}
}

// NotificationsIn returns the new notifications in events, which a store keeps with them.
func NotificationsIn(events []Event) ([]Notification, error) {
	var all []Notification
	for _, e := range events {
		if e.Type != TypeNotificationAdded {
			continue
		}
		var v NotificationView
		if err := json.Unmarshal(e.Data, &v); err != nil {
			return nil, fmt.Errorf("read the notification of an event: %w", err)
		}
		all = append(all, Notification{
			ID: v.ID, UID: strings.TrimPrefix(e.Topic, prefixMe), Kind: v.Kind, Text: v.Text, Subject: v.Subject, Link: v.Link,
			Cause: v.ID, At: v.CreatedAt, Version: v.Version, EmailDue: v.CreatedAt.Add(emailAfter),
		})
	}
	return all, nil
}

// NotificationList is a page of a person's notifications.
type NotificationList struct {
	List[Notification]

	Unread int // of all, not of the page
}

// Notifications lists what a person was told, newest first.
func (m *Market) Notifications(ctx context.Context, who Actor, page Page) (NotificationList, error) {
	list, err := m.store.NotificationsOf(ctx, who.User.UID, page)
	if err != nil {
		return NotificationList{}, err
	}
	unread, err := m.store.UnreadNotifications(ctx, who.User.UID, NotificationsKept)
	return NotificationList{list, len(unread)}, err
}

// ReadNotifications marks as read all of a person's notifications up to one of them. It
// returns how many changed. Each is a write of its own; after a crash the rest is unread.
func (m *Market) ReadNotifications(ctx context.Context, who Actor, upTo string, wrong Fields) (int, error) {
	f := fieldsOf(wrong)
	f.text("upTo", upTo, maxShort)
	if err := f.err(); err != nil {
		return 0, err
	}
	last, err := m.store.Notification(ctx, upTo)
	if errors.Is(err, ErrNotFound) || (err == nil && last.UID != who.User.UID) {
		return 0, missing("notification")
	}
	if err != nil {
		return 0, err
	}
	unread, err := m.store.UnreadNotifications(ctx, who.User.UID, NotificationsKept)
	if err != nil {
		return 0, err
	}
	defer m.NotifyRelay()
	changed := 0
	for _, n := range unread {
		if n.ID > upTo {
			continue
		}
		isChanged, err := m.readNotification(ctx, n)
		if err != nil {
			return changed, err
		}
		if isChanged {
			changed++
		}
	}
	return changed, nil
}

func (m *Market) readNotification(ctx context.Context, n Notification) (bool, error) {
	for n.ReadAt.IsZero() {
		now := m.clock.Now()
		n.ReadAt = now
		n.Version++
		err := m.store.SaveNotification(ctx, n, []Event{n.event(TypeNotificationChanged, now)})
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, ErrNotFound): // more than NotificationsKept have come since
			return false, nil
		case !errors.Is(err, ErrConflict):
			return false, err
		}
		if n, err = m.store.Notification(ctx, n.ID); errors.Is(err, ErrNotFound) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	return false, nil
}
