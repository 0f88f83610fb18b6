package clustertest_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"secondring/api/emails/smtptest"
	"secondring/hub/redisbroker/redistest"
)

// member signs up, confirms the address, and returns an access token.
func (m *emailMarket) member(node *process, email string) (token string) {
	m.t.Helper()
	account := map[string]string{"email": email, "password": "secret-ring", "displayName": "Member"}
	_, cookie, _ := m.call(node, http.MethodPost, "/identity/sign-up", "", account, nil)
	link := map[string]string{"token": m.smtp.Wait(email, 1, emailPatience).Token()}
	if status, _, _ := m.call(node, http.MethodPost, "/identity/verify", "", link, nil); status != http.StatusNoContent {
		m.t.Fatalf("verify: %d", status)
	}
	return m.token(node, email, cookie)
}

// waits tells whether emails are stored and not sent.
func (m *emailMarket) waits(node *process) bool {
	m.t.Helper()
	request, err := http.NewRequestWithContext(m.t.Context(), http.MethodGet, node.URL+"/metrics", nil)
	if err != nil {
		m.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		m.t.Fatal(err)
	}
	return !strings.Contains(string(body), "\nsecondring_letters_waiting 0\n")
}

// eventually waits as long as emails may take.
func (m *emailMarket) eventually(what string, so func() bool) {
	m.t.Helper()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(emailPatience); !so(); <-again.C {
		if time.Now().After(end) {
			m.t.Fatalf("never: %s", what)
		}
	}
}

// does makes a call that must succeed.
func (m *emailMarket) does(node *process, method, path, token string, body, into any) {
	m.t.Helper()
	if status, _, code := m.call(node, method, path, token, body, into); status != http.StatusOK {
		m.t.Fatalf("%s %s: %d, %s", method, path, status, code)
	}
}

// Two nodes decide about the emails to many people at the same time, and one is killed when
// the first is stored. Everybody gets one email about both of their notifications,
// or two about one each.
func TestEmailsAboutNotificationsAreSentOnceOverKill(t *testing.T) {
	m := startEmailMarket(t, 2, map[string]string{
		"MONGODB_URI": database(t), "REDIS_URL": redistest.Start(t).URL, "TOKEN_SECRET": strings.Repeat("s", 32),
	})
	seller := m.member(m.nodes[0], "seller@example.com")
	var brands []struct {
		ID   string `json:"_id"`
		Name string
	}
	m.does(m.nodes[0], http.MethodGet, "/allCategories", "", nil, &brands)
	var phones []string
	for _, name := range []string{"One", "Two"} {
		var added struct{ InsertedID string }
		m.does(m.nodes[0], http.MethodPost, "/products", seller, map[string]any{
			"name": name, "brand": brands[0].Name, "id": brands[0].ID, "originalPrice": 200, "resalePrice": 100,
			"img": "/photos/one.jpg", "productCondition": "Good", "usedTime": "1 year", "description": "It rings.", "sellerName": "Seller",
			"email": "seller@example.com", "location": "Dhaka", "phone": "01700000", "selling_post_date": "2026-11-01",
		}, &added)
		phones = append(phones, added.InsertedID)
	}
	const people = 30
	email := func(i int) string { return fmt.Sprintf("watcher%d@example.com", i) }
	for i := range people {
		node := m.nodes[i%2]
		token := m.member(node, email(i))
		for _, phone := range phones {
			m.does(node, http.MethodPut, "/watches/"+phone, token, nil, nil)
		}
		m.does(node, http.MethodPut, "/notifications/settings", token, map[string]any{"email": map[string]string{"price": "now"}}, nil)
	}
	m.eventually("all emails before are sent", func() bool { return !m.waits(m.nodes[1]) })
	m.smtp.Stop()
	for _, phone := range phones {
		m.does(m.nodes[0], http.MethodPatch, "/products/"+phone, seller, map[string]any{"resalePrice": 90}, nil)
	}
	m.eventually("the first email is stored", func() bool { return m.waits(m.nodes[1]) })
	m.nodes[0].End(syscall.SIGKILL)
	m.smtp.Restart()
	for i := range people {
		for _, name := range []string{"One", "Two"} {
			about := brands[0].Name + " " + name + ", which you watch, is cheaper now: $90 instead of $100."
			mentions := func() (n int) {
				for _, l := range m.smtp.To(email(i)) {
					n += strings.Count(l.Text, about)
				}
				return n
			}
			m.eventually(about+" to "+email(i), func() bool { return mentions() > 0 })
			if n := mentions(); n != 1 {
				t.Errorf("%s was told %d times of %s: %q", email(i), n, name, slices.Sorted(slices.Values(smtptest.Subjects(m.smtp.To(email(i))))))
			}
		}
	}
}
