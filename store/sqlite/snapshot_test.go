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

	"github.com/google/go-cmp/cmp"

	"secondring/market"
	"secondring/store/sqlite"
)

// A copy is made during writes. It has all writes that were acknowledged before it
// began, and of each writer's consecutive writes a prefix.
func TestSnapshotIsConsistent(t *testing.T) {
	path, to := file(t), filepath.Join(t.TempDir(), "copy.db")
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
	for acknowledged[0].Load() < 50 { // until they are well under way
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
		for ; has(t, c, fmt.Sprintf("%d/%d", w, n)); n++ {
			total++
		}
		if n < before[w] {
			t.Errorf("writer %d was told of %d writes before the copy began, and %d are in it", w, before[w], n)
		}
	}
	if contents.Rows["meta"] != total {
		t.Errorf("%d settings are in the copy, %d without a gap", contents.Rows["meta"], total)
	}
}

func has(t *testing.T, s *sqlite.Store, name string) bool {
	t.Helper()
	value, err := s.Meta(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return value != ""
}

func TestSnapshotHasNoDeletedData(t *testing.T) {
	path, to := file(t), filepath.Join(t.TempDir(), "copy.db")
	s := open(t, path)
	secret := market.Session{ID: "nobody-is-to-find-this", UID: "u"}
	if err := errors.Join(s.AddSession(t.Context(), secret), s.EndSession(t.Context(), secret.ID, nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Snapshot(t.Context(), path, to); err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile(to)
	if err != nil || bytes.Contains(copied, []byte(secret.ID)) {
		t.Errorf("a deleted session is in the copy (%v)", err)
	}
}

func TestSnapshotOfOlderSchema(t *testing.T) {
	path, to := t.TempDir()+"/old.db", filepath.Join(t.TempDir(), "copy.db")
	older(t, path, 2, beforePayments...)
	contents, err := sqlite.Snapshot(t.Context(), path, to)
	if err != nil || contents.Schema != 2 || contents.Rows["products"] != 3 {
		t.Fatalf("%+v, %v", contents, err)
	}
	if err := sqlite.BumpVersions(t.Context(), to, time.UnixMilli(1)); err != nil { // brings it up to date
		t.Fatal(err)
	}
	phones, err := open(t, to).ProductsOfBrand(t.Context(), "b", market.Page{Limit: 9})
	want := phonesBefore()
	for i := range want {
		want[i].Version += 1_000_000
	}
	if diff := cmp.Diff(want, phones.Items); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}

// Restored data must be newer than what clients have seen. Numbers of the outbox, which
// a relay remembers, are not used twice.
func TestBumpVersionsAfterRestore(t *testing.T) {
	path := file(t)
	s := open(t, path)
	post := func(s *sqlite.Store, name string) market.Event {
		t.Helper()
		if err := s.Write(t.Context(), func(set func(string) error) error { return set(name) }); err != nil {
			t.Fatal(err)
		}
		events, err := s.PendingEvents(t.Context(), 9)
		if err != nil || len(events) != 1 {
			t.Fatalf("%v, %v", events, err)
		}
		return events[0]
	}
	before := post(s, "before")
	if err := errors.Join(s.Close(), sqlite.BumpVersions(t.Context(), path, time.Now())); err != nil {
		t.Fatal(err)
	}
	if after := post(open(t, path), "after"); after.Entity != "after" || after.Seq <= before.Seq {
		t.Errorf("%+v after %+v", after, before)
	}
}

// A client accepts only versions above its own. It accepts each restore of one backup,
// also after changes since the restore before.
func TestEachRestoreHasNewerVersions(t *testing.T) {
	dir := t.TempDir()
	backup := filepath.Join(dir, "backup.db")
	older(t, backup, 2, beforePayments...)
	contents, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	restore := func(name string, now time.Time) *sqlite.Store {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, contents, 0o600), sqlite.BumpVersions(t.Context(), path, now)); err != nil {
			t.Fatal(err)
		}
		return open(t, path)
	}
	held := int64(0)
	take := func(s *sqlite.Store) {
		t.Helper()
		phones, err := s.ProductsOfBrand(t.Context(), "b", market.Page{Limit: 1})
		if err != nil || len(phones.Items) != 1 {
			t.Fatalf("%+v, %v", phones, err)
		}
		p := phones.Items[0]
		if p.Version <= held {
			t.Errorf("version %d was read after %d", p.Version, held)
		}
		for range 9 {
			p.Version++
			if err := s.SaveProduct(t.Context(), p, nil); err != nil {
				t.Fatal(err)
			}
		}
		held = p.Version
	}
	now := time.Now()
	take(restore("first.db", now))
	take(restore("second.db", now.Add(time.Second)))
	take(restore("third.db", now.Add(time.Minute)))
	if held >= 1<<53 {
		t.Errorf("JavaScript cannot represent the version %d", held)
	}
}

// Every entity that clients get in lists and events must be newer after a restore.
func TestRestoreRaisesVersionsOfAllListedEntities(t *testing.T) {
	path := file(t)
	s := open(t, path)
	phone := market.Product{ID: "p", BrandID: "b", Version: 1}
	booking := market.Booking{ID: "o", ProductID: "p", BuyerUID: "u", Version: 1}
	err := errors.Join(
		s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "b", Version: 1}),
		s.AddUser(t.Context(), market.User{ID: "i", UID: "u", Email: "u@example.com", Version: 1}, nil),
		s.AddProduct(t.Context(), phone, nil),
		s.AddBooking(t.Context(), booking, 1, nil),
		s.AddReport(t.Context(), market.Report{ID: "r", ProductID: "p", ReporterUID: "u", Version: 1}, nil),
		s.AddWatching(t.Context(), market.Watching{ID: "w", UID: "u", Version: 1}, nil),
		s.AddNotification(t.Context(), market.Notification{ID: "n", UID: "u", Version: 1}, nil),
		s.Close(),
	)
	now := time.Now()
	if err := errors.Join(err, sqlite.BumpVersions(t.Context(), path, now)); err != nil {
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
			t.Errorf("the version of the %s is %d after a restore", name, version)
		}
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole.db")
	s := open(t, whole)
	for i := range 400 {
		if err := s.SetMeta(t.Context(), fmt.Sprintf("%04d", i), strings.Repeat("x", 400)); err != nil {
			t.Fatal(err)
		}
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if _, err := sqlite.Snapshot(t.Context(), whole, copied); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	torn := bytes.Clone(good)
	clear(torn[len(torn)/page*page/2 : len(torn)/page*page/2+2*page])
	for name, c := range map[string]struct {
		bytes []byte
		want  error
	}{
		"words":  {[]byte(strings.Repeat("This is no database. ", 500)), sqlite.ErrForeign},
		"empty":  {nil, sqlite.ErrForeign},
		"cut":    {good[:len(good)/2/page*page], sqlite.ErrDamaged},
		"pages":  {torn, sqlite.ErrDamaged},
		"theirs": {theirs(t), sqlite.ErrForeign},
	} {
		path := filepath.Join(t.TempDir(), "it.db")
		if err := os.WriteFile(path, c.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := sqlite.Inspect(t.Context(), path); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := sqlite.Snapshot(t.Context(), path, filepath.Join(t.TempDir(), "to.db")); err == nil && name != "pages" {
			t.Errorf("%s was copied", name)
		}
	}
	alter(t, copied, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)`)
	if _, err := sqlite.Inspect(t.Context(), copied); err == nil {
		t.Error("a newer market was taken")
	}
}

// theirs is another program's database.
func theirs(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "theirs.db")
	db, err := sql.Open("sqlite", path)
	if err == nil {
		_, err = db.ExecContext(t.Context(), "CREATE TABLE theirs (x)")
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
