package sqlite

import (
	"bytes"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"modernc.org/sqlite"

	"secondring/market"
)

// A bundle is events in one row of the outbox. Each is here, then its topic,
// type, entity and data with their lengths before them, its time (one more than
// the milliseconds; zero for none) and its version; or it is same, and its data,
// which are those of the event before it, are left out: a phone's readers and its
// seller are mostly told the same. Or it is the byte gone.
const (
	gone byte = iota
	here
	same
)

// bundlePlaces is how many bits of an event's Seq are its number in its bundle.
// The others are the bundle's. What is gone keeps its number.
const bundlePlaces = 20

// errBundle is of a bundle that this program cannot have written.
var errBundle = errors.New("sqlite: events that cannot be read")

func init() { // for migration 7
	sqlite.MustRegisterDeterministicScalarFunction("bundle", 6, bundleOne)
}

// appendEvents adds events to a bundle.
func appendEvents(to []byte, events []market.Event) []byte {
	for i, e := range events {
		to = appendEvent(to, e, i > 0 && bytes.Equal(e.Data, events[i-1].Data))
	}
	return to
}

// appendEvent adds an event to a bundle, of which it may say that its data are
// the same as before.
func appendEvent(to []byte, e market.Event, again bool) []byte {
	kind := here
	if again {
		kind = same
	}
	to = append(to, kind)
	for _, text := range [...]string{e.Topic, e.Type, e.Entity} {
		to = append(binary.AppendUvarint(to, uint64(len(text))), text...)
	}
	if !again {
		to = append(binary.AppendUvarint(to, uint64(len(e.Data))), e.Data...)
	}
	at := int64(0)
	if !e.At.IsZero() {
		at = e.At.UnixMilli() + 1
	}
	return binary.AppendVarint(binary.AppendVarint(to, at), e.Version)
}

// unbundle reads the events of the bundle at a place that are not gone.
func unbundle(seq int64, bundle []byte) (events []market.Event, err error) {
	r := bundleReader{left: bundle}
	for n := int64(0); len(r.left) > 0; n++ {
		kind := r.left[0]
		if r.left = r.left[1:]; kind == gone {
			continue
		}
		e := r.event(kind)
		if e.Seq = seq<<bundlePlaces | n; r.broken || kind > same {
			return nil, errBundle
		}
		events = append(events, e)
	}
	return events, nil
}

// without is a bundle from which some are gone, and how many are left in it.
func without(seq int64, bundle []byte, places []int64) (rest []byte, left int, err error) {
	events, err := unbundle(seq, bundle)
	if err != nil {
		return nil, 0, err
	}
	next := seq << bundlePlaces
	var before *market.Event
	for i, e := range events {
		if slices.Contains(places, e.Seq) {
			continue
		}
		for ; next < e.Seq; next++ {
			rest = append(rest, gone)
		}
		rest = appendEvent(rest, e, before != nil && bytes.Equal(e.Data, before.Data))
		before = &events[i]
		next, left = next+1, left+1
	}
	return rest, left, nil
}

type bundleReader struct {
	left   []byte
	data   []byte // of the event before
	broken bool
}

func (r *bundleReader) event(kind byte) (e market.Event) {
	e.Topic, e.Type, e.Entity = string(r.bytes()), string(r.bytes()), string(r.bytes())
	if kind == here {
		r.data = r.bytes()
	}
	if len(r.data) > 0 {
		e.Data = r.data
	}
	if at := r.number(); at != 0 {
		e.At = time.UnixMilli(at - 1).UTC()
	}
	e.Version = r.number()
	return e
}

func (r *bundleReader) bytes() []byte {
	n, size := binary.Uvarint(r.left)
	if size <= 0 || n > uint64(len(r.left)-size) {
		r.left, r.broken = nil, true
		return nil
	}
	end := size + int(n)
	part := r.left[size:end:end]
	r.left = r.left[end:]
	return part
}

func (r *bundleReader) number() int64 {
	n, size := binary.Varint(r.left)
	if size <= 0 {
		r.left, r.broken = nil, true
		return 0
	}
	r.left = r.left[size:]
	return n
}

// bundleOne makes a bundle of one row of the outbox that was before bundles.
func bundleOne(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	topic, ok1 := args[0].(string)
	kind, ok2 := args[1].(string)
	entity, ok3 := args[3].(string)
	version, ok4 := args[4].(int64)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return nil, fmt.Errorf("bundle: an event came as %T, %T, %T, %T", args[0], args[1], args[3], args[4])
	}
	e := market.Event{Topic: topic, Type: kind, Entity: entity, Version: version}
	if ms, set := args[2].(int64); set {
		e.At = time.UnixMilli(ms)
	}
	e.Data, _ = args[5].([]byte) // of an empty one nothing is left but nil
	return appendEvent(nil, e, false), nil
}
