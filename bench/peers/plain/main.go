// Command plain is a simple hub with gorilla/websocket, like gorilla's chat example. One
// goroutine has the list of clients. Each client has two goroutines and a channel of 256
// messages, and all pending messages are written as one.
package main

import (
	"io"
	"net/http"
	"os"
	"time"

	"github.com/gorilla/websocket"
)

const (
	writeTimeout = 10 * time.Second
	pongTimeout  = 60 * time.Second
	pingInterval = 54 * time.Second
	maxFrame     = 512
	queue        = 256
)

type client struct {
	ws   *websocket.Conn
	send chan []byte
}

type hub struct {
	join, leave chan *client
	events      chan []byte
}

func main() {
	h := &hub{join: make(chan *client), leave: make(chan *client), events: make(chan []byte)}
	go h.run()
	up := websocket.Upgrader{ReadBufferSize: 1024, WriteBufferSize: 1024}
	http.HandleFunc("GET /live", func(w http.ResponseWriter, r *http.Request) {
		ws, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		c := &client{ws: ws, send: make(chan []byte, queue)}
		h.join <- c
		go c.write()
		go c.read(h)
	})
	http.HandleFunc("POST /publish", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		h.events <- body
		w.WriteHeader(http.StatusNoContent)
	})
	panic(http.ListenAndServe(os.Getenv("ADDR"), nil))
}

func (h *hub) run() {
	clients := map[*client]bool{}
	remove := func(c *client) {
		if clients[c] {
			delete(clients, c)
			close(c.send)
		}
	}
	for {
		select {
		case c := <-h.join:
			clients[c] = true
		case c := <-h.leave:
			remove(c)
		case event := <-h.events:
			for c := range clients {
				select {
				case c.send <- event:
				default:
					remove(c)
				}
			}
		}
	}
}

// read handles pongs, and removes the client when the connection ends.
func (c *client) read(h *hub) {
	defer func() {
		h.leave <- c
		_ = c.ws.Close()
	}()
	extendDeadline := func(string) error { return c.ws.SetReadDeadline(time.Now().Add(pongTimeout)) }
	c.ws.SetReadLimit(maxFrame)
	c.ws.SetPongHandler(extendDeadline)
	for err := extendDeadline(""); err == nil; {
		_, _, err = c.ws.ReadMessage()
	}
}

// write sends pings, and events. All pending events are sent in one message.
func (c *client) write() {
	ping := time.NewTicker(pingInterval)
	defer func() {
		ping.Stop()
		_ = c.ws.Close()
	}()
	for {
		select {
		case event, ok := <-c.send:
			_ = c.ws.SetWriteDeadline(time.Now().Add(writeTimeout))
			if !ok {
				_ = c.ws.WriteMessage(websocket.CloseMessage, nil)
				return
			}
			if c.message(event) != nil {
				return
			}
		case <-ping.C:
			_ = c.ws.SetWriteDeadline(time.Now().Add(writeTimeout))
			if c.ws.WriteMessage(websocket.PingMessage, nil) != nil {
				return
			}
		}
	}
}

func (c *client) message(event []byte) error {
	w, err := c.ws.NextWriter(websocket.TextMessage)
	if err != nil {
		return err
	}
	_, _ = w.Write(event)
	for range len(c.send) {
		_, _ = w.Write([]byte{'\n'})
		_, _ = w.Write(<-c.send)
	}
	return w.Close()
}
