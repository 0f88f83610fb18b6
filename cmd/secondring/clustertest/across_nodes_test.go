package clustertest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// soon is the maximum delay of a revocation on a busy machine.
const soon = 5 * time.Second

func TestEventsReachTheOtherNode(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, nil)
	here, there := c.nodes[0], c.nodes[1]
	rafi := here.login(buyer)
	phone := rafi.advertised()[0]
	screens := []*socket{
		there.visitor().live(map[string]string{"advertised": ""}),
		there.login(buyer2).live(map[string]string{"brand:" + phone.Brand: ""}),
		here.login(buyer2).live(map[string]string{"brand:" + phone.Brand: ""}),
	}
	orders := rafi.at(there).live(map[string]string{"me": ""})
	booking := rafi.books(phone.ID)
	for i, kind := range []string{"advertised.changed", "product.booked", "product.booked"} {
		if e := screens[i].expectEvent(kind, phone.ID); !e.Data.Booked || e.Data.Version <= phone.Version {
			t.Errorf("screen %d got %+v", i, e)
		}
	}
	if e := orders.expectEvent("booking.changed", booking); e.Data.Status != "held" {
		t.Errorf("the buyer got %+v", e)
	}
	rafi.at(there).call(http.MethodDelete, "/bookings/"+booking, nil, nil)
	for i, kind := range []string{"advertised.changed", "product.released", "product.released"} {
		if e := screens[i].expectEvent(kind, phone.ID); e.Data.Booked {
			t.Errorf("screen %d got %+v", i, e)
		}
	}
}

func TestRemovedAccountEndsOnAllNodes(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, nil)
	maya := c.nodes[1].login(buyer2)
	screen := maya.live(map[string]string{"me": ""})
	chief := c.nodes[0].login(admin)
	var people []struct {
		ID    string `json:"_id"`
		Email string
	}
	chief.call(http.MethodGet, "/users/buyers", nil, &people)
	for _, one := range people {
		if one.Email == "maya@example.com" {
			chief.call(http.MethodDelete, "/users/"+one.ID, nil, nil)
		}
	}
	if code, took := screen.ends(); code != 4403 || took > soon {
		t.Errorf("the socket on the other node ended with %d after %v", code, took)
	}
	for _, node := range c.nodes {
		if answer, _ := maya.at(node).ask(http.MethodGet, "/bookings?email=maya@example.com", nil); answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("the token gets %s", answer.Status)
		}
	}
}

func TestSignOutEndsSessionOnAllNodes(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, nil)
	rafi, elsewhere := c.nodes[0].login(buyer), c.nodes[0].login(buyer)
	screen, other := rafi.at(c.nodes[1]).live(map[string]string{"me": ""}), elsewhere.at(c.nodes[1]).live(map[string]string{"me": ""})
	rafi.call(http.MethodPost, "/identity/sign-out", nil, nil)
	if code, took := screen.ends(); code != 4401 || took > soon {
		t.Errorf("the socket on the other node ended with %d after %v", code, took)
	}
	booking := elsewhere.books(elsewhere.advertised()[0].ID)
	other.expectEvent("booking.changed", booking)
}

func TestGuessesAreCountedAcrossNodes(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, map[string]string{"RATE_LIMIT": "100/s"})
	guess := func(i int) int {
		wrong := map[string]string{"email": "rafi@example.com", "password": fmt.Sprint("guess", i)}
		answer, _ := c.nodes[i%2].visitor().ask(http.MethodPost, "/identity/sign-in", wrong)
		return answer.StatusCode
	}
	for i := range 10 {
		if status := guess(i); status != http.StatusUnauthorized {
			t.Fatalf("guess %d: %d", i, status)
		}
	}
	for i := range 2 {
		if status := guess(i); status != http.StatusTooManyRequests {
			t.Errorf("one more guess on node %d: %d", i, status)
		}
	}
}

// The other node refuses a user who has used up the limit here, though it has seen two
// calls in half a second and alone would accept ten.
func TestCallsAreCountedAcrossNodes(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 2, map[string]string{"RATE_LIMIT": "10/s"})
	rafi := c.nodes[0].login(buyer)
	call := func(p *person) bool {
		answer, _ := p.ask(http.MethodGet, "/users/buyer/rafi@example.com", nil)
		return answer.StatusCode == http.StatusTooManyRequests
	}
	eventually(t, "the other node refuses", func() bool {
		<-time.After(500 * time.Millisecond)
		for !call(rafi) {
			continue
		}
		call(rafi.at(c.nodes[1])) // tells it whom to ask about
		<-time.After(100 * time.Millisecond)
		return call(rafi.at(c.nodes[1]))
	})
}

// Every node looks for expired holds.
func TestHoldExpiresOnceAcrossNodes(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 3, map[string]string{"BOOKING_HOLD": "2s"})
	rafi := c.nodes[0].login(buyer)
	phones := rafi.advertised()[:3]
	for _, one := range phones {
		screen := c.nodes[1].login(buyer2).live(map[string]string{"brand:" + one.Brand: ""})
		rafi.books(one.ID)
		booked, released := screen.expectEvent("product.booked", one.ID), screen.expectEvent("product.released", one.ID)
		if released.Data.Version != booked.Data.Version+1 {
			t.Errorf("booked is version %d, free again %d", booked.Data.Version, released.Data.Version)
		}
	}
	again := rafi.advertised()
	for _, one := range phones {
		for _, now := range again {
			if now.ID == one.ID && now.Version != one.Version+2 {
				t.Errorf("version %d became %d", one.Version, now.Version)
			}
		}
	}
}

// A node that starts without Redis serves what it can, is not ready, and accepts sockets
// as soon as Redis is back. Clients that have read a list before that get a resync and
// fetch it again.
func TestNodeStartsWithoutRedis(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 0, nil)
	c.redis.Kill()
	node := start(t, settingsFor(t, c.env))
	if status := node.status("/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("readyz: %d", status)
	}
	visitor := node.visitor()
	list, _ := visitor.ask(http.MethodGet, "/products/advertised", nil)
	position := list.Header.Get("Live-Position")
	if list.StatusCode != http.StatusOK || position == "" {
		t.Fatalf("the list: %s, position %q", list.Status, position)
	}
	_, answer, err := visitor.dial()
	if err == nil || answer == nil || answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Fatalf("a socket: %v, %+v", err, answer)
	}
	_ = answer.Body.Close()
	c.redis.Restart(t)
	eventually(t, "the node is ready", func() bool { return node.status("/readyz") == http.StatusOK })
	eventually(t, "sockets are taken", func() bool {
		conn, answer, err := visitor.dial()
		if err == nil {
			_ = conn.Close()
		}
		_ = answer.Body.Close()
		return err == nil
	})
	screen := visitor.live(nil)
	topic, at, _ := strings.Cut(position, "=")
	if err := screen.conn.WriteJSON(map[string]any{"subscribe": map[string]string{topic: at}}); err != nil {
		t.Fatal(err)
	}
	screen.until("it is to fetch the list again", func(f frame) bool { return len(f.Resync) == 1 && f.Resync[0] == topic })
}

// A stopping node is first not ready, for balancers, and still serves.
func TestNodeIsNotReadyBeforeItStops(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 1, nil)
	stopped := make(chan error, 1)
	go func() { stopped <- c.nodes[0].stop() }()
	eventually(t, "it says that it is not ready", func() bool {
		return c.nodes[0].status("/readyz") == http.StatusServiceUnavailable
	})
	if status := c.nodes[0].status("/products/advertised"); status != http.StatusOK {
		t.Errorf("a call meanwhile: %d", status)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}
