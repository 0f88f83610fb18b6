package market

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// Event is one change of one entity, for the readers of one topic. It is stored in the
// same write as the change (see Store) and published after that write is durable.
type Event struct {
	Seq     int64           // position in the store's outbox; 0 until stored
	Topic   string          // broker topic: one of the Topic… constants or helpers below
	Type    string          // one of the Type… constants
	At      time.Time       // when the change was made, UTC
	Entity  string          // the _id of the entity in Data; "" on TopicControl
	Version int64           // the entity's version after the change
	Data    json.RawMessage // the whole entity as readers of this topic may see it
}

// Effect is what a write causes beside the change of its entity: an Event, a Notification, an
// AuditEntry, a LedgerEntry, a Message, an Offer, a Report, a HiddenPhone or a Record. The store keeps it with that write or not at all, and
// once. A Notification and an AuditEntry also have an event.
type Effect interface{ isEffect() }

// EventsOf returns the events of effects, in their order.
func EventsOf(effects []Effect) []Event {
	var events []Event
	for _, effect := range effects {
		switch e := effect.(type) {
		case Event:
			events = append(events, e)
		case Notification:
			events = append(events, e.Event())
		case AuditEntry:
			events = append(events, e.Event())
		}
	}
	return events
}

func (Event) isEffect()        {}
func (Notification) isEffect() {}
func (AuditEntry) isEffect()   {}
func (LedgerEntry) isEffect()  {}
func (Record) isEffect()       {}
func (Message) isEffect()      {}
func (Offer) isEffect()        {}
func (Report) isEffect()       {}
func (HiddenPhone) isEffect()  {}

// Topics of the broker. A client subscribes to "me"; the broker has one such topic per
// user.
const (
	TopicAdvertised = "advertised" // anyone
	TopicAdmin      = "admin"      // admins who handle money
	TopicModerators = "moderators" // moderators: TopicAdmin without orders. In the protocol it has the name of TopicAdmin
	TopicControl    = "control"    // no reader: the hub and the caches of every node subscribe to it
)

const (
	prefixBrand   = "brand:"
	prefixVisitor = "visitor:"
	prefixMe      = "me:"
)

// TopicBrand names the topic of one brand's phones, for signed-in readers.
func TopicBrand(brandID string) string { return prefixBrand + brandID }

// TopicBrandForVisitors names the topic of the same phones as visitors see them. In the
// protocol it has the name that TopicBrand returns.
func TopicBrandForVisitors(brandID string) string { return prefixVisitor + prefixBrand + brandID }

// TopicMe names the private topic of one person.
func TopicMe(uid string) string { return prefixMe + uid }

// forModerators are the types of the events on TopicAdmin that moderators get, too. Those of orders are
// none of them.
var forModerators = map[string]bool{
	TypeProductRemoved: true, TypeReportCreated: true, TypeReportRemoved: true, TypeUserCreated: true, TypeUserChanged: true,
	TypeUserRemoved: true, TypeAuditEntryAdded: true, TypeCaseChanged: true,
}

// withModerators returns the events, with those of TopicAdmin that are for moderators on TopicModerators, too.
func withModerators(events []Event) []Event {
	all := make([]Event, 0, len(events))
	for _, e := range events {
		all = append(all, e)
		if e.Topic == TopicAdmin && forModerators[e.Type] {
			e.Topic = TopicModerators
			all = append(all, e)
		}
	}
	return all
}

// BrandOfTopic returns the brand's id if topic is a brand topic.
func BrandOfTopic(topic string) (id string, ok bool) { return strings.CutPrefix(topic, prefixBrand) }

// Event types, as clients receive them. They must not change.
const (
	TypeAdvertisedChanged   = "advertised.changed"
	TypeProductAdded        = "product.added"
	TypeProductBooked       = "product.booked"
	TypeProductReleased     = "product.released"
	TypeProductChanged      = "product.changed"
	TypeProductRemoved      = "product.removed"
	TypeBookingChanged      = "booking.changed"
	TypeOrderChanged        = "order.changed" // any booking, for admins
	TypeWaitlistChanged     = "waitlist.changed"
	TypeWatchChanged        = "watch.changed"
	TypeSearchChanged       = "search.changed"
	TypeSellerVerified      = "seller.verified"
	TypeAccountRemoved      = "account.removed"
	TypeNotificationAdded   = "notification.added" // see Notification.Event
	TypeNotificationChanged = "notification.changed"
	TypeNotificationRemoved = "notification.removed" // a person had more than MaxNotifications
	TypeSettingsChanged     = "settings.changed"     // a person's own EmailSettingsView
	TypeReportCreated       = "report.created"
	TypeReportRemoved       = "report.removed"
	TypeCaseChanged         = "case.changed"
	TypeDecisionChanged     = "decision.changed"
	TypeUserCreated         = "user.created"
	TypeUserChanged         = "user.changed"
	TypeUserRemoved         = "user.removed"
	TypeAuditEntryAdded     = "audit.added" // see AuditEntry
	TypeThreadChanged       = "thread.changed"
	TypeMessageAdded        = "message.added"
	TypeOfferChanged        = "offer.changed"
)

// Types on TopicControl. Their Data is a Control.
const (
	TypeSessionEnded  = "session.ended"  // one session of a person, or all: its tokens and sockets end
	TypeAccessEnded   = "access.ended"   // an account was deleted: all its sockets close and do not reconnect
	TypeAccessChanged = "access.changed" // a role changed: subscriptions are checked again
)

// Control is the Data of an event on TopicControl.
type Control struct {
	UID     string `json:"uid"`
	Session string `json:"session,omitempty"` // for TypeSessionEnded: the session; empty means all sessions of UID
	Except  string `json:"except,omitempty"`  // with an empty Session: the one session that stays
	// CredentialsVersion is that of the account after the change that ended the sessions, with an
	// empty Session: those that began later stay.
	CredentialsVersion int64  `json:"credentialsVersion,omitempty"`
	Reason             string `json:"reason,omitempty"` // one of the Reason… constants, for TypeSessionEnded; "" if no message is shown
}

// Why a session was ended. The hub sends it to the sockets that it closes.
const (
	ReasonSignedOut          = "signed out" // by the user of this session, who may have other tabs open
	ReasonSignedOutElsewhere = "signed out on another device"
	ReasonPasswordChanged    = "password changed"
	ReasonEmailChanged       = "email address changed"
	ReasonSecondFactor       = "second factor switched on"
	ReasonSecondFactorOff    = "second factor switched off"
	ReasonGoogle             = "Google account linked or unlinked"
)

// Publisher publishes stored events to the live broker.
type Publisher interface {
	// Publish appends the events, in order, to their topics' histories and delivers them.
	// If it returns nil, the store may forget them. Otherwise the relay publishes them
	// again, so delivery is at least once.
	Publish(ctx context.Context, events []Event) error
}

// Positions returns the end of a topic's history, for the Live-Position header.
type Positions interface {
	// Position returns the opaque position of the last event published on the broker topic.
	// Read it before you read the data that the position belongs to.
	Position(ctx context.Context, topic string) (string, error)
}
