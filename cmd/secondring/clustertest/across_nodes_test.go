package clustertest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/nodetest"
)

// revocationLimit is the maximum delay of a revocation on a busy machine.
const revocationLimit = 5 * time.Second

func TestEventsReachTheOtherNode(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, nil)
	first, second := c.nodes[0], c.nodes[1]
	rafi := first.login(buyer)
	phone := rafi.advertised()[0]
	screens := []*socket{
		second.visitor().subscribe(map[string]string{"advertised": ""}),
		second.login(buyer2).subscribe(map[string]string{"brand:" + phone.Brand: ""}),
		first.login(buyer2).subscribe(map[string]string{"brand:" + phone.Brand: ""}),
	}
	orders := rafi.at(second).subscribe(map[string]string{"me": ""})
	booking := rafi.book(phone.ID)
	for i, kind := range []string{"advertised.changed", "product.booked", "product.booked"} {
		if e := screens[i].expectEvent(kind, phone.ID); !e.Data.Booked || e.Data.Version <= phone.Version {
			t.Errorf("screen %d got %+v, want a booked phone with a newer version", i, e)
		}
	}
	if e := orders.expectEvent("booking.changed", booking); e.Data.Status != "held" {
		t.Errorf("the buyer got %+v, want a held booking", e)
	}
	rafi.at(second).call(http.MethodDelete, "/bookings/"+booking, nil, nil)
	for i, kind := range []string{"advertised.changed", "product.released", "product.released"} {
		if e := screens[i].expectEvent(kind, phone.ID); e.Data.Booked {
			t.Errorf("screen %d got %+v, want an available phone", i, e)
		}
	}
}

func TestRemovedAccountEndsOnAllNodes(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, nil)
	maya := c.nodes[1].login(buyer2)
	userSocket := maya.subscribe(map[string]string{"me": ""})
	adminBrowser := c.nodes[0].login(admin)
	var users []struct {
		ID    string `json:"_id"`
		Email string
	}
	adminBrowser.call(http.MethodGet, "/users/buyers", nil, &users)
	for _, user := range users {
		if user.Email == "maya@example.com" {
			adminBrowser.call(http.MethodDelete, "/users/"+user.ID, nil, nil)
		}
	}
	if code, took := userSocket.waitForClose(); code != 4403 || took > revocationLimit {
		t.Errorf("the socket on the other node was closed with %d after %v, want 4403 within %v", code, took, revocationLimit)
	}
	for _, node := range c.nodes {
		if answer, _ := maya.at(node).send(http.MethodGet, "/bookings?email=maya@example.com", nil); answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("a call with the token of a deleted user: %s, want 401", answer.Status)
		}
	}
}

func TestSignOutEndsSessionOnAllNodes(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, nil)
	rafi, otherSession := c.nodes[0].login(buyer), c.nodes[0].login(buyer)
	ended, kept := rafi.at(c.nodes[1]).subscribe(map[string]string{"me": ""}), otherSession.at(c.nodes[1]).subscribe(map[string]string{"me": ""})
	rafi.call(http.MethodPost, "/identity/sign-out", nil, nil)
	if code, took := ended.waitForClose(); code != 4401 || took > revocationLimit {
		t.Errorf("the socket on the other node was closed with %d after %v, want 4401 within %v", code, took, revocationLimit)
	}
	booking := otherSession.book(otherSession.advertised()[0].ID)
	kept.expectEvent("booking.changed", booking)
}

// The other node has the account's access in its memory. The event of the change makes it read the
// account again before it closes the socket.
func TestNewPasswordEndsSessionsOnAllNodes(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, nil)
	rafi, thief := c.nodes[0].login(buyer), c.nodes[1].login(buyer)
	socket := thief.subscribe(map[string]string{"me": ""})
	thief.call(http.MethodGet, "/bookings?email=rafi@example.com", nil, nil)
	rafi.call(http.MethodPost, "/identity/password", map[string]string{"current": "buyer-demo", "new": "another secret"}, nil)
	if code, took := socket.waitForClose(); code != 4401 || took > revocationLimit {
		t.Errorf("the socket on the other node was closed with %d after %v, want 4401 within %v", code, took, revocationLimit)
	}
	for _, node := range c.nodes {
		if answer, _ := thief.at(node).send(http.MethodGet, "/bookings?email=rafi@example.com", nil); answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("a call with the token of an ended session: %s, want 401", answer.Status)
		}
		rafi.at(node).call(http.MethodGet, "/bookings?email=rafi@example.com", nil, nil)
	}
}

func TestGuessesAreCountedAcrossNodes(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, map[string]string{"RATE_LIMIT": "100/s"})
	guess := func(i int) int {
		body := map[string]string{"email": "rafi@example.com", "password": fmt.Sprint("guess", i)}
		answer, _ := c.nodes[i%2].visitor().send(http.MethodPost, "/identity/sign-in", body)
		return answer.StatusCode
	}
	for i := range 10 {
		if status := guess(i); status != http.StatusUnauthorized {
			t.Fatalf("guess %d: %d, want 401", i, status)
		}
	}
	for i := range 2 {
		if status := guess(i); status != http.StatusTooManyRequests {
			t.Errorf("the next guess on node %d: %d, want 429", i, status)
		}
	}
}

// The second node refuses a user who has reached the limit at the first, although it has
// received only two calls in half a second and alone would accept ten.
func TestCallsAreCountedAcrossNodes(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, map[string]string{"RATE_LIMIT": "10/s"})
	rafi := c.nodes[0].login(buyer)
	call := func(p *browser) bool {
		answer, _ := p.send(http.MethodGet, "/users/buyer/rafi@example.com", nil)
		return answer.StatusCode == http.StatusTooManyRequests
	}
	eventually(t, "the other node refuses", func() bool {
		<-time.After(500 * time.Millisecond)
		for !call(rafi) {
			continue
		}
		call(rafi.at(c.nodes[1])) // makes the node request this user's count from Redis
		<-time.After(100 * time.Millisecond)
		return call(rafi.at(c.nodes[1]))
	})
}

// Every node looks for expired holds, but only one may release a hold.
func TestHoldExpiresOnceAcrossNodes(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 3, map[string]string{"BOOKING_HOLD": "2s"})
	rafi := c.nodes[0].login(buyer)
	phones := rafi.advertised()[:3]
	for _, phone := range phones {
		screen := c.nodes[1].login(buyer2).subscribe(map[string]string{"brand:" + phone.Brand: ""})
		rafi.book(phone.ID)
		booked, released := screen.expectEvent("product.booked", phone.ID), screen.expectEvent("product.released", phone.ID)
		if released.Data.Version != booked.Data.Version+1 {
			t.Errorf("the booked phone has version %d and the released one %d, want one more", booked.Data.Version, released.Data.Version)
		}
	}
	after := rafi.advertised()
	for _, phone := range phones {
		for _, current := range after {
			if current.ID == phone.ID && current.Version != phone.Version+2 {
				t.Errorf("version %d became %d, want two more", phone.Version, current.Version)
			}
		}
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

// A stopping node first reports that it is not ready, so that load balancers notice, and
// still serves.
func TestNodeIsNotReadyBeforeItStops(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 1, nil)
	stopped := make(chan error, 1)
	go func() { stopped <- c.nodes[0].stop() }()
	eventually(t, "the stopping node returns 503 at /readyz", func() bool {
		return c.nodes[0].status("/readyz") == http.StatusServiceUnavailable
	})
	if status := c.nodes[0].status("/products/advertised"); status != http.StatusOK {
		t.Errorf("a call to the stopping node: %d, want 200", status)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}
