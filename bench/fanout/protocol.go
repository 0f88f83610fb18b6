package main

// protocol describes how a client connects to a peer and subscribes to events.
type protocol struct {
	path  string // of the WebSocket; "" means plain TCP, on which the server sends tcpHello first
	steps []step
}

// step sends a text, which may be empty, and waits for a text of the server.
type step struct{ send, until string }

const tcpHello = "hello\n"

var protocols = map[string]protocol{
	"rawtcp": {},
	"plain":  {path: "/live"},
	"hubd": {path: "/live", steps: []step{
		{until: `"hello"`},
		{send: `{"subscribe":{"bench":""}}`, until: `"subscribed"`},
	}},
	// A client that subscribes to no topic, like a client of the plain hub.
	"hubd-open": {path: "/live", steps: []step{{until: `"hello"`}}},
	"centrifuge": {path: "/live", steps: []step{
		{send: `{"id":1,"connect":{}}`, until: `"connect"`},
	}},
	"socketio": {path: "/socket.io/?EIO=4&transport=websocket", steps: []step{
		{until: `0{"sid"`},
		{send: "40", until: `40{"sid"`},
	}},
}

// request returns the handshake request for a WebSocket.
func (p protocol) request() []byte {
	return []byte("GET " + p.path + " HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
}

// masked returns a client's text frame, masked with zeros.
func masked(text string) []byte {
	return append([]byte{0x81, 0x80 | byte(len(text)), 0, 0, 0, 0}, text...)
}
