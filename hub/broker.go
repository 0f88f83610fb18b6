package hub

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"secondring/market"
)

// ErrClosed is returned by every call on a Broker or Hub after its Close.
var ErrClosed = errors.New("hub: closed")

// PresenceRetention is how long a Broker remembers that the last listener of a person's own
// topic has unsubscribed.
const PresenceRetention = 10 * time.Minute

// ErrBadPosition is returned by ParsePosition for a string that Position.String cannot return.
var ErrBadPosition = errors.New("hub: not a position")

// Broker numbers events, keeps a bounded history of each topic and passes new events to the
// listeners of every node. MemoryBroker and redisbroker.Broker implement it; brokertest is their common test
// suite. The comment of the package says how they differ.
//
// Every Broker guarantees:
//
//   - Offsets of a topic count 1, 2, 3… within an epoch. A topic whose history
//     was lost (restart, eviction, idle too long) gets a new epoch.
//   - Per topic, an event whose Version is not above the last published one of the same
//     Entity is dropped: it is a repeat, or a newer one was published before it, and an
//     event carries the whole entity. So publishing an outbox again is harmless, and an
//     entity's versions never go backwards. Events without an Entity or with a Version
//     below 1 are always published. Versions are remembered for a limited time, which is
//     never shorter than the history.
//   - Data is passed on as it is; it must be JSON.
//   - An event is in the history before any listener receives it.
//
// Every call may fail, and ends when its context ends.
type Broker interface {
	market.Publisher
	market.Positions

	// Subscribe calls l for every event of topic that is published after the returned
	// position; l may also receive some events at or before it. Calls may begin before
	// Subscribe returns. After an error l is not called. A topic may have many listeners on
	// a node; the broker keeps one subscription for them all.
	Subscribe(ctx context.Context, topic string, l Listener) (Position, error)

	// Unsubscribe removes a listener that Subscribe added. After it returns, no call of l
	// begins, even if it fails or its context has ended: then only the broker's own
	// subscription may remain. Unsubscribe ignores an unknown listener.
	Unsubscribe(ctx context.Context, topic string, l Listener) error

	// HasListenerWithin reports whether a topic has a listener on any node now, or a person's
	// own topic had one within the last d. A d above PresenceRetention counts as
	// PresenceRetention.
	HasListenerWithin(ctx context.Context, topic string, d time.Duration) (bool, error)

	// History returns the events of topic after since, oldest first.
	History(ctx context.Context, topic string, since Position) (History, error)

	// Close ends the broker and waits for its goroutines.
	Close() error
}

// Listener receives one topic's events. Calls for one topic do not overlap; they must
// not block and must not call the Broker. Listeners are compared with ==, so a pointer
// is the usual choice.
type Listener interface {
	// Event receives each event, in the order of the offsets.
	Event(Entry)
	// Gap reports that events may have been missed, because the broker has reconnected or
	// an offset was skipped. The listener must read the History again.
	Gap()
}

// Entry is one published event with its position in the topic.
type Entry struct {
	Position Position
	Event    market.Event
}

// History contains the events of a topic after a given position that a Broker still has.
type History struct {
	Entries []Entry  // after the given position, oldest first, none missing
	Top     Position // of the last event published
	// Complete is true if the history reaches back to the given position. If it is false, Entries is empty and the reader must start over.
	Complete bool
}

// Position is a position in one topic: after Offset events of Epoch. On the wire
// it is an opaque string, see String and ParsePosition.
type Position struct {
	Epoch  string // letters, digits, - and _; changes when history is lost
	Offset uint64 // of the last event published; 0 before the first
}

// String returns the position in the form that clients receive, such as "k3Jd92aB:17".
func (p Position) String() string {
	return p.Epoch + ":" + strconv.FormatUint(p.Offset, 10)
}

// ParsePosition parses a result of String. It returns ErrBadPosition for any other string.
func ParsePosition(s string) (Position, error) {
	epoch, digits, ok := strings.Cut(s, ":")
	if !ok || epoch == "" {
		return Position{}, ErrBadPosition
	}
	offset, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return Position{}, ErrBadPosition
	}
	return Position{Epoch: epoch, Offset: offset}, nil
}

// Covers reports whether a reader at p has already received q.
func (p Position) Covers(q Position) bool { return p.Epoch == q.Epoch && q.Offset <= p.Offset }

// Next returns the position of the event that follows p.
func (p Position) Next() Position { return Position{Epoch: p.Epoch, Offset: p.Offset + 1} }
