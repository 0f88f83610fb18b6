package hub

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"secondring/market"
)

// Subprotocols a client offers.
const (
	Subprotocol  = "secondring.v1"
	bearerPrefix = "bearer." // followed by the access token
)

// Close codes, and what a client does then.
const (
	CloseRestarting     = websocket.CloseServiceRestart  // 1012: connect again, after a random time
	CloseLimit          = websocket.ClosePolicyViolation // 1008: malformed, too often, too many
	CloseTooBig         = websocket.CloseMessageTooBig   // 1009: a frame over the limit
	CloseTokenExpired   = 4401                           // renew the token and connect again
	CloseAccountRemoved = 4403                           // stop
	CloseTooSlow        = 4408                           // connect again and resume
)

// errMalformed is the error of a client frame that does not follow the protocol.
var errMalformed = errors.New("hub: malformed frame")

// clientFrame is a frame from a client; unknown fields are ignored.
type clientFrame struct {
	Subscribe   map[string]string `json:"subscribe"` // topic → position or ""
	Unsubscribe []string          `json:"unsubscribe"`
	Token       *string           `json:"token"`
}

func parseClientFrame(data []byte) (clientFrame, error) {
	var f *clientFrame // encoding/json would accept invalid UTF-8
	if err := json.Unmarshal(data, &f); err != nil || f == nil || !utf8.Valid(data) {
		return clientFrame{}, errMalformed
	}
	return *f, nil
}

// serverFrame is every frame but those of events, which are put together from
// bytes encoded before.
type serverFrame struct {
	Hello      *hello            `json:"hello,omitempty"`
	Subscribed map[string]string `json:"subscribed,omitempty"` // topic → position in force
	Denied     []string          `json:"denied,omitempty"`
	Resync     []string          `json:"resync,omitempty"`
}

type hello struct {
	Session   string  `json:"session"`   // names the socket in the logs
	Heartbeat float64 `json:"heartbeat"` // seconds
}

func (f serverFrame) encode() []byte {
	body, _ := json.Marshal(f) // strings and a finite number always encode
	return textFrame(body)
}

// beatFrames is the heartbeat: an empty object and a WebSocket ping, two
// frames in one write.
var beatFrames = append(textFrame([]byte("{}")), finalBit|websocket.PingMessage, 0)

// eventsFrame wraps events that encodeEvent made.
func eventsFrame(events [][]byte) []byte {
	const begin, end = `{"events":[`, `]}`
	size := len(begin) + len(end) + len(events)
	for _, e := range events {
		size += len(e)
	}
	frame := appendTextHeader(make([]byte, 0, size+maxHeader), size-1)
	frame = append(frame, begin...)
	for i, e := range events {
		if i > 0 {
			frame = append(frame, ',')
		}
		frame = append(frame, e...)
	}
	return append(frame, end...)
}

// encodeEvent encodes one event for the readers of a topic.
func encodeEvent(wireTopic string, at Position, e market.Event) []byte {
	b := make([]byte, 0, len(e.Data)+len(wireTopic)+frameOverhead)
	b = appendString(append(b, `{"topic":`...), wireTopic)
	b = appendString(append(b, `,"position":`...), at.String())
	b = appendString(append(b, `,"type":`...), e.Type)
	b = append(b, `,"at":"`...)
	b = e.At.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, `","data":`...)
	if len(e.Data) == 0 {
		b = append(b, "null"...)
	}
	b = append(b, e.Data...)
	return append(b, '}')
}

// appendString appends s as a JSON string. Topics, positions and types are usually plain
// ASCII; anything else is encoded by encoding/json.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // a string always encodes
			return append(b, quoted...)
		}
	}
	return strconv.AppendQuote(b, s)
}

// The WebSocket framing a server needs, RFC 6455 section 5.2: final frames,
// unmasked. Building them once lets all sockets share the bytes.
const (
	finalBit  = 0x80
	maxHeader = 10
	length16  = 126
	length64  = 127
)

func textFrame(body []byte) []byte {
	return append(appendTextHeader(make([]byte, 0, len(body)+maxHeader), len(body)), body...)
}

func closeFrame(code int, reason string) []byte {
	body := websocket.FormatCloseMessage(code, reason)
	return append([]byte{finalBit | websocket.CloseMessage, byte(len(body))}, body...)
}

// isCloseFrame reports whether a frame of the server is a close frame.
func isCloseFrame(b []byte) bool { return len(b) > 0 && b[0] == finalBit|websocket.CloseMessage }

func appendTextHeader(b []byte, size int) []byte {
	b = append(b, finalBit|websocket.TextMessage)
	switch {
	case size < length16:
		return append(b, byte(size))
	case size <= 0xffff:
		return binary.BigEndian.AppendUint16(append(b, length16), uint16(size))
	default:
		return binary.BigEndian.AppendUint64(append(b, length64), uint64(size))
	}
}
