package main

// protocol is how a client of a peer gets to where events reach it.
type protocol struct {
	path  string // of the WebSocket; "" is bare TCP, whose server speaks first
	steps []step
}

// step waits for a word in what the server says, after something was said to it.
type step struct{ say, until string }

const bareHello = "hello\n"

var protocols = map[string]protocol{
	"floor": {},
	"plain": {path: "/live"},
	"hubd": {path: "/live", steps: []step{
		{until: `"hello"`},
		{say: `{"subscribe":{"bench":""}}`, until: `"subscribed"`},
	}},
	// The same, as far as a client of the plain hub goes: it asks for no topic.
	"hubd-open": {path: "/live", steps: []step{{until: `"hello"`}}},
	"centrifuge": {path: "/live", steps: []step{
		{say: `{"id":1,"connect":{}}`, until: `"connect"`},
	}},
	"socketio": {path: "/socket.io/?EIO=4&transport=websocket", steps: []step{
		{until: `0{"sid"`},
		{say: "40", until: `40{"sid"`},
	}},
}

// request is the call that asks for a WebSocket.
func (p protocol) request() []byte {
	return []byte("GET " + p.path + " HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
}

// masked is a client's text frame, masked with zeros.
func masked(text string) []byte {
	return append([]byte{0x81, 0x80 | byte(len(text)), 0, 0, 0, 0}, text...)
}
