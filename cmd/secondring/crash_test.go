package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"secondring/cmd/secondring/nodetest"
)

// With this in its environment the test binary is the product.
const serveMark = "SECONDRING_TEST_SERVES"

func TestMain(m *testing.M) {
	if os.Getenv(serveMark) != "" {
		if os.Getenv(roomMark) != "" {
			if err := limitFileSize(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		if os.Getenv(filesMark) != "" {
			if err := limitFiles(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		if killFile := os.Getenv(killMark); killFile != "" {
			fmt.Fprintln(os.Stderr, serveWithKiller(context.Background(), killFile))
			os.Exit(1)
		}
		main()
		return
	}
	os.Exit(m.Run())
}

// testServer is the server in a process of its own, which can be killed.
type testServer struct {
	t    *testing.T
	addr string
	env  []string
	cmd  *exec.Cmd
}

func newTestServer(t *testing.T, env ...string) *testServer {
	t.Helper()
	s := &testServer{t: t, addr: nodetest.FreeAddress(t)}
	s.env = append(os.Environ(), serveMark+"=1", "ADDR="+s.addr, "PUBLIC_URL=http://"+s.addr,
		"DATA_DIR="+t.TempDir(), "RATE_LIMIT=off", "MAX_HOLDS=1000", "BOOKING_HOLD=1h")
	s.env = append(s.env, env...)
	s.open()
	t.Cleanup(s.kill)
	return s
}

// open starts the process and waits until it answers.
func (s *testServer) open() {
	s.t.Helper()
	s.cmd = exec.CommandContext(context.WithoutCancel(s.t.Context()), os.Args[0])
	s.cmd.Env = s.env
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	deadline := time.After(30 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if status, err := s.call(http.MethodGet, "/readyz", "", nil, nil); err == nil && status == http.StatusOK {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			s.t.Fatal("the server does not answer")
		}
	}
}

func (s *testServer) kill() {
	_ = s.cmd.Process.Signal(syscall.SIGKILL)
	_ = s.cmd.Wait() // by a signal, as it was sent
}

// call makes a call with a bearer, or with a cookie when the token begins so.
func (s *testServer) call(method, path, token string, body, into any) (int, error) {
	sent, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequestWithContext(context.Background(), method, "http://"+s.addr+path, bytes.NewReader(sent))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(token, "sr_session=") {
		request.Header.Set("Cookie", token)
	} else if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	if into == nil {
		return answer.StatusCode, nil
	}
	if cookie, ok := into.(*string); ok {
		*cookie, _, _ = strings.Cut(answer.Header.Get("Set-Cookie"), ";")
		return answer.StatusCode, nil
	}
	return answer.StatusCode, json.NewDecoder(answer.Body).Decode(into)
}

func (s *testServer) must(method, path, token string, body, into any) {
	s.t.Helper()
	if status, err := s.call(method, path, token, body, into); err != nil || status/100 != 2 {
		s.t.Fatalf("%s %s: %d, %v", method, path, status, err)
	}
}

// person signs up and returns email and token.
func (s *testServer) person(name, accountType string) (email, token string) {
	s.t.Helper()
	email = name + "@example.com"
	var cookie string
	s.must(http.MethodPost, "/identity/sign-up", "", map[string]string{"email": email, "password": "secret-ring", "displayName": name}, &cookie)
	s.must(http.MethodPost, "/users", cookie, map[string]string{"name": name, "email": email, "accountType": accountType}, nil)
	return email, s.token(email, cookie)
}

// token fetches a token for the session of a cookie.
func (s *testServer) token(email, cookie string) string {
	s.t.Helper()
	var answer struct{ AccessToken string }
	s.must(http.MethodGet, "/jwt?email="+email, cookie, nil, &answer)
	return answer.AccessToken
}

type written struct{ InsertedID string }

func (s *testServer) phones(email, token string, n int) []string {
	s.t.Helper()
	var brands []struct {
		ID   string `json:"_id"`
		Name string
	}
	s.must(http.MethodGet, "/allCategories", "", nil, &brands)
	ids := make([]string, n)
	for i := range ids {
		ids[i] = s.phone(email, token, brands[0].ID, brands[0].Name)
	}
	return ids
}

// phone lists one phone of a brand.
func (s *testServer) phone(email, token, brandID, brand string) string {
	s.t.Helper()
	var added written
	s.must(http.MethodPost, "/products", token, map[string]any{
		"name": "Phone", "brand": brand, "id": brandID, "img": "/images/a.jpg",
		"originalPrice": 500, "resalePrice": 100, "productCondition": "Good", "usedTime": "1 year",
		"description": "Rings.", "sellerName": "sela", "email": email, "location": "Dhaka", "phone": "01700000",
		"selling_post_date": "2026-11-01",
	}, &added)
	return added.InsertedID
}

// buyers signs so many up: their tokens, by their addresses.
func (s *testServer) buyers(n int) map[string]string {
	s.t.Helper()
	all := map[string]string{}
	for i := range n {
		email, token := s.person(fmt.Sprintf("buyer%d", i), "User")
		all[email] = token
	}
	return all
}

// promises are the calls that were acknowledged before a kill.
type promises struct {
	mu     sync.Mutex
	booked map[string]string // booking: its buyer's token
	let    map[string]bool   // cancelled bookings
}

// wait waits until a booking was acknowledged.
func (p *promises) wait(t *testing.T) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		p.mu.Lock()
		n := len(p.booked)
		p.mu.Unlock()
		if n > 0 {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-deadline:
			t.Fatal("no booking succeeded")
		}
	}
}

// Buyers book and cancel while the process is killed repeatedly. Acknowledged bookings
// stand, and in the end phones and bookings agree.
func TestServerKilledUnderLoad(t *testing.T) {
	s, rounds := newTestServer(t), kills(t, 5)
	sellerMail, seller := s.person("sela", "Seller")
	phones := s.phones(sellerMail, seller, 20*rounds) // enough, because a buyer may book a phone once an hour
	buyers := s.buyers(5 + rounds)
	answered, slowest := &promises{booked: map[string]string{}, let: map[string]bool{}}, time.Duration(0)
	for round := range rounds {
		var all sync.WaitGroup
		for _, token := range buyers {
			all.Go(func() { s.buy(answered, token, phones) })
		}
		if round == 0 {
			answered.wait(t) // a slow machine may take a while
		}
		<-time.After(time.Duration(150+rand.IntN(200)) * time.Millisecond) // somewhere in the middle of it
		s.kill()
		all.Wait()
		began := time.Now()
		s.open()
		slowest = max(slowest, time.Since(began))
	}
	t.Logf("ready again after %v at most; %d bookings were told", slowest.Round(time.Millisecond), len(answered.booked))
	s.agree(answered, sellerMail, seller, buyers)
	s.isSound()
}

// kills returns how often a server is killed: n times, or as the variable KILLS says.
func kills(t *testing.T, n int) int {
	t.Helper()
	wish := os.Getenv("KILLS")
	if wish == "" {
		return n
	}
	n, err := strconv.Atoi(wish)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// isSound saves the market, which looks at all of it.
func (s *testServer) isSound() {
	s.t.Helper()
	saves := exec.CommandContext(s.t.Context(), os.Args[0], "backup", filepath.Join(s.t.TempDir(), "sound.tar"))
	saves.Env = s.env
	if said, err := saves.CombinedOutput(); err != nil {
		s.t.Errorf("the market is not sound: %v, %s", err, said)
	}
}

// buy books and cancels at random until the server has stopped.
func (s *testServer) buy(answered *promises, token string, phones []string) {
	for {
		var booking written
		phone := phones[rand.IntN(len(phones))]
		status, err := s.call(http.MethodPut, "/bookings", token, map[string]string{"productID": phone, "phone": "01700000"}, &booking)
		if err != nil {
			return
		}
		if status != http.StatusOK {
			continue
		}
		answered.mu.Lock()
		answered.booked[booking.InsertedID] = token
		answered.mu.Unlock()
		if rand.IntN(2) == 0 {
			continue
		}
		status, err = s.call(http.MethodDelete, "/bookings/"+booking.InsertedID, token, nil, nil)
		if err != nil {
			return
		}
		answered.mu.Lock()
		answered.let[booking.InsertedID] = answered.let[booking.InsertedID] || status == http.StatusOK
		answered.mu.Unlock()
	}
}

// agree waits for the janitor and compares the market with the acknowledged calls.
func (s *testServer) agree(answered *promises, sellerMail, seller string, buyers map[string]string) {
	s.t.Helper()
	for booking, token := range answered.booked {
		var order struct{ Status string }
		s.must(http.MethodGet, "/booking/"+booking, token, nil, &order)
		if answered.let[booking] && order.Status != "cancelled" {
			s.t.Errorf("booking %s was cancelled and is %s", booking, order.Status)
		}
	}
	deadline := time.Now().Add(15 * time.Second)
	wrong := "unknown"
	for ; wrong != "" && time.Now().Before(deadline); <-time.After(200 * time.Millisecond) {
		wrong = s.disagreement(sellerMail, seller, buyers)
	}
	if wrong != "" {
		s.t.Error(wrong)
	}
}

func (s *testServer) disagreement(sellerMail, seller string, buyers map[string]string) string {
	s.t.Helper()
	holder := map[string]string{}
	for email, token := range buyers {
		var orders []struct {
			ID        string `json:"_id"`
			ProductID string
			Status    string
		}
		s.must(http.MethodGet, "/bookings?limit=200&email="+email, token, nil, &orders)
		for _, o := range orders {
			if o.Status != "held" {
				continue
			}
			if other := holder[o.ProductID]; other != "" {
				return fmt.Sprintf("phone %s is held by %s and by %s", o.ProductID, other, o.ID)
			}
			holder[o.ProductID] = o.ID
		}
	}
	var phones []struct {
		ID     string `json:"_id"`
		Booked bool
	}
	s.must(http.MethodGet, "/products?limit=200&email="+sellerMail, seller, nil, &phones)
	for _, p := range phones {
		if p.Booked != (holder[p.ID] != "") {
			return fmt.Sprintf("phone %s: booked is %v, its booking %q", p.ID, p.Booked, holder[p.ID])
		}
	}
	return ""
}
