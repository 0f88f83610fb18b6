package hub_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/hub"
	"secondring/market"
)

// BenchmarkFanOut publishes events of about 250 bytes on one topic to which every socket is
// subscribed. One operation is one event. The readers run on the same machine, so deliveries/s is
// good for a comparison of two versions of the hub, but is not its limit.
func BenchmarkFanOut(b *testing.B) {
	for _, sockets := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("sockets=%d", sockets), func(b *testing.B) { fanOut(b, sockets, 0) })
	}
}

// BenchmarkFanOutBesideOthers publishes the same events for two sockets, as those of a message, beside
// sockets that subscribe to another topic.
func BenchmarkFanOutBesideOthers(b *testing.B) {
	for _, others := range []int{0, 100, 9_000} {
		b.Run(fmt.Sprintf("others=%d", others), func(b *testing.B) { fanOut(b, 2, others) })
	}
}

const (
	benchTopic      = "advertised"
	benchOtherTopic = "reports"
)

// benchWindow is how many published events may be undelivered. They fill frames, but are much fewer
// than those for which the hub closes a slow socket.
const benchWindow = 512

// lastEvent is the end of the frame with the last event.
var lastEvent = []byte(`"data":{"last":true}}]}`)

func fanOut(b *testing.B, sockets, others int) {
	broker := hub.NewMemoryBroker(hub.HistoryLimits{})
	h, err := hub.New(hub.Config{Broker: broker, Authorize: hub.AllowAnyTopic, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	if err := h.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(h)
	for range others {
		conn := benchSocket(b, server.URL, benchOtherTopic)
		defer conn.Close()
	}
	var readers sync.WaitGroup
	for range sockets {
		conn := benchSocket(b, server.URL, benchTopic)
		readers.Go(func() { readToLastEvent(b, conn) })
	}
	pad := json.RawMessage(fmt.Sprintf(`{"pad":%q}`, strings.Repeat("x", 130)))
	e := market.Event{Topic: benchTopic, Type: market.TypeAdvertisedChanged, At: eventTime, Data: pad}
	b.ResetTimer()
	for i := range b.N {
		for int64(i)-h.Stats().Deliveries/int64(sockets) > benchWindow {
			runtime.Gosched()
		}
		if err := broker.Publish(context.Background(), []market.Event{e}); err != nil {
			b.Fatal(err)
		}
	}
	e.Data = json.RawMessage(`{"last":true}`)
	if err := broker.Publish(context.Background(), []market.Event{e}); err != nil {
		b.Fatal(err)
	}
	readers.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)*float64(sockets)/b.Elapsed().Seconds(), "deliveries/s")
	if s := h.Stats(); s.Drops["slow"] > 0 || s.Overflows > 0 {
		b.Fatalf("%+v", s)
	}
	_ = h.Close(context.Background())
	server.Close()
	_ = broker.Close()
}

func benchSocket(b *testing.B, url, topic string) net.Conn {
	b.Helper()
	h := &harness{url: "ws" + strings.TrimPrefix(url, "http")}
	reply, err := h.handshake(nil)
	if err != nil {
		b.Fatal(err)
	}
	ws := reply.ws
	c := &client{ws: ws}
	if err := ws.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"subscribe":{%q:""}}`, topic)); err != nil {
		b.Fatal(err)
	}
	for range 2 { // hello, subscribed
		if _, _, err := c.tryRead(); err != nil {
			b.Fatal(err)
		}
	}
	_ = ws.SetReadDeadline(time.Time{})
	return ws.NetConn()
}

// readToLastEvent discards all bytes up to the end of the last event, and closes the connection.
func readToLastEvent(b *testing.B, conn net.Conn) {
	buf := make([]byte, 64<<10)
	kept := 0
	for {
		n, err := conn.Read(buf[kept:])
		if err != nil {
			b.Error(err)
			return
		}
		received := buf[:kept+n]
		if bytes.HasSuffix(received, lastEvent) {
			_ = conn.Close()
			return
		}
		kept = copy(buf, received[max(0, len(received)-len(lastEvent)):])
	}
}

// BenchmarkIdleSocket keeps idle sockets open. One operation is one socket. B/socket is
// the memory in the hub and net/http, without the kernel and the client. -benchtime=4000x
// sets the number of sockets.
func BenchmarkIdleSocket(b *testing.B) {
	broker := hub.NewMemoryBroker(hub.HistoryLimits{})
	h, err := hub.New(hub.Config{Broker: broker, Authorize: hub.AllowAnyTopic, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	if err := h.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(h)
	benchSocket(b, server.URL, benchTopic) // allocates what all sockets share
	before := memoryInUse()
	var conns []net.Conn
	for range b.N {
		conns = append(conns, bareSocket(b, server.Listener.Addr().String()))
	}
	b.ReportMetric(float64(memoryInUse()-before)/float64(b.N), "B/socket")
	for _, conn := range conns {
		_ = conn.Close()
	}
	_ = h.Close(context.Background())
	server.Close()
	_ = broker.Close()
}

// memoryInUse returns the size of the heap and the stacks of this process, in bytes.
func memoryInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// bareSocket subscribes to a topic over a plain TCP connection, which needs little memory.
func bareSocket(b *testing.B, address string) net.Conn {
	b.Helper()
	conn, err := new(net.Dialer).DialContext(b.Context(), "tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	readUntil := func(text string) {
		var received []byte
		for buffer := make([]byte, 512); !bytes.Contains(received, []byte(text)); {
			n, err := conn.Read(buffer)
			if err != nil {
				b.Fatal(err)
			}
			received = append(received, buffer[:n]...)
		}
	}
	_, err = fmt.Fprint(conn, "GET /live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
	if err != nil {
		b.Fatal(err)
	}
	readUntil(`"hello"`)
	subscribe := `{"subscribe":{"advertised":""}}`
	frame := append([]byte{0x81, 0x80 | byte(len(subscribe)), 0, 0, 0, 0}, subscribe...) // masked with zeros
	if _, err := conn.Write(frame); err != nil {
		b.Fatal(err)
	}
	readUntil(`"subscribed"`)
	return conn
}
