package clustertest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/nodetest"
)

// revocationLimit is the maximum delay of a revocation on a busy machine.
const revocationLimit = 5 * time.Second

// A session ends on all nodes. The other node has the account's access in its memory, and closes
// the session's sockets.
func TestSessionsEndOnAllNodes(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, nil)
	first, second := c.nodes[0], c.nodes[1]
	for _, test := range []struct {
		name, email string
		ended, kept *browser
		code        int
		end         func(ended, kept *browser)
	}{
		{
			"sign-out", "rafi@example.com", first.login(buyer), first.login(buyer), 4401,
			func(ended, _ *browser) { ended.call(http.MethodPost, "/identity/sign-out", nil, nil) },
		},
		{
			"new password", "rafi@example.com", second.login(buyer), first.login(buyer), 4401,
			func(_, kept *browser) {
				change := map[string]string{"current": "buyer-demo", "new": "another secret"}
				kept.call(http.MethodPost, "/identity/password", change, nil)
			},
		},
		{
			"removed account", "maya@example.com", second.login(buyer2), nil, 4403,
			func(_, _ *browser) {
				boss := first.login(admin)
				var users []struct {
					ID    string `json:"_id"`
					Email string
				}
				boss.call(http.MethodGet, "/users/buyers", nil, &users)
				for _, user := range users {
					if user.Email == "maya@example.com" {
						boss.call(http.MethodDelete, "/users/"+user.ID, nil, nil)
					}
				}
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := "/bookings?email=" + test.email
			screen := test.ended.at(second).subscribe(map[string]string{"me": ""})
			test.ended.at(second).call(http.MethodGet, path, nil, nil)
			var keptScreen *socket
			if test.kept != nil {
				keptScreen = test.kept.at(second).subscribe(map[string]string{"me": ""})
			}
			test.end(test.ended, test.kept)
			if code, took := screen.waitForClose(); code != test.code || took > revocationLimit {
				t.Errorf("the socket on the other node was closed with %d after %v, want %d within %v", code, took, test.code, revocationLimit)
			}
			for _, node := range c.nodes {
				if answer, _ := test.ended.at(node).send(http.MethodGet, path, nil); answer.StatusCode != http.StatusUnauthorized {
					t.Errorf("a call with the token of the ended session: %s, want 401", answer.Status)
				}
			}
			if test.kept != nil {
				booking := test.kept.book(test.kept.advertised()[0].ID)
				keptScreen.expectEvent("booking.changed", booking)
			}
		})
	}
}

// A node that starts without Redis serves lists, is not ready, and accepts sockets as soon
// as Redis is available. Clients that have read a list before that get a resync.
func TestNodeStartsWithoutRedis(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 0, nil)
	c.redis.Kill()
	node := startNode(t, nodetest.Settings(t, c.env))
	if status := node.status("/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("/readyz without Redis: %d, want 503", status)
	}
	visitor := node.visitor()
	list, _ := visitor.send(http.MethodGet, "/products/advertised", nil)
	position := list.Header.Get("Live-Position")
	if list.StatusCode != http.StatusOK || position == "" {
		t.Fatalf("the list: %s, position %q; want 200 with a position", list.Status, position)
	}
	_, answer, err := visitor.dial()
	if err == nil || answer == nil || answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Fatalf("opening a socket without Redis: %v, %+v; want 503 with Retry-After", err, answer)
	}
	_ = answer.Body.Close()
	c.redis.Restart(t)
	eventually(t, "the node is ready", func() bool { return node.status("/readyz") == http.StatusOK })
	eventually(t, "sockets are accepted", func() bool {
		conn, answer, err := visitor.dial()
		if err == nil {
			_ = conn.Close()
		}
		_ = answer.Body.Close()
		return err == nil
	})
	screen := visitor.subscribe(nil)
	topic, at, _ := strings.Cut(position, "=")
	if err := screen.conn.WriteJSON(map[string]any{"subscribe": map[string]string{topic: at}}); err != nil {
		t.Fatal(err)
	}
	screen.readUntil("the topic is resynced", func(f frame) bool { return len(f.Resync) == 1 && f.Resync[0] == topic })
}
