package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A backup that is made while buyers book as fast as they can has all bookings that were
// acknowledged before it, and no partial ones. It cannot be restored while the server runs.
func TestBackupUnderLoadIsComplete(t *testing.T) {
	s := newTestServer(t)
	s.kill()
	s.env = append(s.env, "TOKEN_SECRET="+testSecret)
	s.open()
	sellerMail, seller := s.signUp("sela", "Seller")
	photo := s.upload(seller)
	phones := s.phones(sellerMail, seller, 60)
	buyers := s.buyers(6)
	acked := newAcknowledged()
	var loads sync.WaitGroup
	for _, token := range buyers {
		loads.Go(func() { s.bookAndCancel(acked, token, phones) })
	}
	acked.waitForBooking(t)
	acked.mu.Lock()
	before := &acknowledged{booked: maps.Clone(acked.booked), cancelled: maps.Clone(acked.cancelled)}
	acked.mu.Unlock()

	file := filepath.Join(t.TempDir(), "market.tar")
	t.Setenv("DATA_DIR", s.dataDir())
	if out := mustRunCommand(t, "", "backup", file); !strings.Contains(out, "SHA-256") {
		t.Errorf("the output of backup has no SHA-256: %s", out)
	}
	if _, err := runCommand(t, "", "restore", "--force", file); err == nil || !strings.Contains(err.Error(), "a server is running") {
		t.Errorf("restore returned %v, want the error that a server is running", err)
	}
	version := s.versionOf(sellerMail, seller, phones[0])
	topic, position := s.livePosition(seller)
	laterPhone := s.phones(sellerMail, seller, 1)[0]
	s.kill()
	loads.Wait()

	t.Setenv("DATA_DIR", t.TempDir())
	s.env = append(s.env, "DATA_DIR="+os.Getenv("DATA_DIR"))
	mustRunCommand(t, "", "restore", file)
	s.open()
	seller = s.signInAgain(sellerMail, seller)
	for email, old := range buyers {
		buyers[email] = s.signInAgain(email, old)
		for booking, token := range before.booked {
			if token == old {
				before.booked[booking] = buyers[email]
			}
		}
	}
	s.checkBookings(before, sellerMail, seller, buyers)
	if status, err := s.call(http.MethodGet, photo, "", nil, nil); err != nil || status != http.StatusOK {
		t.Errorf("the photo is served with %d, %v; want 200", status, err)
	}
	if status, _ := s.call(http.MethodGet, "/products/"+laterPhone, seller, nil, nil); status != http.StatusNotFound {
		t.Errorf("a phone that was listed after the backup is served with %d, want 404", status)
	}
	if got := s.versionOf(sellerMail, seller, phones[0]); got <= version {
		t.Errorf("the version after the restore is %d, want more than %d: clients ignore older versions", got, version)
	}
	if !s.needsResync(seller, topic, position) {
		t.Error("a client with a position from before the restore is not told to read the list again")
	}
}

// signInAgain fails the test if a token from before the restore is accepted, and returns
// a new one.
func (s *testServer) signInAgain(email, old string) (token string) {
	s.t.Helper()
	if status, err := s.call(http.MethodGet, "/users/admin/"+email, old, nil, nil); err != nil || status != http.StatusUnauthorized {
		s.t.Errorf("a token from before the restore gets %d, %v; want 401", status, err)
	}
	return s.signIn(email)
}

// versionOf returns the version of a seller's phone.
func (s *testServer) versionOf(email, token, phone string) int64 {
	s.t.Helper()
	var phones []struct {
		ID      string `json:"_id"`
		Version int64
	}
	s.mustCall(http.MethodGet, "/products?limit=200&email="+email, token, nil, &phones)
	for _, p := range phones {
		if p.ID == phone {
			return p.Version
		}
	}
	s.t.Fatalf("%s has no phone %s", email, phone)
	return 0
}

// marketWithBackup creates a market with one brand and a backup of it. It returns the
// market's DATA_DIR and the backup's path.
func marketWithBackup(t *testing.T) (dir, file string) {
	t.Helper()
	dir, file = t.TempDir(), filepath.Join(t.TempDir(), "market.tar")
	t.Setenv("DATA_DIR", dir)
	mustRunCommand(t, "", "brand", "add", "Jolla")
	mustRunCommand(t, "", "backup", file)
	return dir, file
}

func TestBackupAndRestoreRefusals(t *testing.T) {
	dir, file := marketWithBackup(t)
	for _, c := range []struct {
		env  map[string]string
		args []string
		want string
	}{
		{nil, []string{"backup", file}, "is never overwritten"},
		{nil, []string{"backup", "/nowhere/at/all.tar"}, "no such file"},
		{map[string]string{"DATA_DIR": t.TempDir()}, []string{"backup", file + "2"}, "where there is no market"},
		{map[string]string{"IMAGES_URL": "file:///nowhere"}, []string{"backup", file + "2"}, "IMAGES_URL"},
		{map[string]string{"MONGODB_URI": "mongodb://x"}, []string{"backup", file + "2"}, "mongodump"},
		{map[string]string{"MONGODB_URI": "mongodb://x"}, []string{"restore", file}, "mongodump"},
		{nil, []string{"restore", file}, "use --force"},
		{nil, []string{"restore", "--force", file + "2"}, "market.tar2: no such file"},
		{map[string]string{"DATA_DIR": t.TempDir(), "REDIS_URL": "redis://127.0.0.1:1"}, []string{"restore", file}, "REDIS_URL"},
		{nil, []string{"backup"}, "not one of the commands"},
		{nil, []string{"restore", "--now", file}, "not one of the commands"},
	} {
		t.Run(c.want, func(t *testing.T) {
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			_, err := runCommand(t, "", c.args...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v returned %v, want an error with %q", c.args, err, c.want)
			}
		})
	}
	mustRunCommand(t, "", "brand", "remove", "Jolla")
	out := mustRunCommand(t, "", "restore", "--force", file)
	if !strings.Contains(out, dir+"/before-restore-") {
		t.Errorf("the output of restore does not name the folder of the old market: %s", out)
	}
	mustRunCommand(t, "", "brand", "remove", "Jolla") // the restore has brought it back
	left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("the folder of the backup has %v, %v; want no temporary files", left, err)
	}
}

// A backup that is truncated or changed anywhere is refused, and restores nothing.
func TestDamagedBackupsAreRefused(t *testing.T) {
	_, file := marketWithBackup(t)
	intact, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damaged := map[string][]byte{"empty": nil, "not a tar": []byte(strings.Repeat("no tar at all ", 200))}
	for range 6 {
		at := rand.IntN(len(intact) - 4<<10) // before the checksums and the end of the tar
		damaged[fmt.Sprintf("truncated at byte %d", at)] = intact[:at]
	}
	for range 6 {
		changed := bytes.Clone(intact)
		at := 1024 + rand.IntN(256<<10) // in the store, after the header of its entry
		changed[at] ^= 1 << rand.IntN(8)
		damaged[fmt.Sprintf("changed at byte %d", at)] = changed
	}
	for name, content := range damaged {
		dir := t.TempDir()
		t.Setenv("DATA_DIR", dir)
		path := filepath.Join(t.TempDir(), "damaged.tar")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := runCommand(t, "", "restore", path)
		if err == nil || !strings.Contains(err.Error(), "use another backup; nothing has been changed") {
			t.Errorf("%s: restore returned %v, want a refusal", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "secondring.db")); err == nil {
			t.Errorf("%s: the refused restore has created a store", name)
		}
	}
}
