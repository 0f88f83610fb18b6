package clustertest_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"secondring/api/emails/smtptest"
	"secondring/cmd/secondring/nodetest"
	"secondring/hub/redisbroker/redistest"
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

// call makes a call of a visitor to a node and returns the status.
func (m *emailMarket) call(node *process, method, path string, body any) (status int) {
	m.t.Helper()
	answer, _, err := nodetest.Do(m.t.Context(), http.DefaultClient, method, node.URL+path, "", body)
	if err != nil {
		m.t.Fatal(err)
	}
	return answer.StatusCode
}

// Emails that are unsent when their node is killed are sent once, by another node or by the
// same node after its restart. Their links work on every node.
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
			const userCount = 12
			email := func(i int) string { return fmt.Sprintf("seller%d@example.com", i) }
			for i := range userCount {
				account := map[string]string{"email": email(i), "password": "secret-ring", "displayName": fmt.Sprint("Seller ", i)}
				if status := m.call(m.nodes[0], http.MethodPost, "/identity/sign-up", account); status != http.StatusCreated {
					t.Fatalf("sign-up: %d", status)
				}
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
			link := map[string]string{"token": m.smtp.To(email(0))[0].Token()}
			if status := m.call(node, http.MethodPost, "/identity/verify", link); status != http.StatusNoContent {
				t.Errorf("the link of an email on another node: %d, want 204", status)
			}
			for i := range userCount {
				if got := m.smtp.To(email(i)); len(got) != 1 {
					t.Errorf("%s got %d emails, want 1", email(i), len(got))
				}
			}
		})
	}
}
