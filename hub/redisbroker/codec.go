package redisbroker

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"secondring/hub"
	"secondring/market"
)

// errMalformed is the error of a message that encode cannot have written.
var errMalformed = errors.New("redisbroker: not one of our events")

// encode encodes an event for Redis: four lines, then its data. The topic is in the key; the
// sequence number belongs to the store.
func encode(e market.Event) string {
	var b strings.Builder
	b.Grow(len(e.Type) + len(e.Entity) + len(e.Data) + 56)
	b.WriteString(e.Type)
	b.WriteByte('\n')
	b.WriteString(e.At.UTC().Format(time.RFC3339Nano))
	b.WriteByte('\n')
	b.WriteString(e.Entity)
	b.WriteByte('\n')
	b.WriteString(strconv.FormatInt(e.Version, 10))
	b.WriteByte('\n')
	b.Write(e.Data)
	return b.String()
}

func decode(topic, text string) (market.Event, error) {
	eventType, text, _ := strings.Cut(text, "\n")
	at, text, _ := strings.Cut(text, "\n")
	entity, text, _ := strings.Cut(text, "\n")
	version, data, ok := strings.Cut(text, "\n")
	if !ok {
		return market.Event{}, errMalformed
	}
	e := market.Event{Topic: topic, Type: eventType, Entity: entity, Data: []byte(data)}
	var errAt, errVersion error
	e.At, errAt = time.Parse(time.RFC3339Nano, at)
	e.Version, errVersion = strconv.ParseInt(version, 10, 64)
	if errAt != nil || errVersion != nil {
		return market.Event{}, errMalformed
	}
	return e, nil
}

// decodeMessage reads what is published: the position, then the event.
func decodeMessage(topic, text string) (hub.Entry, error) {
	position, text, _ := strings.Cut(text, "\n")
	at, err := hub.ParsePosition(position)
	if err != nil {
		return hub.Entry{}, errMalformed
	}
	e, err := decode(topic, text)
	return hub.Entry{Position: at, Event: e}, err
}
