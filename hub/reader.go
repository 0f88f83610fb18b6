package hub

import (
	"bufio"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// The reader of a socket. A goroutine that waits in gorilla's ReadMessage costs an idle
// socket 12 kB, and the bound is 8. So the poller starts a goroutine when there are bytes
// to read, and it ends when it has read them: an idle socket costs 4.6 kB
// (docs/PERFORMANCE.md). The reader adds three things to gorilla's ReadMessage:
//
//   - readerState prevents two goroutines from reading one socket;
//   - await reads only if a byte has arrived, so that ReadMessage waits only for the rest
//     of a message;
//   - handleControlFrame handles a ping or pong itself, because ReadMessage would handle it and then
//     wait for the next message.

// errWouldBlock is the error of a read from a socket that has nothing to read now.
var errWouldBlock = errors.New("hub: nothing to read")

// The values of a readerState.
const (
	idle      = iota // no goroutine reads
	reading          // a goroutine reads
	readAgain        // a goroutine reads, and must check once more before it ends
)

// readerState lets one goroutine at a time read from a socket.
type readerState struct{ state atomic.Int32 }

// enter reports whether the caller must start a goroutine. If one runs already, enter makes
// it check once more.
func (t *readerState) enter() bool {
	for {
		if t.state.CompareAndSwap(idle, reading) {
			return true
		}
		if t.state.CompareAndSwap(reading, readAgain) || t.state.Load() == readAgain {
			return false
		}
	}
}

// leave reports whether the goroutine may end; otherwise it must check once more.
func (t *readerState) leave() bool {
	if t.state.CompareAndSwap(reading, idle) {
		return true
	}
	t.state.Store(reading)
	return false
}

// wake starts a goroutine that reads what has arrived.
func (c *conn) wake() {
	if c.readerState.enter() {
		go c.run()
	}
}

// run reads until there is nothing, or until the socket has ended.
func (c *conn) run() {
	for {
		err := c.read()
		if !errors.Is(err, errWouldBlock) {
			c.hub.ended(c, err)
			return
		}
		if c.readerState.leave() {
			return
		}
	}
}

// readBuffers has the buffers of sockets that are being read.
var readBuffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, readBufferSize) }}

// read handles client frames until there are no more for now (errWouldBlock), or the
// socket fails.
func (c *conn) read() error {
	buffer, _ := readBuffers.Get().(*bufio.Reader)
	buffer.Reset(c.out)
	c.out.in = *buffer // gorilla keeps the pointer to this one, see hijacker
	defer func() {
		c.out.in = bufio.Reader{}
		buffer.Reset(nil)
		readBuffers.Put(buffer)
	}()
	for {
		if c.isClosing() {
			return c.discard()
		}
		if err := c.await(); err != nil {
			return err
		}
		if done, err := c.handleControlFrame(); done || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		kind, data, err := c.ws.ReadMessage()
		if err != nil {
			return err
		}
		c.handleMessage(kind, data)
	}
}

// discard reads on after the hub has closed the socket, up to the client's close frame or
// the deadline. It keeps no message, so that a flood that is under way costs no memory.
func (c *conn) discard() error {
	part := make([]byte, readBufferSize)
	for {
		_, message, err := c.ws.NextReader()
		for err == nil {
			_, err = message.Read(part)
		}
		if !errors.Is(err, io.EOF) {
			return err
		}
	}
}

// await returns nil when the buffer has a byte, and errWouldBlock when nothing has arrived.
// For a connection that cannot be polled it returns nil and ReadMessage waits.
func (c *conn) await() error {
	if c.out.in.Buffered() > 0 || !c.polled {
		return nil
	}
	c.out.peeking = true
	_, err := c.out.in.Peek(1)
	c.out.peeking = false
	return err
}

// A control frame of a client (RFC 6455 section 5.5) is short and masked.
const (
	controlHeaderSize = 6 // bytes: two, and the mask
	maskedBit         = 0x80
	maxControl        = 125
)

// handleControlFrame handles a ping or pong that is complete in the buffer, and reports
// whether there was one.
func (c *conn) handleControlFrame() (done bool, err error) {
	in := &c.out.in
	frame, _ := in.Peek(min(in.Buffered(), controlHeaderSize+maxControl)) // as much as there is
	if len(frame) < controlHeaderSize || frame[1]&maskedBit == 0 {
		return false, nil
	}
	size := int(frame[1] &^ maskedBit)
	kind := frame[0] &^ finalBit
	if frame[0]&finalBit == 0 || size > maxControl || len(frame) < controlHeaderSize+size ||
		kind != websocket.PingMessage && kind != websocket.PongMessage {
		return false, nil
	}
	payload := make([]byte, size)
	for i := range payload {
		payload[i] = frame[controlHeaderSize+i] ^ frame[2+i%4]
	}
	_, _ = in.Discard(controlHeaderSize + size) // these bytes are buffered
	if kind == websocket.PingMessage {
		return true, c.onPing(string(payload))
	}
	return true, c.onPong(string(payload))
}

// handleMessage handles one client frame.
func (c *conn) handleMessage(kind int, data []byte) {
	if !c.countFrame() {
		return
	}
	frame, err := parseClientFrame(data)
	if err != nil || kind != websocket.TextMessage {
		c.close(CloseLimit, reasonMalformed)
		return
	}
	c.handleFrame(frame)
}

// linger reads on for lingerTime after a frame that gorilla refused. Closing with
// unread bytes would reset the connection and could lose the close frame.
func (c *conn) linger(err error) {
	var closed *websocket.CloseError
	switch {
	case errors.Is(err, websocket.ErrReadLimit):
		c.close(CloseTooBig, reasonTooBig)
	case errors.Is(err, errFragments):
		c.close(CloseLimit, reasonTooMany)
	case errors.As(err, &closed), errors.Is(err, os.ErrDeadlineExceeded):
		return // the other side closed, or did not answer the close frame in time
	case !c.out.isClosing():
		return // the connection broke
	}
	_ = c.ws.SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.Copy(io.Discard, c.out.Conn)
}
