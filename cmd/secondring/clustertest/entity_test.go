package clustertest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// entity is an entity of a list, as a client stores it.
type entity struct {
	ID          string `json:"_id"`
	Version     int64
	Advertise   bool
	Booked      bool
	AccountType string
	ProductID   string // of a report
	text        string // its JSON without the version
}

func decodeEntity(text json.RawMessage) (e entity) {
	_ = json.Unmarshal(text, &e) // an entity without a version is not applied
	e.text = strings.Replace(string(text), fmt.Sprintf(`"version":%d`, e.Version), "", 1)
	return e
}

// equals tells whether a client with this entity is current. Changes of internal fields
// increase the version without an event, so the client's version may be lower.
func (e entity) equals(current entity) bool {
	isNotNewer := e.Version <= current.Version
	e.Version = current.Version
	return isNotNewer && e == current
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

var frameCache struct {
	sync.Mutex
	read map[string]*liveFrame
}

func decodeFrame(text []byte) *liveFrame {
	frameCache.Lock()
	defer frameCache.Unlock()
	if f := frameCache.read[string(text)]; f != nil {
		return f
	}
	f := &liveFrame{}
	_ = json.Unmarshal(text, f) // an invalid frame counts as an empty one
	for i := range f.Events {
		f.Events[i].entity = decodeEntity(f.Events[i].Data)
	}
	if len(frameCache.read) > 2000 || frameCache.read == nil {
		frameCache.read = map[string]*liveFrame{}
	}
	frameCache.read[string(text)] = f
	return f
}
