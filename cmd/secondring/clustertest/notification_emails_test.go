package clustertest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"secondring/api/emails/smtptest"
	"secondring/cmd/secondring/nodetest"
	"secondring/hub/redisbroker/redistest"
)

// signUp signs up a seller, confirms the address, and returns an access token.
func (m *emailMarket) signUp(node *process, email string) (token string) {
	m.t.Helper()
	account := map[string]string{"email": email, "password": "secret-ring", "displayName": "Member"}
	_, cookie, _ := m.call(node, http.MethodPost, "/identity/sign-up", "", account, nil)
	link := map[string]string{"token": m.smtp.Wait(email, 1, emailPatience).Token()}
	if status, _, _ := m.call(node, http.MethodPost, "/identity/verify", "", link, nil); status != http.StatusNoContent {
		m.t.Fatalf("verify: %d", status)
	}
	return m.token(node, email, cookie)
}

// hasUnsentEmails tells whether stored emails are not sent yet.
func (m *emailMarket) hasUnsentEmails(node *process) bool {
	m.t.Helper()
	_, body, err := nodetest.Do(m.t.Context(), http.DefaultClient, http.MethodGet, node.URL+"/metrics", "", nil)
	if err != nil {
		m.t.Fatal(err)
	}
	return !strings.Contains(string(body), "\nsecondring_emails_waiting 0\n")
}

// waitUntil waits until the condition is true, as long as emails may take.
func (m *emailMarket) waitUntil(what string, condition func() bool) {
	m.t.Helper()
	eventuallyWithin(m.t, emailPatience, what, condition)
}

// mustCall makes a call that must succeed.
func (m *emailMarket) mustCall(node *process, method, path, token string, body, into any) {
	m.t.Helper()
	if status, _, code := m.call(node, method, path, token, body, into); status != http.StatusOK {
		m.t.Fatalf("%s %s: %d, %s", method, path, status, code)
	}
}

// Two nodes create emails for many users at the same time, and one is killed when the first
// email is stored. Each user gets one email about both notifications, or two about one each.
func TestEmailsAboutNotificationsAreSentOnceOverKill(t *testing.T) {
	m := startEmailMarket(t, 2, map[string]string{
		"MONGODB_URI": database(t), "REDIS_URL": redistest.Start(t).URL, "TOKEN_SECRET": strings.Repeat("s", 32),
	})
	seller := m.signUp(m.nodes[0], "seller@example.com")
	var brands []brand
	m.mustCall(m.nodes[0], http.MethodGet, "/allCategories", "", nil, &brands)
	var phones []string
	for _, name := range []string{"One", "Two"} {
		var added struct{ InsertedID string }
		m.mustCall(m.nodes[0], http.MethodPost, "/products", seller, newPhone(name, brands[0], "Seller", "seller@example.com"), &added)
		phones = append(phones, added.InsertedID)
	}
	const userCount = 30
	email := func(i int) string { return fmt.Sprintf("watcher%d@example.com", i) }
	for i := range userCount {
		node := m.nodes[i%2]
		token := m.signUp(node, email(i))
		for _, phone := range phones {
			m.mustCall(node, http.MethodPut, "/watches/"+phone, token, nil, nil)
		}
		m.mustCall(node, http.MethodPut, "/notifications/settings", token, map[string]any{"email": map[string]string{"price": "now"}}, nil)
	}
	m.waitUntil("all earlier emails are sent", func() bool { return !m.hasUnsentEmails(m.nodes[1]) })
	m.smtp.Stop()
	for _, phone := range phones {
		m.mustCall(m.nodes[0], http.MethodPatch, "/products/"+phone, seller, map[string]any{"resalePrice": 90}, nil)
	}
	m.waitUntil("the first email is stored", func() bool { return m.hasUnsentEmails(m.nodes[1]) })
	m.nodes[0].End(syscall.SIGKILL)
	m.smtp.Restart()
	for i := range userCount {
		for _, name := range []string{"One", "Two"} {
			about := brands[0].Name + " " + name + ", which you watch, became cheaper: $90 instead of $100."
			mentions := func() (n int) {
				for _, l := range m.smtp.To(email(i)) {
					n += strings.Count(l.Text, about)
				}
				return n
			}
			m.waitUntil(about+" to "+email(i), func() bool { return mentions() > 0 })
			if n := mentions(); n != 1 {
				t.Errorf("%s got %d emails about %s, want 1: %q", email(i), n, name, slices.Sorted(slices.Values(smtptest.Subjects(m.smtp.To(email(i))))))
			}
		}
	}
}
