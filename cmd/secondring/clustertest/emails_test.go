package clustertest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/api/emails/smtptest"
	"secondring/cmd/secondring/nodetest"
	"secondring/hub/redisbroker/redistest"
	"secondring/market"
)

// emailPatience is the maximum delay of emails after an outage and a kill: the longest
// lease of a killed node, and one retry.
const emailPatience = 2 * time.Minute

// emailMarket has nodes in their own processes and a real SMTP server.
type emailMarket struct {
	t     *testing.T
	smtp  *smtptest.Server
	nodes []*process
}

func startEmailMarket(t *testing.T, nodes int, env map[string]string) *emailMarket {
	t.Helper()
	m := &emailMarket{t: t, smtp: smtptest.Start(t, nil)}
	env = maps.Clone(env)
	env["SMTP_URL"], env["MAIL_FROM"] = m.smtp.URL(), "SecondRing <shop@example.com>"
	for range nodes {
		m.nodes = append(m.nodes, nodetest.Start(t, env))
	}
	return m
}

// call makes a call to a node. The credential is a session cookie, an access token, or "". It
// returns the status, a new session cookie and the code of an error.
func (m *emailMarket) call(node *process, method, path, credential string, body, into any) (status int, cookie, code string) {
	m.t.Helper()
	answer, text, err := nodetest.Do(m.t.Context(), http.DefaultClient, method, node.URL+path, credential, body)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, c := range answer.Cookies() {
		if c.Name == "sr_session" {
			cookie = c.Name + "=" + c.Value
		}
	}
	var refusal struct{ Code string }
	if answer.StatusCode >= http.StatusBadRequest {
		into = &refusal
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			m.t.Fatalf("%s %s: %v", method, path, err)
		}
	}
	return answer.StatusCode, cookie, refusal.Code
}

// Emails that are unsent when their node is killed are sent once, by another node or by the
// same node after its restart. Their links work on every node, and a password reset closes
// the user's sockets with a reason.
func TestEmailsSurviveOutageAndKill(t *testing.T) {
	for name, c := range map[string]struct {
		nodes int
		env   func(*testing.T) map[string]string
	}{
		"SQLite": {1, func(*testing.T) map[string]string { return map[string]string{} }},
		"MongoDB and Redis": {2, func(t *testing.T) map[string]string {
			t.Helper()
			return map[string]string{
				"MONGODB_URI": database(t), "REDIS_URL": redistest.Start(t).URL, "TOKEN_SECRET": strings.Repeat("s", 32),
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			m := startEmailMarket(t, c.nodes, c.env(t))
			m.smtp.Stop()
			var cookies []string
			const userCount = 12
			email := func(i int) string { return fmt.Sprintf("seller%d@example.com", i) }
			for i := range userCount {
				status, cookie, _ := m.call(m.nodes[0], http.MethodPost, "/identity/sign-up", "", map[string]string{
					"email": email(i), "password": "secret-ring", "displayName": fmt.Sprint("Seller ", i),
				}, nil)
				if status != http.StatusCreated {
					t.Fatalf("sign-up: %d", status)
				}
				cookies = append(cookies, cookie)
			}
			<-time.After(3 * time.Second) // the emails have failed once
			m.nodes[0].End(syscall.SIGKILL)
			m.smtp.Restart()
			if c.nodes == 1 {
				m.nodes[0].Open()
			}
			node := m.nodes[c.nodes-1]
			for i := range userCount {
				m.smtp.Wait(email(i), 1, emailPatience)
			}
			m.checkEmailConfirmation(node, email(0), cookies[0])
			m.checkPasswordReset(node, email(0), cookies[0])
			for i := 1; i < userCount; i++ {
				if got := m.smtp.To(email(i)); len(got) != 1 {
					t.Errorf("%s got %d emails, want 1", email(i), len(got))
				}
			}
		})
	}
}

// checkEmailConfirmation opens the link of the welcome email. Adding a phone requires that.
func (m *emailMarket) checkEmailConfirmation(node *process, email, cookie string) {
	m.t.Helper()
	token := m.token(node, email, cookie)
	if status, _, code := m.call(node, http.MethodPost, "/products", token, map[string]any{"name": "Phone"}, nil); status != http.StatusForbidden || code != string(market.CodeVerifyEmail) {
		m.t.Errorf("adding a phone before the confirmation: %d, %s; want 403", status, code)
	}
	link := map[string]string{"token": m.smtp.To(email)[0].Token()}
	if status, _, _ := m.call(node, http.MethodPost, "/identity/verify", "", link, nil); status != http.StatusNoContent {
		m.t.Errorf("confirming the address: %d, want 204", status)
	}
	if status, _, code := m.call(node, http.MethodPost, "/products", token, map[string]any{"name": "Phone"}, nil); status != http.StatusUnprocessableEntity {
		m.t.Errorf("adding an incomplete phone after the confirmation: %d, %s; want 422", status, code)
	}
}

// token makes the account a seller and returns an access token.
func (m *emailMarket) token(node *process, email, cookie string) string {
	m.t.Helper()
	person := map[string]string{"name": "Seller", "email": email, "accountType": "Seller"}
	if status, _, code := m.call(node, http.MethodPost, "/users", cookie, person, nil); status != http.StatusOK {
		m.t.Fatalf("POST /users: %d, %s", status, code)
	}
	var issued struct{ AccessToken string }
	m.call(node, http.MethodGet, "/jwt?email="+email, cookie, nil, &issued)
	return issued.AccessToken
}

// checkPasswordReset requests a link and uses it, while a socket of the user is open.
func (m *emailMarket) checkPasswordReset(node *process, email, cookie string) {
	m.t.Helper()
	var issued struct{ AccessToken string }
	m.call(node, http.MethodGet, "/jwt?email="+email, cookie, nil, &issued)
	dialer := websocket.Dialer{Subprotocols: []string{"secondring.v1", "bearer." + issued.AccessToken}}
	socket, _, err := dialer.DialContext(m.t.Context(), "ws"+strings.TrimPrefix(node.URL, "http")+"/live", nil)
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = socket.Close() }()

	before := len(m.smtp.To(email))
	m.call(node, http.MethodPost, "/identity/forgot", "", map[string]string{"email": strings.ToUpper(email)}, nil)
	link := map[string]string{"token": m.smtp.Wait(email, before+1, emailPatience).Token(), "password": "a new secret"}
	if status, _, _ := m.call(node, http.MethodPost, "/identity/reset", "", link, nil); status != http.StatusNoContent {
		m.t.Errorf("the password reset: %d, want 204", status)
	}
	if err := socket.SetReadDeadline(time.Now().Add(patience)); err != nil {
		m.t.Fatal(err)
	}
	for err == nil {
		_, _, err = socket.ReadMessage()
	}
	if closed, ok := errors.AsType[*websocket.CloseError](err); !ok || closed.Code != 4401 || closed.Text != market.ReasonPasswordChanged {
		m.t.Errorf("the socket ended with %v, want 4401 with the reason", err)
	}
	if status, _, _ := m.call(node, http.MethodGet, "/identity/me", cookie, nil, nil); status != http.StatusUnauthorized {
		m.t.Errorf("a call with the old session: %d, want 401", status)
	}
	if status, _, _ := m.call(node, http.MethodPost, "/identity/reset", "", link, nil); status != http.StatusGone {
		m.t.Errorf("the used link again: %d, want 410", status)
	}
	m.smtp.Wait(email, before+2, emailPatience) // about the changed password
}
