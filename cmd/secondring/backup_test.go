package main

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

const testSecret = "a secret for tests that is long enough"

// dirOf returns the server's DATA_DIR.
func (s *testServer) dirOf() string {
	for _, pair := range s.env {
		if dir, ok := strings.CutPrefix(pair, "DATA_DIR="); ok {
			return dir
		}
	}
	s.t.Fatal("the server has no DATA_DIR")
	return ""
}

// upload uploads a photo and returns its address.
func (s *testServer) upload(token string) string {
	s.t.Helper()
	var body, picture bytes.Buffer
	if err := jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 700, 500)), nil); err != nil {
		s.t.Fatal(err)
	}
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("image", "phone.jpg")
	if err == nil {
		_, err = part.Write(picture.Bytes())
	}
	if err != nil || form.Close() != nil {
		s.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://"+s.addr+"/images", &body)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Authorization", "Bearer "+token)
	var answer struct{ Data struct{ URL string } }
	s.answer(request, &answer)
	return answer.Data.URL
}

func (s *testServer) answer(request *http.Request, into any) http.Header {
	s.t.Helper()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s", request.URL.Path, answer.Status)
	}
	if into != nil {
		if err := decode(answer.Body, into); err != nil {
			s.t.Fatal(err)
		}
	}
	return answer.Header
}

// stand returns the position of a seller's list of phones.
func (s *testServer) stand(token string) (topic, position string) {
	s.t.Helper()
	var brands []struct {
		ID string `json:"_id"`
	}
	s.must(http.MethodGet, "/allCategories", "", nil, &brands)
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, "http://"+s.addr+"/categories/"+brands[0].ID, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	topic, position, _ = strings.Cut(s.answer(request, nil).Get("Live-Position"), "=")
	return topic, position
}

// resync tells whether a client with that position must read the list again.
func (s *testServer) resync(token, topic, position string) bool {
	s.t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{"secondring.v1", "bearer." + token}}
	socket, answer, err := dialer.DialContext(s.t.Context(), "ws://"+s.addr+"/live", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = answer.Body.Close()
	defer func() { _ = socket.Close() }()
	if err := socket.WriteJSON(map[string]any{"subscribe": map[string]string{topic: position}}); err != nil {
		s.t.Fatal(err)
	}
	_ = socket.SetReadDeadline(time.Now().Add(2 * time.Second))
	for {
		_, frame, err := socket.ReadMessage()
		if err != nil {
			return false
		}
		if bytes.Contains(frame, []byte(`"resync"`)) {
			return true
		}
	}
}

// A market is saved while buyers book as fast as they can. The restored market has all
// acknowledged bookings and no partial ones.
func TestBackupUnderLoadIsComplete(t *testing.T) {
	s := newTestServer(t)
	s.kill()
	s.env = append(s.env, "TOKEN_SECRET="+testSecret)
	s.open()
	sellerMail, seller := s.person("sela", "Seller")
	photo := s.upload(seller)
	phones := s.phones(sellerMail, seller, 60)
	buyers := s.buyers(6)
	answered := &promises{booked: map[string]string{}, let: map[string]bool{}}
	var all sync.WaitGroup
	for _, token := range buyers {
		all.Go(func() { s.buy(answered, token, phones) })
	}
	answered.wait(t)
	answered.mu.Lock()
	before := &promises{booked: maps.Clone(answered.booked), let: maps.Clone(answered.let)}
	answered.mu.Unlock()

	file := filepath.Join(t.TempDir(), "market.tar")
	t.Setenv("DATA_DIR", s.dirOf())
	if said := mustCall(t, "", "backup", file); !strings.Contains(said, "SHA-256") {
		t.Error(said)
	}
	version := s.versionOf(sellerMail, seller, phones[0])
	topic, position := s.stand(seller)
	later := s.phones(sellerMail, seller, 1)[0] // not in it
	s.kill()
	all.Wait()

	t.Setenv("DATA_DIR", t.TempDir())
	s.env = append(s.env, "DATA_DIR="+os.Getenv("DATA_DIR"))
	mustCall(t, "", "restore", file)
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
	s.agree(before, sellerMail, seller, buyers)
	if status, err := s.call(http.MethodGet, photo, "", nil, nil); err != nil || status != http.StatusOK {
		t.Errorf("the photograph: %d, %v", status, err)
	}
	if status, _ := s.call(http.MethodGet, "/products/"+later, seller, nil, nil); status != http.StatusNotFound {
		t.Errorf("a phone of after the backup: %d", status)
	}
	if got := s.versionOf(sellerMail, seller, phones[0]); got <= version {
		t.Errorf("who has seen version %d takes %d for older", version, got)
	}
	if !s.resync(seller, topic, position) {
		t.Error("who was told until then is not told to read again")
	}
}

// signInAgain fails the test if a token from before the restore is accepted, and returns
// a new one.
func (s *testServer) signInAgain(email, old string) (token string) {
	s.t.Helper()
	if status, err := s.call(http.MethodGet, "/users/admin/"+email, old, nil, nil); err != nil || status != http.StatusUnauthorized {
		s.t.Errorf("a token of before the restore: %d, %v", status, err)
	}
	var cookie string
	s.must(http.MethodPost, "/identity/sign-in", "", map[string]string{"email": email, "password": "secret-ring"}, &cookie)
	return s.token(email, cookie)
}

func (s *testServer) versionOf(email, token, phone string) int64 {
	s.t.Helper()
	var phones []struct {
		ID      string `json:"_id"`
		Version int64
	}
	s.must(http.MethodGet, "/products?limit=200&email="+email, token, nil, &phones)
	for _, p := range phones {
		if p.ID == phone {
			return p.Version
		}
	}
	s.t.Fatalf("no phone %s", phone)
	return 0
}

// savedMarket is a small one's DATA_DIR and its backup.
func savedMarket(t *testing.T) (dir, file string) {
	t.Helper()
	dir, file = t.TempDir(), filepath.Join(t.TempDir(), "market.tar")
	t.Setenv("DATA_DIR", dir)
	mustCall(t, "", "brand", "add", "Jolla")
	mustCall(t, "", "backup", file)
	return dir, file
}

func TestBackupAndRestoreRefusals(t *testing.T) {
	dir, file := savedMarket(t)
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
		{nil, []string{"restore", file}, "say --force"},
		{nil, []string{"restore", "--force", file + "2"}, "market.tar2: no such file"},
		{map[string]string{"DATA_DIR": t.TempDir(), "REDIS_URL": "redis://127.0.0.1:1"}, []string{"restore", file}, "REDIS_URL"},
		{nil, []string{"backup"}, "not one of the commands"},
		{nil, []string{"restore", "--now", file}, "not one of the commands"},
	} {
		t.Run(c.want, func(t *testing.T) {
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			_, err := call(t, "", c.args...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: %v", c.args, err)
			}
		})
	}
	mustCall(t, "", "brand", "remove", "Jolla")
	said := mustCall(t, "", "restore", "--force", file)
	if !strings.Contains(said, dir+"/before-restore-") {
		t.Error(said)
	}
	mustCall(t, "", "brand", "remove", "Jolla") // it is back
	left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left beside the backup: %v, %v", left, err)
	}
}

func TestRestoreRefusesRunningServer(t *testing.T) {
	s := newTestServer(t)
	file := filepath.Join(t.TempDir(), "market.tar")
	t.Setenv("DATA_DIR", s.dirOf())
	mustCall(t, "", "backup", file)
	_, err := call(t, "", "restore", "--force", file)
	if err == nil || !strings.Contains(err.Error(), "a server is running") {
		t.Error(err)
	}
	if status, err := s.call(http.MethodGet, "/readyz", "", nil, nil); err != nil || status != http.StatusOK {
		t.Errorf("the server: %d, %v", status, err)
	}
}

// A backup that is truncated or changed anywhere is refused, and restores nothing.
func TestDamagedBackupsAreRefused(t *testing.T) {
	_, file := savedMarket(t)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string][]byte{"empty": nil, "words": []byte(strings.Repeat("no tar at all ", 200))}
	for range 6 {
		at := rand.IntN(len(whole) - 4<<10) // behind it are the sums, and what a tar ends with
		bad[fmt.Sprintf("cut at %d", at)] = whole[:at]
	}
	for range 6 {
		changed := bytes.Clone(whole)
		at := 1024 + rand.IntN(256<<10) // in the store, behind the entry's head
		changed[at] ^= 1 << rand.IntN(8)
		bad[fmt.Sprintf("bit of %d", at)] = changed
	}
	for name, content := range bad {
		dir := t.TempDir()
		t.Setenv("DATA_DIR", dir)
		broken := filepath.Join(t.TempDir(), "broken.tar")
		if err := os.WriteFile(broken, content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := call(t, "", "restore", broken)
		if err == nil || !strings.Contains(err.Error(), "use another backup; nothing has been changed") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "secondring.db")); err == nil {
			t.Errorf("%s: there is a market now", name)
		}
	}
}
