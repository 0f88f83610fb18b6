package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
)

// A restore does not bring back what was removed after the backup: banned users, deleted
// accounts, old passwords, sign-ins without a second factor, admin rights, and pictures that were
// taken down.
func TestRestoreKeepsLaterRemovals(t *testing.T) {
	s := newTestServer(t)
	t.Setenv("DATA_DIR", s.dataDir())
	t.Setenv("PUBLIC_URL", "http://"+s.addr)
	s.createAdmin("boss@example.com")
	s.createAdmin("former@example.com")
	s.createAdmin("demoted@example.com")
	admin := s.signIn("boss@example.com")
	_, banned := s.signUp("banned", "Seller")
	picture := s.upload(banned)
	s.signUp("leaver", "User")
	s.signUp("careful", "User")
	s.signUp("stays", "User")
	_, leaver := s.trySignIn("leaver@example.com", testPassword)
	_, careful := s.trySignIn("careful@example.com", testPassword)
	s.signUp("guarded", "User")
	_, guarded := s.trySignIn("guarded@example.com", testPassword)

	file := filepath.Join(t.TempDir(), "market.tar")
	mustRunCommand(t, "", "backup", file)
	var sellers []struct {
		ID string `json:"_id"`
	}
	s.mustCall(http.MethodGet, "/users/sellers", admin, nil, &sellers)
	s.mustCall(http.MethodDelete, "/users/"+sellers[0].ID, admin, nil, nil)
	s.mustCall(http.MethodDelete, picture, admin, nil, nil)
	if status, err := s.call(http.MethodPost, "/identity/leave", leaver, map[string]string{"password": testPassword}, nil); err != nil || status != http.StatusNoContent {
		t.Fatal(status, err)
	}
	change := map[string]string{"current": testPassword, "new": "another secret"}
	if status, err := s.call(http.MethodPost, "/identity/password", careful, change, nil); err != nil || status/100 != 2 {
		t.Fatal(status, err)
	}
	s.enableSecondFactor(guarded)
	mustRunCommand(t, "", "admin", "revoke", "former@example.com")
	mustRunCommand(t, testPassword+"\n", "admin", "create", "--existing", "--moderator", "demoted@example.com")
	s.kill()

	for round := range 2 { // a second restore of the same backup has the same result
		if out := mustRunCommand(t, "", "restore", "--force", file); !strings.Contains(out, "were made again") {
			t.Errorf("round %d: the output of restore does not mention the removals: %s", round, out)
		}
		s.open()
		for _, email := range []string{"banned@example.com", "leaver@example.com"} {
			if correct, cookie := s.trySignIn(email, testPassword); correct {
				if status, _ := s.call(http.MethodGet, "/jwt?email="+email, cookie, nil, nil); status/100 == 2 {
					t.Errorf("round %d: the removed user %s gets a token", round, email)
				}
			}
		}
		if status, err := s.call(http.MethodGet, picture, "", nil, nil); err != nil || status == http.StatusOK {
			t.Errorf("round %d: a picture that was taken down is served with %d, %v", round, status, err)
		}
		if correct, _ := s.trySignIn("careful@example.com", testPassword); correct {
			t.Errorf("round %d: the password from the time of the backup is accepted", round)
		}
		if correct, _ := s.trySignIn("guarded@example.com", testPassword); correct {
			t.Errorf("round %d: the second factor is off", round)
		}
		for email, password := range map[string]string{"careful@example.com": "another secret", "stays@example.com": testPassword, "boss@example.com": testPassword} {
			if correct, _ := s.trySignIn(email, password); !correct {
				t.Errorf("round %d: %s cannot sign in", round, email)
			}
		}
		var former struct{ IsAdmin bool }
		s.mustCall(http.MethodGet, "/users/admin/former@example.com", s.signIn("former@example.com"), nil, &former)
		if former.IsAdmin {
			t.Errorf("round %d: a revoked admin is an admin again", round)
		}
		var demoted struct{ IsAdmin, IsModerator bool }
		s.mustCall(http.MethodGet, "/users/admin/demoted@example.com", s.signIn("demoted@example.com"), nil, &demoted)
		if !demoted.IsAdmin || !demoted.IsModerator {
			t.Errorf("round %d: an admin who became a moderator is %+v", round, demoted)
		}
		s.kill()
	}
}

// enableSecondFactor switches the second factor of a session's account on.
func (s *testServer) enableSecondFactor(cookie string) {
	s.t.Helper()
	var started struct{ Secret string }
	s.mustCall(http.MethodPost, "/identity/second-factor/start", cookie, map[string]string{"password": testPassword}, &started)
	code, err := totp.GenerateCode(started.Secret, time.Now())
	if err != nil {
		s.t.Fatal(err)
	}
	s.mustCall(http.MethodPost, "/identity/second-factor/confirm", cookie, map[string]string{"code": code}, nil)
}
