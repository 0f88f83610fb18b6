package hub_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/hub"
	"secondring/market"
)

// frameHeader returns the header of a client frame with a payload of this size.
func frameHeader(first byte, size uint64) []byte {
	out := binary.BigEndian.AppendUint64([]byte{first, 0x80 | 127}, size)
	return append(out, 0, 0, 0, 0)
}

const (
	firstFragment = 0x01 // of a text message
	nextFragment  = 0x00
	lastFragment  = 0x80
	closeFrame    = 0x88
)

func maskedClose(code uint16, reason string) []byte {
	return masked(closeFrame, string(binary.BigEndian.AppendUint16(nil, code))+reason)
}

// attack sends bytes on one socket while another reads, and returns the close code of the first.
// The other must get its events, and the hub must not allocate much memory.
func attack(t *testing.T, h *harness, raw []byte) int {
	t.Helper()
	other := h.dial(h.token("other"))
	other.subscribe(map[string]string{brand: ""})
	c := h.dial("")
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = c.ws.NetConn().Write(raw) // the hub may stop reading
	}()
	for version := range int64(20) {
		h.publish(event(brand, market.TypeProductChanged, fmt.Sprint("p", t.Name()), version+1))
		other.events(1)
	}
	code := c.closeCode()
	_ = c.ws.Close()
	<-sent
	metrics.Read(sample)
	if got := sample[0].Value.Uint64() - before; got > 32<<20 {
		t.Errorf("the hub allocated %d MB, want at most 32", got>>20)
	}
	return code
}

func TestAttacksOnFrames(t *testing.T) {
	h := start(t, nil)
	const protocolError = websocket.CloseProtocolError
	for name, c := range map[string]struct {
		raw  []byte
		code int
	}{
		"header of 64 MB":                      {frameHeader(textFrame, 64<<20), hub.CloseTooBig},
		"64 MB, partly sent":                   {append(frameHeader(textFrame, 64<<20), make([]byte, 1<<20)...), hub.CloseTooBig},
		"header of the maximum size":           {frameHeader(textFrame, 1<<64-1), hub.CloseTooBig},
		"size with the highest bit set":        {frameHeader(textFrame, 1<<63), hub.CloseTooBig},
		"64 MB in fragments":                   {append(masked(firstFragment, "{"), frameHeader(nextFragment, 64<<20)...), hub.CloseTooBig},
		"100,000 empty fragments":              {append(masked(firstFragment, "{"), bytes.Repeat(masked(nextFragment, ""), 100_000)...), hub.CloseLimit},
		"100,000 fragments of one byte":        {append(masked(firstFragment, "{"), bytes.Repeat(masked(nextFragment, " "), 100_000)...), hub.CloseLimit},
		"100,000 fragments with pings between": {append(masked(firstFragment, "{"), bytes.Repeat(append(masked(nextFragment, ""), masked(pingFrame, "")...), 50_000)...), hub.CloseLimit},
		"a flood of pings":                     {bytes.Repeat(masked(pingFrame, strings.Repeat("p", 125)), 20_000), hub.CloseLimit},
		"a flood of pongs":                     {bytes.Repeat(masked(pongFrame, ""), 100_000), hub.CloseLimit},
		"a flood of messages":                  {bytes.Repeat(masked(textFrame, deniedSubscribe), 20_000), hub.CloseLimit},
		"a flood of empty objects":             {bytes.Repeat(masked(textFrame, "{}"), 100_000), hub.CloseLimit},
		"subscribing and unsubscribing":        {bytes.Repeat(append(masked(textFrame, `{"subscribe":{"advertised":""}}`), masked(textFrame, `{"unsubscribe":["advertised"]}`)...), 5_000), hub.CloseLimit},
		"a ping of 126 bytes":                  {append([]byte{pingFrame, 0x80 | 126, 0, 126, 0, 0, 0, 0}, make([]byte, 126)...), protocolError},
		"a ping of 64 MB":                      {frameHeader(pingFrame, 64<<20), protocolError},
		"unmasked frame":                       {append([]byte{textFrame, 2}, "{}"...), protocolError},
		"compression bit":                      {masked(textFrame|0x40, "\xca\x48\xcd\xc9\xc9\x07\x00"), protocolError},
		"a reserved bit":                       {masked(textFrame|0x20, "{}"), protocolError},
		"a reserved opcode":                    {masked(0x83, "{}"), protocolError},
		"a reserved control":                   {masked(0x8b, ""), protocolError},
		"fragment without a message":           {masked(lastFragment, "{}"), protocolError},
		"message within a message":             {append(masked(firstFragment, "{"), masked(textFrame, "{}")...), protocolError},
		"invalid UTF-8":                        {masked(textFrame, "{\"subscribe\":{\"\xff\":\"\"}}"), hub.CloseLimit},
		"half a surrogate in UTF-8":            {masked(textFrame, "{\"subscribe\":{\"\xed\xa0\x80\":\"\"}}"), hub.CloseLimit},
		"deeply nested JSON":                   {masked(textFrame, strings.Repeat(`[`, 125)), hub.CloseLimit},
		"operator in place of a position":      {masked(textFrame, `{"subscribe":{"advertised":{"$gt":""}}}`), hub.CloseLimit},
		"operator in place of a token":         {masked(textFrame, `{"token":{"$ne":null}}`), hub.CloseLimit},
		"two documents":                        {masked(textFrame, `{}{}`), hub.CloseLimit},
		"a byte order mark":                    {masked(textFrame, "\ufeff{}"), hub.CloseLimit},
		"a close of code 0":                    {maskedClose(0, ""), protocolError},
		"a close of code 999":                  {maskedClose(999, ""), protocolError},
		"a close of code 1005":                 {maskedClose(1005, ""), protocolError},
		"a close of code 1006":                 {maskedClose(1006, ""), protocolError},
		"a close of code 1015":                 {maskedClose(1015, ""), protocolError},
		"a close of code 5000":                 {maskedClose(5000, ""), protocolError},
		"a close of code 65535":                {maskedClose(65535, ""), protocolError},
		"a close of one byte":                  {masked(closeFrame, "\x03"), websocket.CloseNoStatusReceived},
		"a close reason that is invalid UTF-8": {maskedClose(1000, "\xff"), protocolError},
		"a fragmented close":                   {masked(0x08, "\x03\xe8"), protocolError},
		"a close of a private code":            {maskedClose(4999, "bye"), 4999},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			if code := attack(t, h, c.raw); code != c.code {
				t.Errorf("closed with %d, want %d", code, c.code)
			}
			if elapsed := time.Since(start); elapsed > 5*time.Second { // an idle machine needs less than 1 s
				t.Errorf("closed after %v, want at most 5 s", elapsed)
			}
		})
	}
}

// A few fragments, with a ping between them, are allowed.
func TestFragmentedMessageIsRead(t *testing.T) {
	c := start(t, nil).dial("")
	raw := masked(firstFragment, deniedSubscribe[:5])
	raw = append(append(raw, masked(nextFragment, deniedSubscribe[5:9])...), masked(pingFrame, "?")...)
	raw = append(append(raw, masked(nextFragment, "")...), masked(lastFragment, deniedSubscribe[9:])...)
	if _, err := c.ws.NetConn().Write(raw); err != nil {
		t.Fatal(err)
	}
	if f := c.read(); len(f.Denied) != 1 {
		t.Errorf("got %+v", f)
	}
}

func TestThousandsOfTopics(t *testing.T) {
	h := start(t, nil)
	var subscriptions strings.Builder
	for i := range 300 { // the maximum that fits into a frame
		fmt.Fprintf(&subscriptions, `,"b%d":""`, i)
	}
	frame := `{"subscribe":{` + subscriptions.String()[1:] + `}}`
	c := h.dial(h.token("u1"))
	c.send(frame)
	if code := c.closeCode(); code != hub.CloseLimit {
		t.Errorf("a frame of %d bytes: closed with %d, want %d", len(frame), code, hub.CloseLimit)
	}
	if s := h.hub.Stats(); s.Topics != 0 {
		t.Errorf("the hub has %d topics, want none", s.Topics)
	}
}

// Any position that the hub has not sent is answered with a resync.
func TestForgedPositionsAreResynced(t *testing.T) {
	h := start(t, nil)
	h.publish(products(brand, 3)...)
	at := h.position(brand)
	epoch, _, _ := strings.Cut(at, ":")
	for _, position := range []string{
		epoch + ":18446744073709551615", epoch + ":4", epoch + ":-1", epoch + ":1e3", epoch, ":", "x:1", epoch + ":0x1", epoch + ":99999999999999999999",
		strings.Repeat("9", 3000), epoch + ":1:1", "\u202e" + at, at + "\x00", "*:0", "$ne",
	} {
		c := h.dial(h.token("u1"))
		f := c.subscribe(map[string]string{brand: position})
		if f.Subscribed[brand] != at {
			t.Errorf("position %q: subscribed from %v, want %s", position, f.Subscribed, at)
		}
		if f := c.read(); len(f.Resync) != 1 {
			t.Errorf("position %q: got %+v, want a resync", position, f)
		}
		c.wantNoEvents()
		_ = c.ws.Close()
	}
}

// rawHandshake sends the bytes of a handshake and returns the response and the connection.
func (h *harness) rawHandshake(t *testing.T, request string) (*http.Response, net.Conn, error) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(h.url, "ws://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(c, request); err != nil {
		return nil, c, err
	}
	var got bytes.Buffer
	for !strings.Contains(got.String(), "\r\n\r\n") {
		if _, err := io.CopyN(&got, c, 1); err != nil {
			return nil, c, err
		}
	}
	status := 0
	_, err = fmt.Sscanf(got.String(), "HTTP/1.1 %d", &status)
	header := http.Header{}
	for line := range strings.SplitSeq(got.String(), "\r\n") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			header.Add(name, value)
		}
	}
	return &http.Response{StatusCode: status, Header: header}, c, err
}

func TestMalformedHandshakes(t *testing.T) {
	h := start(t, nil)
	const (
		line    = "GET /live HTTP/1.1\r\nHost: x\r\n"
		upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n"
		version = "Sec-WebSocket-Version: 13\r\n"
		key     = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
	)
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"valid":                {line + upgrade + version + key + "\r\n", 101},
		"with compression":     {line + upgrade + version + key + "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=15, x-webkit-deflate-frame\r\n\r\n", 101},
		"without a key":        {line + upgrade + version + "\r\n", 400},
		"with a short key":     {line + upgrade + version + "Sec-WebSocket-Key: eA==\r\n\r\n", 400},
		"with a truncated key": {line + upgrade + version + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ\r\n\r\n", 400},
		"of another version":   {line + upgrade + "Sec-WebSocket-Version: 12\r\n" + key + "\r\n", 400},
		"of no version":        {line + upgrade + key + "\r\n", 400},
		"to another protocol":  {line + "Connection: Upgrade\r\nUpgrade: h2c\r\n" + version + key + "\r\n", 400},
		"without Connection":   {line + "Upgrade: websocket\r\n" + version + key + "\r\n", 400},
		"by POST":              {strings.Replace(line, "GET", "POST", 1) + upgrade + version + key + "\r\n", 405},
		"with 1000 protocols":  {line + upgrade + version + key + "Sec-WebSocket-Protocol: " + strings.Repeat("x, ", 1000) + "x\r\n\r\n", 101},
		"with two tokens":      {line + upgrade + version + key + "Sec-WebSocket-Protocol: bearer.x, bearer.y\r\n\r\n", 401},
		"with 2 MB of headers": {line + upgrade + version + key + "X: " + strings.Repeat("x", 2<<20) + "\r\n\r\n", 431},
		"with two origins":     {line + upgrade + version + key + "Origin: http://localhost:8080\r\nOrigin: http://evil.example\r\n\r\n", 403},
	} {
		t.Run(name, func(t *testing.T) {
			response, _, err := h.rawHandshake(t, c.request)
			switch {
			case err != nil && c.status == 431: // the server has closed during the request
			case err != nil || response.StatusCode != c.status:
				t.Fatalf("got %v (%v), want status %d", response, err, c.status)
			case response.Header.Get("Sec-WebSocket-Extensions") != "":
				t.Errorf("the response has extensions: %v", response.Header)
			}
		})
	}
	t.Run("with a frame before the response", func(t *testing.T) {
		early := string(masked(textFrame, deniedSubscribe)) + string(maskedClose(1000, ""))
		_, c, err := h.rawHandshake(t, line+upgrade+version+key+"\r\n"+early)
		if err == nil {
			_, err = io.Copy(io.Discard, c)
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error("the socket stays open after the close frame")
		}
		h.dial("").wantNoEvents()
	})
}
