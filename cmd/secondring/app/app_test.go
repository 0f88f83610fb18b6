package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
)

// running is a product started for a test.
type running struct {
	*app.App
	t    *testing.T
	stop func() error // drains, and tells how that went
}

func settingsFor(t *testing.T, pairs map[string]string) settings.Settings {
	t.Helper()
	env := map[string]string{"ADDR": "127.0.0.1:0", "DATA_DIR": t.TempDir(), "RATE_LIMIT": "off"}
	maps.Copy(env, pairs)
	s, err := settings.Read(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func start(t *testing.T, s settings.Settings) *running {
	t.Helper()
	a, err := app.New(t.Context(), s, app.Options{Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return run(t, a)
}

// run serves until the test is over.
func run(t *testing.T, a *app.App) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	stopped := false
	r := &running{App: a, t: t, stop: func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		return <-done
	}}
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Errorf("stopping: %v", err)
		}
	})
	return r
}

// person is the browser of a user.
type person struct {
	*running
	client http.Client
	email  string
	token  string
}

func (r *running) visitor() *person {
	r.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return &person{running: r, client: http.Client{Jar: jar}}
}

func (r *running) signIn(email, password string) *person {
	r.t.Helper()
	p := r.visitor()
	p.email = email
	p.call(http.MethodPost, "/identity/sign-in", map[string]string{"email": email, "password": password}, nil)
	var answer struct{ AccessToken string }
	p.call(http.MethodGet, "/jwt?email="+email, nil, &answer)
	p.token = answer.AccessToken
	return p
}

func (p *person) call(method, path string, body, into any) http.Header {
	p.t.Helper()
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			p.t.Fatal(err)
		}
	}
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.URL()+path, &sent)
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if p.token != "" {
		request.Header.Set("Authorization", "Bearer "+p.token)
	}
	answer, err := p.client.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var text bytes.Buffer
	if _, err := text.ReadFrom(answer.Body); err != nil {
		p.t.Fatal(err)
	}
	if answer.StatusCode/100 != 2 {
		p.t.Fatalf("%s %s: %s %s", method, path, answer.Status, text.String())
	}
	if into != nil {
		if err := json.Unmarshal(text.Bytes(), into); err != nil {
			p.t.Fatal(err)
		}
	}
	return answer.Header
}

// live opens the socket and subscribes.
func (p *person) live(topics ...string) *websocket.Conn {
	p.t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{"secondring.v1", "bearer." + p.token}}
	socket, answer, err := dialer.DialContext(p.t.Context(), "ws"+strings.TrimPrefix(p.URL(), "http")+"/live", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	_ = answer.Body.Close()
	p.t.Cleanup(func() { _ = socket.Close() })
	wanted := map[string]string{}
	for _, topic := range topics {
		wanted[topic] = ""
	}
	if err := socket.WriteJSON(map[string]any{"subscribe": wanted}); err != nil {
		p.t.Fatal(err)
	}
	return socket
}

// hear reads frames until one contains the text.
func hear(t *testing.T, socket *websocket.Conn, text string) {
	t.Helper()
	if err := socket.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for {
		_, frame, err := socket.ReadMessage()
		if err != nil {
			t.Fatalf("waiting for %s: %v", text, err)
		}
		if strings.Contains(string(frame), text) {
			return
		}
	}
}

func TestDemoIsFilledOnce(t *testing.T) {
	s := settingsFor(t, map[string]string{"DEMO": "1"})
	first := start(t, s)
	var brands []struct {
		ID   string `json:"_id"`
		Name string
	}
	first.visitor().call(http.MethodGet, "/allCategories", nil, &brands)
	if len(brands) != 12 || brands[0].Name > brands[11].Name {
		t.Errorf("%d brands, from %s", len(brands), brands[0].Name)
	}
	login := demo.Logins()[3]
	buyer := first.signIn(login.Email, login.Password)
	phones := 0
	var free struct {
		ID          string `json:"_id"`
		ResalePrice int
	}
	for _, b := range brands {
		var list []struct {
			ID          string `json:"_id"`
			ResalePrice int
			Booked      bool
		}
		buyer.call(http.MethodGet, "/categories/"+b.ID+"?limit=200", nil, &list)
		phones += len(list)
		for _, p := range list {
			if !p.Booked {
				free.ID, free.ResalePrice = p.ID, p.ResalePrice
			}
		}
	}
	if phones != 300 {
		t.Errorf("%d phones", phones)
	}
	buyer.call(http.MethodPut, "/bookings", map[string]any{"productID": free.ID, "price": free.ResalePrice, "phone": "01700000"}, nil)
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}

	second := start(t, s)
	var orders []struct{ ProductID string }
	second.signIn(login.Email, login.Password).call(http.MethodGet, "/bookings?email="+login.Email, nil, &orders)
	if len(orders) == 0 || orders[0].ProductID != free.ID {
		t.Errorf("orders after a second start: %+v", orders)
	}
	header := second.visitor().call(http.MethodGet, "/products/advertised", nil, nil)
	if header.Get("X-Total-Count") != "24" {
		t.Errorf("%s advertised", header.Get("X-Total-Count"))
	}
}

// The demo's mailbox is in place of an SMTP server, and named to clients only then.
func TestDemoShowsEmailOrSendsIt(t *testing.T) {
	for url, mailbox := range map[string]string{"": "/sandbox/mail", "smtp://127.0.0.1:25": ""} {
		r := start(t, settingsFor(t, map[string]string{"DEMO": "1", "SMTP_URL": url, "CONTACT_EMAIL": "shop@example.com"}))
		var config struct {
			Mail    bool
			Mailbox string
		}
		r.visitor().call(http.MethodGet, "/config", nil, &config)
		if !config.Mail || config.Mailbox != mailbox {
			t.Errorf("with SMTP_URL %q: %+v", url, config)
		}
	}
}

func TestDemoBuyerHasOrdersInEveryState(t *testing.T) {
	r := start(t, settingsFor(t, map[string]string{"DEMO": "1"}))
	login := demo.Logins()[3]
	var orders []struct{ Status string }
	r.signIn(login.Email, login.Password).call(http.MethodGet, "/bookings?email="+login.Email, nil, &orders)
	states := map[string]bool{}
	for _, o := range orders {
		states[o.Status] = true
	}
	for _, state := range []string{demo.Held, demo.Paid, demo.Expired, demo.Cancelled, demo.Refunded} {
		if !states[state] {
			t.Errorf("no order is %s: %+v", state, orders)
		}
	}
	var reports []struct{ Reason string }
	admin := demo.Logins()[0]
	r.signIn(admin.Email, admin.Password).call(http.MethodGet, "/reportedItems", nil, &reports)
	if len(reports) != 5 {
		t.Errorf("reports: %+v", reports)
	}
}

func TestDemoRefusesRealMarket(t *testing.T) {
	dir := t.TempDir()
	if err := start(t, settingsFor(t, map[string]string{"DATA_DIR": dir})).stop(); err != nil {
		t.Fatal(err)
	}
	refused(t, settingsFor(t, map[string]string{"DATA_DIR": dir, "DEMO": "1"}), "DEMO")
}

func TestPublicServerRefusesDemoStore(t *testing.T) {
	dir := t.TempDir()
	if err := start(t, settingsFor(t, map[string]string{"DATA_DIR": dir, "DEMO": "1"})).stop(); err != nil {
		t.Fatal(err)
	}
	refused(t, settingsFor(t, map[string]string{"DATA_DIR": dir, "PUBLIC_URL": "https://ring.example", "STRIPE_SECRET_KEY": "sandbox", "TRUSTED_PROXIES": "none"}), "DATA_DIR")
}

func TestOneServerPerDataDir(t *testing.T) {
	s := settingsFor(t, nil)
	start(t, s)
	refused(t, s, "DATA_DIR")
}

func refused(t *testing.T, s settings.Settings, setting string) {
	t.Helper()
	a, err := app.New(t.Context(), s, app.Options{})
	var wrong *settings.Error
	if !errors.As(err, &wrong) || wrong.Setting != setting {
		t.Errorf("started, or stopped with %v; want a line about %s", err, setting)
	}
	if a != nil {
		_ = a.Close()
	}
}

func TestStopClosesSocketsWith1012(t *testing.T) {
	r := start(t, settingsFor(t, map[string]string{"DEMO": "1"}))
	socket := r.visitor().anonymous()
	hear(t, socket, `"subscribed"`)
	began := time.Now()
	stopped := make(chan error, 1)
	go func() { stopped <- r.stop() }()
	for {
		if _, _, err := socket.ReadMessage(); err != nil {
			if !websocket.IsCloseError(err, 1012) {
				t.Errorf("the socket ended with %v", err)
			}
			break
		}
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
}

func (p *person) anonymous() *websocket.Conn {
	p.t.Helper()
	socket, answer, err := websocket.DefaultDialer.DialContext(p.t.Context(), "ws"+strings.TrimPrefix(p.URL(), "http")+"/live", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	_ = answer.Body.Close()
	p.t.Cleanup(func() { _ = socket.Close() })
	if err := socket.WriteJSON(map[string]any{"subscribe": map[string]string{"advertised": ""}}); err != nil {
		p.t.Fatal(err)
	}
	return socket
}

// Open sockets of a running server get events of what a command writes.
func TestCommandsReachSocketsOfRunningServer(t *testing.T) {
	s := settingsFor(t, map[string]string{"DEMO": "1"})
	r := start(t, s)
	login := demo.Logins()[0]
	socket := r.signIn(login.Email, login.Password).live("admin", "me")
	hear(t, socket, `"subscribed"`)

	tools, err := app.OpenAdmin(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tools.Close() }()
	if err := tools.Identity.PromoteAdmin(t.Context(), demo.Logins()[4].Email, "a new one"); err != nil {
		t.Fatal(err)
	}
	hear(t, socket, `"user.removed"`)
	if err := tools.Market.RevokeAdmin(t.Context(), login.Email); err != nil {
		t.Fatal(err)
	}
	hear(t, socket, `"denied":["admin"]`)
	if err := tools.Identity.SetPassword(t.Context(), login.Email, "a new one"); err != nil {
		t.Fatal(err)
	}
	_ = socket.SetReadDeadline(time.Now().Add(5 * time.Second))
	for {
		if _, _, err := socket.ReadMessage(); err != nil {
			if !websocket.IsCloseError(err, 4401) {
				t.Errorf("the socket ended with %v", err)
			}
			return
		}
	}
}

// Cached responses of a running server have what a command writes within a second.
func TestCommandsReachResponsesOfRunningServer(t *testing.T) {
	s := settingsFor(t, map[string]string{"DEMO": "1"})
	r := start(t, s).visitor()
	brands := func() (names []string) {
		var all []struct{ Name string }
		r.call(http.MethodGet, "/allCategories", nil, &all)
		for _, b := range all {
			names = append(names, b.Name)
		}
		return names
	}
	for began := time.Now(); time.Since(began) < time.Second; { // until it is sure
		brands()
	}
	tools, err := app.OpenAdmin(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tools.Close() }()
	soon := func(name string, there bool) {
		t.Helper()
		for began := time.Now(); slices.Contains(brands(), name) != there; {
			if time.Since(began) > time.Second {
				t.Fatalf("after a second: %v", brands())
			}
		}
	}
	if err := tools.AddBrand(t.Context(), "Zeta", ""); err != nil {
		t.Fatal(err)
	}
	soon("Zeta", true)
	if err := tools.Market.RemoveBrand(t.Context(), "Zeta"); err != nil {
		t.Fatal(err)
	}
	soon("Zeta", false)
}

// opensSocket asks for a socket as a page of that origin, and returns the status.
func (r *running) opensSocket(origin string) int {
	r.t.Helper()
	socket, answer, err := websocket.DefaultDialer.DialContext(r.t.Context(),
		"ws"+strings.TrimPrefix(r.URL(), "http")+"/live", http.Header{"Origin": {origin}})
	if answer == nil {
		r.t.Fatal(err)
	}
	_ = answer.Body.Close()
	if socket != nil {
		_ = socket.Close()
	}
	return answer.StatusCode
}

// A page over plain http can be written by an attacker on the network.
func TestHTTPPageOfHTTPSSiteOpensNoSocket(t *testing.T) {
	r := start(t, settingsFor(t, map[string]string{
		"PUBLIC_URL": "https://phones.example", "TRUSTED_PROXIES": "none", "STRIPE_SECRET_KEY": "sandbox",
	}))
	host := strings.TrimPrefix(r.URL(), "http://")
	for origin, want := range map[string]int{
		"http://" + host:         http.StatusForbidden,
		"ftp://" + host:          http.StatusForbidden,
		"https://" + host:        http.StatusSwitchingProtocols,
		"https://phones.example": http.StatusSwitchingProtocols,
		"http://phones.example":  http.StatusForbidden,
	} {
		if got := r.opensSocket(origin); got != want {
			t.Errorf("%s: %d, want %d", origin, got, want)
		}
	}
}

func TestSocketsNeedOwnOrigin(t *testing.T) {
	r := start(t, settingsFor(t, map[string]string{"ALLOWED_ORIGINS": "https://shop.example"}))
	for origin, want := range map[string]int{
		r.URL():                   http.StatusSwitchingProtocols, // though PUBLIC_URL names another port
		"http://localhost:8080":   http.StatusSwitchingProtocols,
		"https://shop.example":    http.StatusSwitchingProtocols,
		"https://evil.example":    http.StatusForbidden,
		r.URL() + ".evil.example": http.StatusForbidden,
		"null":                    http.StatusForbidden,
	} {
		if got := r.opensSocket(origin); got != want {
			t.Errorf("%s: %d, want %d", origin, got, want)
		}
	}
}
