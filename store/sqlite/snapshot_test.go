package sqlite_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
	"secondring/store/sqlite"
)

// A copy that is made during writes has all writes that were acknowledged before it began. Of each
// writer's consecutive writes it has the first ones, without a gap.
func TestSnapshotIsConsistent(t *testing.T) {
	path, to := newPath(t), filepath.Join(t.TempDir(), "copy.db")
	s := open(t, path)
	var acknowledged [8]atomic.Int64
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for w := range acknowledged {
		writers.Go(func() {
			for n := int64(0); ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				if err := s.SetMeta(t.Context(), fmt.Sprintf("%d/%d", w, n), "x"); err != nil {
					t.Error(err)
					return
				}
				acknowledged[w].Store(n + 1)
			}
		})
	}
	for acknowledged[0].Load() < 50 { // until the writers have started
		if err := s.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var before [len(acknowledged)]int64
	for w := range before {
		before[w] = acknowledged[w].Load()
	}
	contents, err := sqlite.Snapshot(t.Context(), path, to)
	close(stop)
	writers.Wait()
	if err != nil {
		t.Fatal(err)
	}
	c := open(t, to)
	total := 0
	for w := range before {
		n := int64(0)
		for ; isSet(t, c, fmt.Sprintf("%d/%d", w, n)); n++ {
			total++
		}
		if n < before[w] {
			t.Errorf("the copy has %d writes of writer %d, but %d were acknowledged before it began", n, w, before[w])
		}
	}
	if contents.Rows["settings"] != total {
		t.Errorf("the copy has %d settings, but only %d without a gap", contents.Rows["settings"], total)
	}
}

func isSet(t *testing.T, s *opened, name string) bool {
	t.Helper()
	value, err := s.Meta(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return value != ""
}

func TestSnapshotHasNoDeletedData(t *testing.T) {
	path, to := newPath(t), filepath.Join(t.TempDir(), "copy.db")
	s := open(t, path)
	secret := market.Session{ID: "deleted-session", UID: "u"}
	if err := errors.Join(s.AddSession(t.Context(), secret), s.EndSession(t.Context(), secret.ID, nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Snapshot(t.Context(), path, to); err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile(to)
	if err != nil || bytes.Contains(copied, []byte(secret.ID)) {
		t.Errorf("the copy contains a deleted session (%v)", err)
	}
}

// Restored data must be newer than what clients have seen. Numbers of the outbox, which
// a relay remembers, are not used twice.
func TestRestoredStoreHasNewerVersions(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	addEvent := func(s *opened, name string) market.Event {
		t.Helper()
		if err := s.engine.WriteSettings(t.Context(), func(set func(string) error) error { return set(name) }); err != nil {
			t.Fatal(err)
		}
		events, err := s.PendingEvents(t.Context(), 9)
		if err != nil || len(events) != 1 {
			t.Fatalf("pending events are %v (%v), want one", events, err)
		}
		return events[0]
	}
	before := addEvent(s, "before")
	if err := errors.Join(s.Close(), sqlite.PrepareRestored(t.Context(), path, time.Now())); err != nil {
		t.Fatal(err)
	}
	if after := addEvent(open(t, path), "after"); after.Entity != "after" || after.Seq <= before.Seq {
		t.Errorf("the event %+v follows %+v, want a larger Seq", after, before)
	}
}

// A client accepts only versions above its own. It accepts each restore of one backup,
// also after changes since the restore before.
func TestEachRestoreHasNewerVersions(t *testing.T) {
	dir := t.TempDir()
	backup := filepath.Join(dir, "backup.db")
	s := open(t, backup)
	if err := errors.Join(
		s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "b", Version: 1}),
		s.AddProduct(t.Context(), market.Product{ID: "p", BrandID: "b", Version: 1}, nil), s.Close(),
	); err != nil {
		t.Fatal(err)
	}
	contents, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	restore := func(name string, now time.Time) *opened {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, contents, 0o600), sqlite.PrepareRestored(t.Context(), path, now)); err != nil {
			t.Fatal(err)
		}
		return open(t, path)
	}
	last := int64(0) // the version that the client has
	readAndSave := func(s *opened) {
		t.Helper()
		phones, err := s.ProductsOfBrand(t.Context(), "b", market.Page{Limit: 1})
		if err != nil || len(phones.Items) != 1 {
			t.Fatalf("the list is %+v (%v), want one phone", phones, err)
		}
		p := phones.Items[0]
		if p.Version <= last {
			t.Errorf("after a restore the version is %d, want more than %d", p.Version, last)
		}
		for range 9 {
			p.Version++
			if err := s.SaveProduct(t.Context(), p, nil); err != nil {
				t.Fatal(err)
			}
		}
		last = p.Version
	}
	now := time.Now()
	readAndSave(restore("first.db", now))
	readAndSave(restore("second.db", now.Add(time.Second)))
	readAndSave(restore("third.db", now.Add(time.Minute)))
	if last >= 1<<53 {
		t.Errorf("JavaScript cannot represent the version %d", last)
	}
}

// Every entity that clients get in lists and events must be newer after a restore.
func TestRestoreRaisesVersionsOfAllListedEntities(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	phone := market.Product{ID: "p", BrandID: "b", Version: 1}
	booking := market.Booking{ID: "o", ProductID: "p", BuyerUID: "u", Version: 1}
	err := errors.Join(
		s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "b", Version: 1}),
		s.AddUser(t.Context(), market.User{ID: "i", UID: "u", Email: "u@example.com", Version: 1}, nil),
		s.AddProduct(t.Context(), phone, nil),
		s.AddBooking(t.Context(), booking, 1, nil),
		s.AddCase(t.Context(), market.Case{ID: "c", TargetID: "p", Version: 1}, []market.Effect{market.Report{ID: "r", ProductID: "p", ReporterUID: "u", Version: 1}}),
		s.AddWatching(t.Context(), market.Watching{ID: "w", UID: "u", Version: 1}, nil),
		s.AddNotification(t.Context(), market.Notification{ID: "n", UID: "u", Version: 1}, nil),
		s.Close(),
	)
	now := time.Now()
	if err := errors.Join(err, sqlite.PrepareRestored(t.Context(), path, now)); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	brand, err1 := s.Brand(t.Context(), "b")
	user, err2 := s.User(t.Context(), "u")
	phone, err3 := s.Product(t.Context(), "p")
	booking, err4 := s.Booking(t.Context(), "o")
	report, err5 := s.Report(t.Context(), "r")
	watching, err6 := s.Watching(t.Context(), "u")
	notification, err7 := s.Notification(t.Context(), "n")
	if err := errors.Join(err1, err2, err3, err4, err5, err6, err7); err != nil {
		t.Fatal(err)
	}
	for name, version := range map[string]int64{
		"brand": brand.Version, "user": user.Version, "phone": phone.Version, "booking": booking.Version,
		"report": report.Version, "watching": watching.Version, "notification": notification.Version,
	} {
		if version < now.UnixMilli() {
			t.Errorf("after a restore the version of the %s is %d, want at least the time in milliseconds", name, version)
		}
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "intact.db")
	s := open(t, path)
	for i := range 400 {
		if err := s.SetMeta(t.Context(), fmt.Sprintf("%04d", i), strings.Repeat("x", 400)); err != nil {
			t.Fatal(err)
		}
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if _, err := sqlite.Snapshot(t.Context(), path, copied); err != nil {
		t.Fatal(err)
	}
	intact, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	torn := bytes.Clone(intact)
	clear(torn[len(torn)/page*page/2 : len(torn)/page*page/2+2*page])
	for name, c := range map[string]struct {
		bytes []byte
		want  error
	}{
		"text":      {[]byte(strings.Repeat("This is no database. ", 500)), sqlite.ErrForeign},
		"empty":     {nil, sqlite.ErrForeign},
		"truncated": {intact[:len(intact)/2/page*page], sqlite.ErrDamaged},
		"torn page": {torn, sqlite.ErrDamaged},
		"foreign":   {foreignDatabase(t), sqlite.ErrForeign},
	} {
		path := filepath.Join(t.TempDir(), "damaged.db")
		if err := os.WriteFile(path, c.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := sqlite.Inspect(t.Context(), path); !errors.Is(err, c.want) {
			t.Errorf("inspecting a file that is %s: %v, want %v", name, err, c.want)
		}
		if _, err := sqlite.Snapshot(t.Context(), path, filepath.Join(t.TempDir(), "to.db")); err == nil && name != "torn page" {
			t.Errorf("Snapshot copies a file that is %s", name)
		}
	}
	execSQL(t, copied, `PRAGMA user_version = 999`)
	if _, err := sqlite.Inspect(t.Context(), copied); err == nil {
		t.Error("Inspect accepts another format")
	}
}

// foreignDatabase returns the file of another program's database.
func foreignDatabase(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "foreign.db")
	db, err := sql.Open("sqlite", path)
	if err == nil {
		_, err = db.ExecContext(t.Context(), "CREATE TABLE foreign_table (x)")
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
