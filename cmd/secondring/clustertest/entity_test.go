package clustertest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// entity is an entity of a list, as a screen stores it.
type entity struct {
	ID          string `json:"_id"`
	Version     int64
	Advertise   bool
	Booked      bool
	AccountType string
	ProductID   string // of a report
	text        string // all of it
}

func entityOf(text json.RawMessage) (e entity) {
	_ = json.Unmarshal(text, &e) // an entity without a version is not taken
	e.text = strings.Replace(string(text), fmt.Sprintf(`"version":%d`, e.Version), "", 1)
	return e
}

// isAs tells whether a screen with this entity is current. Changes of
// internal fields raise the version too, without an event.
func (e entity) isAs(now entity) bool {
	raised := e.Version <= now.Version
	e.Version = now.Version
	return raised && e == now
}

// liveFrame is a frame that is decoded once for all sockets that receive it.
type liveFrame struct {
	Subscribed map[string]string
	Denied     []string
	Resync     []string
	Events     []struct {
		Position, Type string
		Data           json.RawMessage
		entity         entity
	}
}

var frames struct {
	sync.Mutex
	read map[string]*liveFrame
}

func frameOf(text []byte) *liveFrame {
	frames.Lock()
	defer frames.Unlock()
	if f := frames.read[string(text)]; f != nil {
		return f
	}
	f := &liveFrame{}
	_ = json.Unmarshal(text, f) // nothing in it then
	for i := range f.Events {
		f.Events[i].entity = entityOf(f.Events[i].Data)
	}
	if len(frames.read) > 2000 || frames.read == nil {
		frames.read = map[string]*liveFrame{}
	}
	frames.read[string(text)] = f
	return f
}
