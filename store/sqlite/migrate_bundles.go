package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"modernc.org/sqlite"
)

// Schemas 7 to 17 stored the events of one transaction as one BLOB, a bundle.
// Migration 7 writes bundles with the SQL function bundle, migration 18 reads them
// with unbundle. Nothing else uses them.
//
// Each event in a bundle begins with one of these bytes. After bundleEvent follow
// its topic, type, entity and data with their lengths before them, its time (one
// more than the milliseconds; zero for none) and its version. bundleSameData is
// the same without the data, which equal those of the previous event. bundlePublished
// replaces an event that was published.
const (
	bundlePublished byte = iota
	bundleEvent
	bundleSameData
)

// errBundle is returned for a malformed bundle.
var errBundle = errors.New("sqlite: events that cannot be read")

func init() {
	sqlite.MustRegisterDeterministicScalarFunction("bundle", 6, bundle)
	sqlite.MustRegisterDeterministicScalarFunction("unbundle", 1, unbundle)
}

// bundle returns a bundle of one event: topic, type, at, entity, version, data.
func bundle(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	version, ok := args[4].(int64)
	if !ok {
		return nil, fmt.Errorf("bundle: a version came as %T", args[4])
	}
	b := []byte{bundleEvent}
	data, _ := args[5].([]byte) // nil if it is empty
	for _, arg := range []driver.Value{args[0], args[1], args[3], string(data)} {
		text, ok := arg.(string)
		if !ok {
			return nil, fmt.Errorf("bundle: a text came as %T", arg)
		}
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	at := int64(0)
	if ms, set := args[2].(int64); set {
		at = ms + 1
	}
	return binary.AppendVarint(binary.AppendVarint(b, at), version), nil
}

// bundledEvent is an event of a bundle as migration 18 reads it.
type bundledEvent struct {
	Topic   string `json:"topic"`
	Type    string `json:"type"`
	Entity  string `json:"entity"`
	Version int64  `json:"version"`
	At      *int64 `json:"at"`   // milliseconds since 1970
	Data    string `json:"data"` // JSON
}

// unbundle returns the events of a bundle as a JSON array.
func unbundle(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	bytes, _ := args[0].([]byte)
	events, err := readBundle(bytes)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(events)
	return string(text), err
}

func readBundle(bundle []byte) ([]bundledEvent, error) {
	events := []bundledEvent{}
	r := bundleReader{rest: bundle}
	for len(r.rest) > 0 {
		kind := r.rest[0]
		r.rest = r.rest[1:]
		if kind == bundlePublished {
			continue
		}
		e := r.event(kind)
		if r.broken || kind > bundleSameData {
			return nil, errBundle
		}
		events = append(events, e)
	}
	return events, nil
}

type bundleReader struct {
	rest     []byte
	lastData string // data of the previous event
	broken   bool
}

func (r *bundleReader) event(kind byte) (e bundledEvent) {
	e.Topic, e.Type, e.Entity = r.text(), r.text(), r.text()
	if kind == bundleEvent {
		r.lastData = r.text()
	}
	e.Data = r.lastData
	if at := r.number(); at != 0 {
		at--
		e.At = &at
	}
	e.Version = r.number()
	return e
}

func (r *bundleReader) text() string {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > uint64(len(r.rest)-size) {
		r.rest, r.broken = nil, true
		return ""
	}
	end := size + int(n)
	text := string(r.rest[size:end])
	r.rest = r.rest[end:]
	return text
}

func (r *bundleReader) number() int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.rest, r.broken = nil, true
		return 0
	}
	r.rest = r.rest[size:]
	return n
}
