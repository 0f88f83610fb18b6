package market

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// Limits of notifications.
const (
	MaxNotifications      = 200                  // of each person; see SurplusNotifications
	NotificationRetention = 365 * 24 * time.Hour // how long a notification is kept at most

	// maxUnread is how many unread notifications are counted, or marked as read at once. A person
	// may have more than MaxNotifications while they ought to act on them.
	maxUnread = 1000
)

// NotificationKind is what a notification is about.
type NotificationKind string

// The kinds of notifications.
const (
	NotifyBooked    NotificationKind = "booked"    // to the seller: their phone is booked
	NotifyPaid      NotificationKind = "paid"      // to the seller, about money: their phone is paid; they were paid out, or the payout was taken back; the state of their payout account
	NotifyReleased  NotificationKind = "released"  // to the seller and the buyer: a booking has ended
	NotifyVerified  NotificationKind = "verified"  // to the seller
	NotifyTurn      NotificationKind = "turn"      // to the next on a waitlist: they have the phone, or the reason why they do not
	NotifyMessage   NotificationKind = "message"   // to the other side of a conversation
	NotifyOffer     NotificationKind = "offer"     // to either side of an offer
	NotifyPrice     NotificationKind = "price"     // to people who watch the phone: its price is lower
	NotifyAvailable NotificationKind = "available" // to people who wait or watch: everybody can book the phone, or it was removed
	NotifySold      NotificationKind = "sold"      // to people who wait or watch: the phone is sold
	NotifyMatch     NotificationKind = "match"     // to people with a saved search: a phone matches it
	NotifyOrder     NotificationKind = "order"     // about an order: to the buyer the result of their payment, to both sides the steps after it and disputes, to admins problems and disputes
	NotifyReport    NotificationKind = "report"    // to admins
)

// NotificationKinds lists all kinds.
func NotificationKinds() []NotificationKind {
	return []NotificationKind{
		NotifyBooked, NotifyPaid, NotifyReleased, NotifyVerified, NotifyTurn, NotifyMessage, NotifyOffer,
		NotifyPrice, NotifyAvailable, NotifySold, NotifyMatch, NotifyOrder, NotifyReport,
	}
}

// Notification is a message to one person. Its text names phones, but no other person.
//
// It is stored in one of two ways: as an Effect of the write that is its cause, or in a write of
// its own (NotificationStore.AddNotification).
type Notification struct {
	ID      string // begins with the time, like every ID
	UID     string // the person who gets it
	Kind    NotificationKind
	Text    string
	Subject string // the name of the saved search, for NotifyMatch: lists of notifications are grouped by it; else empty
	Link    string // the path of a screen of the client
	// ProductID is the phone that it is about; "" for none or several.
	ProductID string
	Cause     string   // unique among the person's notifications, so that they get one for each cause. It is the ID if the notification is stored with its cause
	Matches   *Matches // of NotifyMatch; else nil
	At        time.Time
	ReadAt    time.Time // zero while it is unread
	Version   int64     // raised when it is read, or when a match is added

	// Email is the decision about an email to the person; "" until the Emailer has decided,
	// emailDelay after the notification. EmailDue is when the next step of that is due, zero if
	// nothing is left to do. Neither raises the version.
	Email    EmailWhen
	EmailDue time.Time
}

// NewNotification returns an unread notification. An empty cause is replaced by the ID.
func NewNotification(uid string, kind NotificationKind, text, link, cause string, at time.Time) Notification {
	id := NewID(at)
	return Notification{
		ID: id, UID: uid, Kind: kind, Text: text, Link: link, Cause: cmp.Or(cause, id), At: at, Version: 1,
		EmailDue: at.Add(emailDelay),
	}
}

// notify returns a notification that is an effect of a write. productID is the phone that it is about, "" for none.
func notify(uid string, kind NotificationKind, productID, text, link string, at time.Time) Notification {
	n := NewNotification(uid, kind, text, link, "", at)
	n.ProductID = productID
	return n
}

// Event returns the event that sends the new notification to its person.
func (n Notification) Event() Event { return n.event(TypeNotificationAdded, n.At) }

func (n Notification) event(kind string, at time.Time) Event {
	return Event{Topic: TopicMe(n.UID), Type: kind, At: at, Entity: n.ID, Version: n.Version, Data: encode(n.View())}
}

// withoutRemoved returns the effects without the notifications of people who were removed.
// An order can outlive its buyer and its seller, for example until a late refund.
func (m *Market) withoutRemoved(ctx context.Context, effects []Effect) ([]Effect, error) {
	kept := make([]Effect, 0, len(effects))
	for _, e := range effects {
		if n, ok := e.(Notification); ok {
			removed, err := m.isRemoved(ctx, n.UID)
			if err != nil {
				return nil, err
			}
			if removed {
				continue
			}
		}
		kept = append(kept, e)
	}
	return kept, nil
}

// NotificationList is a page of a person's notifications.
type NotificationList struct {
	List[Notification]

	Unread int // of all notifications, not only of the page
}

// Notifications lists a person's notifications, newest first.
func (m *Market) Notifications(ctx context.Context, who Actor, page Page) (NotificationList, error) {
	list, err := m.store.NotificationsOf(ctx, who.User.UID, page)
	if err != nil {
		return NotificationList{}, err
	}
	unread, err := m.store.UnreadNotifications(ctx, who.User.UID, maxUnread)
	return NotificationList{list, len(unread)}, err
}

// ReadNotifications marks a person's notifications as read, up to and including one of
// them. It returns how many changed. Each is a separate write: after a crash the rest is
// unread.
func (m *Market) ReadNotifications(ctx context.Context, who Actor, upTo string, wrong Fields) (int, error) {
	f := FieldsOf(wrong)
	f.text("upTo", upTo, maxShort)
	if err := f.Err(); err != nil {
		return 0, err
	}
	last, err := m.store.Notification(ctx, upTo)
	if errors.Is(err, ErrNotFound) || (err == nil && last.UID != who.User.UID) {
		return 0, missing("notification")
	}
	if err != nil {
		return 0, err
	}
	unread, err := m.store.UnreadNotifications(ctx, who.User.UID, maxUnread)
	if err != nil {
		return 0, err
	}
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
		err := m.store.SaveNotification(ctx, n, []Effect{n.event(TypeNotificationChanged, now)})
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, ErrNotFound): // others have been added since, and this one was surplus
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
