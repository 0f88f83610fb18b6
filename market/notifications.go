package market

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"time"
)

// Limits of notifications.
const (
	MaxNotifications      = 200                  // of each person; see SurplusNotifications
	NotificationRetention = 365 * 24 * time.Hour // how long a notification is kept at most

	// maxUnread is how many unread notifications are counted. A person may have more than
	// MaxNotifications while they ought to act on them.
	maxUnread = 1000

	// versionsPerChange is above the number of writes by the Emailer while a notification is
	// being read or changed.
	versionsPerChange = 16
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
	NotifyReport    NotificationKind = "report"    // to admins: a report, or an appeal
	NotifyDecision  NotificationKind = "decision"  // to the person concerned by an admin's decision, and to those who have reported
)

// NotificationKinds lists all kinds.
func NotificationKinds() []NotificationKind {
	return []NotificationKind{
		NotifyBooked, NotifyPaid, NotifyReleased, NotifyVerified, NotifyTurn, NotifyMessage, NotifyOffer,
		NotifyPrice, NotifyAvailable, NotifySold, NotifyMatch, NotifyOrder, NotifyReport, NotifyDecision,
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
	Changes   int      // how often its content has changed: it is unread again then
	At        time.Time
	ReadAt    time.Time // zero while it is unread; see Reads
	Version   int64

	// Email is the decision about an email to the person; "" until the Emailer has decided,
	// emailDelay after the notification. EmailDue is when the next step of that is due, zero if
	// nothing is left to do.
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

// RemovedEvent returns the event that takes the notification out of the open screens of its person.
func (n Notification) RemovedEvent(at time.Time) Event {
	version := n.shownVersion() + 2*versionsPerChange // above that of a change beside the removal
	data := encode(TombstoneView{ID: n.ID, Version: version})
	return Event{Topic: TopicMe(n.UID), Type: TypeNotificationRemoved, At: at, Entity: n.ID, Version: version, Data: data}
}

func (n Notification) event(kind string, at time.Time) Event {
	return Event{Topic: TopicMe(n.UID), Type: kind, At: at, Entity: n.ID, Version: n.shownVersion(), Data: encode(n.View())}
}

// shownVersion is the version that clients see. It grows when the content changes, when it is read,
// and a little when the Emailer writes. So the event of a reader has a higher version than a write of
// the Emailer beside it, and a lower one than a change of the content beside it.
func (n Notification) shownVersion() int64 {
	steps := 2 * n.Changes
	if !n.ReadAt.IsZero() {
		steps++
	}
	return n.Version + int64(steps)*versionsPerChange
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
	all := list.Items
	if len(all) < list.Total {
		if all, err = m.store.UnreadNotifications(ctx, who.User.UID, maxUnread); err != nil {
			return NotificationList{}, err
		}
	}
	unread := 0
	for _, n := range all {
		if n.ReadAt.IsZero() {
			unread++
		}
	}
	return NotificationList{list, unread}, nil
}

// Reads is which notifications a person has read. It is an entity of its own, so that any number
// of them is marked in one write. It has the notifications and not only the newest one: another
// node may add an older one later.
type Reads struct {
	UID     string
	Marks   map[string]ReadMark // by the notification's ID
	Version int64
}

// ReadMark is that a notification was read.
type ReadMark struct {
	At      time.Time
	Changes int // Notification.Changes of what was read
}

// Set sets ReadAt if the person has read the notification as it is now.
func (r Reads) Set(n *Notification) {
	if mark, ok := r.Marks[n.ID]; ok && mark.Changes >= n.Changes {
		n.ReadAt = mark.At
	}
}

// ReadNotifications marks a person's notifications as read, up to and including one of
// them, in one write. It returns how many changed.
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
	for {
		changed, err := m.markRead(ctx, who.User.UID, upTo)
		if !errors.Is(err, ErrConflict) && !errors.Is(err, ErrExists) {
			return changed, err
		}
	}
}

// markRead is one attempt of ReadNotifications. It forgets the marks of deleted notifications.
func (m *Market) markRead(ctx context.Context, uid, upTo string) (changed int, err error) {
	before, err := m.store.Reads(ctx, uid)
	if err != nil {
		return 0, err
	}
	now := m.clock.Now()
	after := Reads{UID: uid, Marks: map[string]ReadMark{}, Version: before.Version + 1}
	var effects []Effect
	err = m.eachNotificationOf(ctx, uid, func(n Notification) error {
		if mark, ok := before.Marks[n.ID]; ok {
			after.Marks[n.ID] = mark
		}
		if n.ReadAt.IsZero() && n.ID <= upTo {
			n.ReadAt = now
			after.Marks[n.ID] = ReadMark{At: now, Changes: n.Changes}
			effects = append(effects, n.event(TypeNotificationChanged, now))
		}
		return nil
	})
	if err != nil || len(effects) == 0 {
		return 0, err
	}
	return len(effects), m.store.SaveReads(ctx, after, effects)
}

// readNotificationOf marks the notification of a cause as read, if the person has it.
func (m *Market) readNotificationOf(ctx context.Context, uid, cause string) error {
	n, err := m.store.NotificationOfCause(ctx, uid, cause)
	if err != nil {
		return ignoreNotFound(err)
	}
	for n.ReadAt.IsZero() {
		reads, err := m.store.Reads(ctx, uid)
		if err != nil {
			return err
		}
		now := m.clock.Now()
		n.ReadAt = now
		reads.UID = uid
		reads.Marks = maps.Clone(reads.Marks)
		if reads.Marks == nil {
			reads.Marks = map[string]ReadMark{}
		}
		reads.Marks[n.ID] = ReadMark{At: now, Changes: n.Changes}
		reads.Version++
		err = m.store.SaveReads(ctx, reads, []Effect{n.event(TypeNotificationChanged, now)})
		if !errors.Is(err, ErrConflict) && !errors.Is(err, ErrExists) {
			return err
		}
		n.ReadAt = time.Time{}
	}
	return nil
}
