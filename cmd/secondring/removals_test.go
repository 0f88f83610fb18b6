package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// signsIn tells whether a password is the account's, and whether the account may
// act in the market.
func (s *testServer) signsIn(email, password string) (bool, string) {
	s.t.Helper()
	var cookie string
	status, err := s.call(http.MethodPost, "/identity/sign-in", "", map[string]string{"email": email, "password": password}, &cookie)
	if err != nil {
		s.t.Fatal(err)
	}
	return status == http.StatusOK, cookie
}

// Users who were removed after a backup, old passwords, revoked admins and pictures that
// were taken down do not come back with a restore.
func TestRestoreKeepsLaterRemovals(t *testing.T) {
	s := newTestServer(t)
	t.Setenv("DATA_DIR", s.dirOf())
	t.Setenv("PUBLIC_URL", "http://"+s.addr)
	mustCall(t, "secret-ring\n", "admin", "create", "boss@example.com")
	mustCall(t, "secret-ring\n", "admin", "create", "former@example.com")
	_, cookie := s.signsIn("boss@example.com", "secret-ring")
	boss := s.token("boss@example.com", cookie)
	_, banned := s.person("banned", "Seller")
	picture := s.upload(banned)
	s.person("left", "User")
	s.person("careful", "User")
	s.person("stays", "User")
	_, leaver := s.signsIn("left@example.com", "secret-ring")
	_, careful := s.signsIn("careful@example.com", "secret-ring")

	file := filepath.Join(t.TempDir(), "market.tar")
	mustCall(t, "", "backup", file)
	var sellers []struct {
		ID string `json:"_id"`
	}
	s.must(http.MethodGet, "/users/sellers", boss, nil, &sellers)
	s.must(http.MethodDelete, "/users/"+sellers[0].ID, boss, nil, nil)
	s.must(http.MethodDelete, picture, boss, nil, nil)
	if status, err := s.call(http.MethodPost, "/identity/leave", leaver, map[string]string{"password": "secret-ring"}, nil); err != nil || status != http.StatusNoContent {
		t.Fatal(status, err)
	}
	change := map[string]string{"current": "secret-ring", "new": "another secret"}
	if status, err := s.call(http.MethodPost, "/identity/password", careful, change, nil); err != nil || status/100 != 2 {
		t.Fatal(status, err)
	}
	mustCall(t, "", "admin", "revoke", "former@example.com")
	s.kill()

	for round := range 2 { // a second restore of the same backup does the same
		if said := mustCall(t, "", "restore", "--force", file); !strings.Contains(said, "were made again") {
			t.Errorf("round %d: %s", round, said)
		}
		s.open()
		for _, email := range []string{"banned@example.com", "left@example.com"} {
			if in, cookie := s.signsIn(email, "secret-ring"); in {
				if status, _ := s.call(http.MethodGet, "/jwt?email="+email, cookie, nil, nil); status/100 == 2 {
					t.Errorf("round %d: %s is back", round, email)
				}
			}
		}
		if status, err := s.call(http.MethodGet, picture, "", nil, nil); err != nil || status == http.StatusOK {
			t.Errorf("round %d: a picture that was taken down is served again: %d, %v", round, status, err)
		}
		if in, _ := s.signsIn("careful@example.com", "secret-ring"); in {
			t.Errorf("round %d: the password of before the backup works again", round)
		}
		for email, password := range map[string]string{"careful@example.com": "another secret", "stays@example.com": "secret-ring", "boss@example.com": "secret-ring"} {
			if in, _ := s.signsIn(email, password); !in {
				t.Errorf("round %d: %s cannot sign in", round, email)
			}
		}
		_, cookie := s.signsIn("former@example.com", "secret-ring")
		var is struct{ IsAdmin bool }
		s.must(http.MethodGet, "/users/admin/former@example.com", s.token("former@example.com", cookie), nil, &is)
		if is.IsAdmin {
			t.Errorf("round %d: an admin who was revoked is one again", round)
		}
		s.kill()
	}
}
