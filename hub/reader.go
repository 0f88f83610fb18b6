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

// errNothing is of a socket that has nothing to read just now.
var errNothing = errors.New("hub: nothing to read")

// The states of a turnstile.
const (
	parked   = iota // nobody reads
	reading         // a goroutine does
	wokenToo        // and is to look once more before it parks
)

// turnstile lets one goroutine at a time read from a socket, and none while
// there is nothing to read.
type turnstile struct{ state atomic.Int32 }

// enter says whether the caller is to have somebody read: where somebody does
// already, they will look once more.
func (t *turnstile) enter() bool {
	for {
		if t.state.CompareAndSwap(parked, reading) {
			return true
		}
		if t.state.CompareAndSwap(reading, wokenToo) || t.state.Load() == wokenToo {
			return false
		}
	}
}

// leave says whether the reader may go; otherwise it is to look once more.
func (t *turnstile) leave() bool {
	if t.state.CompareAndSwap(reading, parked) {
		return true
	}
	t.state.Store(reading)
	return false
}

// wake has a goroutine read what there is. It lives until that is done: an idle
// socket has none, nor a buffer.
func (c *conn) wake() {
	if c.turnstile.enter() {
		go c.run()
	}
}

// run reads until there is nothing, or until the socket has ended.
func (c *conn) run() {
	for {
		err := c.read()
		if !errors.Is(err, errNothing) {
			c.hub.ended(c, err)
			return
		}
		if c.turnstile.leave() {
			return
		}
	}
}

// readBuffers are handed to sockets for as long as they are read from.
var readBuffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, readBufferSize) }}

// read takes client frames until there are no more for now (errNothing), or the
// socket gives an error.
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
		if err := c.await(); err != nil {
			return err
		}
		if done, err := c.control(); done || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		kind, data, err := c.ws.ReadMessage()
		if err != nil {
			return err
		}
		c.take(kind, data)
	}
}

// await has at least a byte in the buffer, or returns errNothing. A connection
// that cannot be asked, and one that is closing and has its deadline, is waited for.
func (c *conn) await() error {
	if c.out.in.Buffered() > 0 || !c.polled || c.isClosing() {
		return nil
	}
	c.out.peeking = true
	_, err := c.out.in.Peek(1)
	c.out.peeking = false
	return err
}

// What a control frame looks like, RFC 6455 section 5.5: small, and masked.
const (
	controlHead = 6 // bytes: two, and the mask
	maskedBit   = 0x80
	maxControl  = 125
)

// control takes a ping or pong that is in the buffer whole, and says whether
// there was one. Left to gorilla, which goes on to the next message, it would
// hold a goroutine for as long as the socket is idle.
func (c *conn) control() (done bool, err error) {
	in := &c.out.in
	frame, _ := in.Peek(min(in.Buffered(), controlHead+maxControl)) // as much as there is
	if len(frame) < controlHead || frame[1]&maskedBit == 0 {
		return false, nil
	}
	size := int(frame[1] &^ maskedBit)
	kind := frame[0] &^ finalBit
	if frame[0]&finalBit == 0 || size > maxControl || len(frame) < controlHead+size ||
		kind != websocket.PingMessage && kind != websocket.PongMessage {
		return false, nil
	}
	payload := make([]byte, size)
	for i := range payload {
		payload[i] = frame[controlHead+i] ^ frame[2+i%4]
	}
	_, _ = in.Discard(controlHead + size) // it is there
	if kind == websocket.PingMessage {
		return true, c.onPing(string(payload))
	}
	return true, c.onPong(string(payload))
}

// take looks at one client frame.
func (c *conn) take(kind int, data []byte) {
	if !c.countFrame() {
		return
	}
	frame, err := parseClientFrame(data)
	if err != nil || kind != websocket.TextMessage {
		c.close(CloseLimit, reasonMalformed)
		return
	}
	c.receive(frame)
}

// linger waits a little for the other side after a frame that gorilla refused:
// closing with its bytes unread would reset the connection and could lose the
// close frame on the way.
func (c *conn) linger(err error) {
	var closed *websocket.CloseError
	switch {
	case errors.Is(err, websocket.ErrReadLimit):
		c.close(CloseTooBig, reasonTooBig)
	case errors.Is(err, errFragments):
		c.close(CloseLimit, reasonTooMany)
	case errors.As(err, &closed), errors.Is(err, os.ErrDeadlineExceeded):
		return // the other side closed, or had its time to
	case !c.out.hasClosed():
		return // the connection broke
	}
	_ = c.ws.SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.Copy(io.Discard, c.out.Conn)
}
