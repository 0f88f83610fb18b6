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

// head is the head of a client's frame that announces a payload of that size.
func head(first byte, size uint64) []byte {
	out := binary.BigEndian.AppendUint64([]byte{first, 0x80 | 127}, size)
	return append(out, 0, 0, 0, 0)
}

const (
	beginHead = 0x01 // a text in parts
	goOnHead  = 0x00
	endHead   = 0x80
	closeHead = 0x88
)

func closing(code uint16, reason string) []byte {
	return masked(closeHead, string(binary.BigEndian.AppendUint16(nil, code))+reason)
}

// attacked sends bytes to one socket while another reads, and returns how the one
// was closed. The other must get its events, and the heap stay as it is.
func attacked(t *testing.T, h *harness, raw []byte) int {
	t.Helper()
	other := h.dial(h.person("other"))
	other.subscribe(map[string]string{brand: ""})
	c := h.dial("")
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = c.ws.NetConn().Write(raw) // the hub may stop reading it
	}()
	for version := range int64(20) {
		h.publish(event(brand, market.TypeProductChanged, fmt.Sprint("p", t.Name()), version+1))
		other.events(1)
	}
	code := c.closes()
	_ = c.ws.Close()
	<-sent
	metrics.Read(sample)
	if got := sample[0].Value.Uint64() - before; got > 32<<20 {
		t.Errorf("%d MB were asked of the heap", got>>20)
	}
	return code
}

func TestAttacksOnFrames(t *testing.T) {
	h := start(t, nil)
	again := func(frame []byte, n int) []byte { return bytes.Repeat(frame, n) }
	const protocol = websocket.CloseProtocolError
	for name, c := range map[string]struct {
		raw  []byte
		code int
	}{
		"64 MB announced":                  {head(textHead, 64<<20), hub.CloseTooBig},
		"64 MB announced and begun":        {append(head(textHead, 64<<20), make([]byte, 1<<20)...), hub.CloseTooBig},
		"all there can be announced":       {head(textHead, 1<<64-1), hub.CloseTooBig},
		"more than a sign has room for":    {head(textHead, 1<<63), hub.CloseTooBig},
		"64 MB in parts":                   {append(masked(beginHead, "{"), head(goOnHead, 64<<20)...), hub.CloseTooBig},
		"100,000 empty parts":              {append(masked(beginHead, "{"), again(masked(goOnHead, ""), 100_000)...), hub.CloseLimit},
		"100,000 parts of a byte":          {append(masked(beginHead, "{"), again(masked(goOnHead, " "), 100_000)...), hub.CloseLimit},
		"100,000 parts with pings between": {append(masked(beginHead, "{"), again(append(masked(goOnHead, ""), masked(pingHead, "")...), 50_000)...), hub.CloseLimit},
		"a flood of pings":                 {again(masked(pingHead, strings.Repeat("p", 125)), 20_000), hub.CloseLimit},
		"a flood of pongs":                 {again(masked(pongHead, ""), 100_000), hub.CloseLimit},
		"a flood of messages":              {again(masked(textHead, nobody), 20_000), hub.CloseLimit},
		"a flood of empty objects":         {again(masked(textHead, "{}"), 100_000), hub.CloseLimit},
		"subscribing and back":             {again(append(masked(textHead, `{"subscribe":{"advertised":""}}`), masked(textHead, `{"unsubscribe":["advertised"]}`)...), 5_000), hub.CloseLimit},
		"a ping of 126 bytes":              {append([]byte{pingHead, 0x80 | 126, 0, 126, 0, 0, 0, 0}, make([]byte, 126)...), protocol},
		"a ping that announces 64 MB":      {head(pingHead, 64<<20), protocol},
		"not masked":                       {append([]byte{textHead, 2}, "{}"...), protocol},
		"the bit of compression":           {masked(textHead|0x40, "\xca\x48\xcd\xc9\xc9\x07\x00"), protocol},
		"a reserved bit":                   {masked(textHead|0x20, "{}"), protocol},
		"a reserved opcode":                {masked(0x83, "{}"), protocol},
		"a reserved control":               {masked(0x8b, ""), protocol},
		"a part of nothing":                {masked(endHead, "{}"), protocol},
		"a text within a text":             {append(masked(beginHead, "{"), masked(textHead, "{}")...), protocol},
		"no UTF-8":                         {masked(textHead, "{\"subscribe\":{\"\xff\":\"\"}}"), hub.CloseLimit},
		"half a surrogate in UTF-8":        {masked(textHead, "{\"subscribe\":{\"\xed\xa0\x80\":\"\"}}"), hub.CloseLimit},
		"deep":                             {masked(textHead, strings.Repeat(`[`, 125)), hub.CloseLimit},
		"an operator in place of a text":   {masked(textHead, `{"subscribe":{"advertised":{"$gt":""}}}`), hub.CloseLimit},
		"an operator in place of a token":  {masked(textHead, `{"token":{"$ne":null}}`), hub.CloseLimit},
		"two documents":                    {masked(textHead, `{}{}`), hub.CloseLimit},
		"a byte order mark":                {masked(textHead, "\ufeff{}"), hub.CloseLimit},
		"a close of code 0":                {closing(0, ""), protocol},
		"a close of code 999":              {closing(999, ""), protocol},
		"a close of code 1005":             {closing(1005, ""), protocol},
		"a close of code 1006":             {closing(1006, ""), protocol},
		"a close of code 1015":             {closing(1015, ""), protocol},
		"a close of code 5000":             {closing(5000, ""), protocol},
		"a close of code 65535":            {closing(65535, ""), protocol},
		"a close of one byte":              {masked(closeHead, "\x03"), websocket.CloseNoStatusReceived},
		"a close that says no UTF-8":       {closing(1000, "\xff"), protocol},
		"a close in parts":                 {masked(0x08, "\x03\xe8"), protocol},
		"a close of a code of their own":   {closing(4999, "bye"), 4999},
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			if code := attacked(t, h, c.raw); code != c.code {
				t.Errorf("closed with %d, want %d", code, c.code)
			}
			if took := time.Since(begin); took > 5*time.Second { // one, on a machine that has nothing else to do
				t.Errorf("after %v", took)
			}
		})
	}
}

// A few fragments, with a ping between them, are allowed.
func TestFragmentedMessageIsRead(t *testing.T) {
	c := start(t, nil).dial("")
	raw := masked(beginHead, nobody[:5])
	raw = append(append(raw, masked(goOnHead, nobody[5:9])...), masked(pingHead, "?")...)
	raw = append(append(raw, masked(goOnHead, "")...), masked(endHead, nobody[9:])...)
	if _, err := c.ws.NetConn().Write(raw); err != nil {
		t.Fatal(err)
	}
	if f := c.read(); len(f.Denied) != 1 {
		t.Errorf("got %+v", f)
	}
}

func TestThousandsOfTopics(t *testing.T) {
	h := start(t, nil)
	var ask strings.Builder
	for i := range 300 { // as many as have room in a frame
		fmt.Fprintf(&ask, `,"b%d":""`, i)
	}
	frame := `{"subscribe":{` + ask.String()[1:] + `}}`
	c := h.dial(h.person("u1"))
	c.send(frame)
	if code := c.closes(); code != hub.CloseLimit {
		t.Errorf("%d bytes: closed with %d", len(frame), code)
	}
	if s := h.hub.Stats(); s.Topics != 0 {
		t.Errorf("%d topics are left", s.Topics)
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
		c := h.dial(h.person("u1"))
		f := c.subscribe(map[string]string{brand: position})
		if f.Subscribed[brand] != at {
			t.Errorf("%q: in force is %v", position, f.Subscribed)
		}
		if f := c.read(); len(f.Resync) != 1 {
			t.Errorf("%q: %+v", position, f)
		}
		c.quiet()
		_ = c.ws.Close()
	}
}

// shakeRaw sends a handshake line by line and returns the answer, and the
// connection.
func (h *harness) shakeRaw(t *testing.T, request string) (*http.Response, net.Conn, error) {
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
		"in order":             {line + upgrade + version + key + "\r\n", 101},
		"with compression":     {line + upgrade + version + key + "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=15, x-webkit-deflate-frame\r\n\r\n", 101},
		"without a key":        {line + upgrade + version + "\r\n", 400},
		"with a short key":     {line + upgrade + version + "Sec-WebSocket-Key: eA==\r\n\r\n", 400},
		"with a key that ends": {line + upgrade + version + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ\r\n\r\n", 400},
		"of another version":   {line + upgrade + "Sec-WebSocket-Version: 12\r\n" + key + "\r\n", 400},
		"of no version":        {line + upgrade + key + "\r\n", 400},
		"to something else":    {line + "Connection: Upgrade\r\nUpgrade: h2c\r\n" + version + key + "\r\n", 400},
		"without the word":     {line + "Upgrade: websocket\r\n" + version + key + "\r\n", 400},
		"by POST":              {strings.Replace(line, "GET", "POST", 1) + upgrade + version + key + "\r\n", 405},
		"with 1000 protocols":  {line + upgrade + version + key + "Sec-WebSocket-Protocol: " + strings.Repeat("x, ", 1000) + "x\r\n\r\n", 101},
		"with two tokens":      {line + upgrade + version + key + "Sec-WebSocket-Protocol: bearer.x, bearer.y\r\n\r\n", 401},
		"with 2 MB of headers": {line + upgrade + version + key + "X: " + strings.Repeat("x", 2<<20) + "\r\n\r\n", 431},
		"with two origins":     {line + upgrade + version + key + "Origin: http://localhost:8080\r\nOrigin: http://evil.example\r\n\r\n", 403},
	} {
		t.Run(name, func(t *testing.T) {
			response, _, err := h.shakeRaw(t, c.request)
			switch {
			case err != nil && c.status == 431: // the server has closed during the request
			case err != nil || response.StatusCode != c.status:
				t.Fatalf("%v, %v", response, err)
			case response.Header.Get("Sec-WebSocket-Extensions") != "":
				t.Errorf("extensions: %v", response.Header)
			}
		})
	}
	t.Run("with a frame before the answer", func(t *testing.T) {
		early := string(masked(textHead, nobody)) + string(closing(1000, ""))
		_, c, err := h.shakeRaw(t, line+upgrade+version+key+"\r\n"+early)
		if err == nil {
			_, err = io.Copy(io.Discard, c)
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error("it stays open")
		}
		h.dial("").quiet()
	})
}
