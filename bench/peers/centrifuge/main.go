// Command centrifuge is a hub with Centrifuge, the library of the Centrifugo server.
// Options that are not needed are off. Every client is subscribed to one channel.
package main

import (
	"context"
	"io"
	"net/http"
	"os"

	"github.com/centrifugal/centrifuge"
)

func main() {
	node, err := centrifuge.New(centrifuge.Config{})
	if err != nil {
		panic(err)
	}
	node.OnConnecting(func(context.Context, centrifuge.ConnectEvent) (centrifuge.ConnectReply, error) {
		return centrifuge.ConnectReply{
			Credentials:   &centrifuge.Credentials{},
			Subscriptions: map[string]centrifuge.SubscribeOptions{"bench": {}},
		}, nil
	})
	if err := node.Run(); err != nil {
		panic(err)
	}
	http.Handle("GET /live", centrifuge.NewWebsocketHandler(node, centrifuge.WebsocketConfig{
		CheckOrigin: func(*http.Request) bool { return true },
		// The generator does not respond to pings.
		PingPongConfig: centrifuge.PingPongConfig{PingInterval: -1},
	}))
	http.HandleFunc("POST /publish", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			_, err = node.Publish("bench", body)
		}
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	panic(http.ListenAndServe(os.Getenv("ADDR"), nil))
}
