package sqlite_test

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"secondring/market"
	"secondring/store/sqlite"
)

// The log's parts, in bytes (SQLite's file format).
const (
	logHeader   = 32
	frameHeader = 24
	pageSizeAt  = 8 // in the log's header
)

// crashed is what a machine that stopped has on its disk: the file, and the log
// with what is not in the file yet.
type crashed struct{ file, log []byte }

// crash writes so many changes, and takes the files as they are.
func crash(t *testing.T, changes int) crashed {
	t.Helper()
	path := file(t)
	s := open(t, path)
	for i := range changes {
		if err := s.Write(t.Context(), set("change"+strconv.Itoa(i))); err != nil {
			t.Fatal(err)
		}
	}
	return crashed{read(t, path), read(t, path+"-wal")}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// page is how long a page is, frame one of the log.
func (c crashed) page() int  { return int(binary.BigEndian.Uint32(c.log[pageSizeAt:])) }
func (c crashed) frame() int { return frameHeader + c.page() }

// begins is where the log's last change begins: behind the last frame before it
// that ends one.
func (c crashed) begins(t *testing.T) int {
	t.Helper()
	at := 0
	for from := logHeader; from+c.frame() < len(c.log); from += c.frame() {
		if binary.BigEndian.Uint32(c.log[from+4:]) > 0 && from+2*c.frame() <= len(c.log) {
			at = from + c.frame()
		}
	}
	if at == 0 {
		t.Fatal("the log has one change, or none")
	}
	return at
}

// opens has the engine make of it what it can, and returns how many of the
// changes are there.
func (c crashed) opens(t *testing.T, changes int) (kept int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secondring.db")
	for name, all := range map[string][]byte{path: c.file, path + "-wal": c.log} {
		if err := os.WriteFile(name, all, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range changes {
		got, err := s.Meta(t.Context(), "change"+strconv.Itoa(i))
		switch {
		case err != nil:
			t.Fatal(err)
		case got == "x" && kept == i:
			kept++
		case got == "x":
			t.Errorf("change %d is there, and not all before it", i)
		}
	}
	if err := s.Write(t.Context(), set("later")); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	sound(t, path)
	return kept
}

// A write may be partial when the machine stops. It is not applied then, and all writes
// before it are.
func TestTornWALKeepsCommittedWrites(t *testing.T) {
	const changes = 20
	whole := crash(t, changes)
	last := whole.begins(t)
	if kept := whole.opens(t, changes); kept != changes {
		t.Fatalf("as it was: %d of %d", kept, changes)
	}
	for range 12 {
		cut := whole
		cut.log = whole.log[:last+rand.IntN(len(whole.log)-last)]
		if kept := cut.opens(t, changes); kept != changes-1 {
			t.Errorf("with %d of the last %d bytes: %d of %d", len(cut.log)-last, len(whole.log)-last, kept, changes)
		}
		bent := whole
		bent.log = bytes.Clone(whole.log)
		at := last + rand.IntN(len(bent.log)-last)
		bent.log[at] ^= 1 << rand.IntN(8)
		if kept := bent.opens(t, changes); kept < changes-1 {
			t.Errorf("with a bit wrong %d bytes into the last change: %d of %d", at-last, kept, changes)
		}
		more := whole
		more.log = append(bytes.Clone(whole.log), whole.log[logHeader:logHeader+1+rand.IntN(whole.frame())]...)
		if kept := more.opens(t, changes); kept != changes {
			t.Errorf("with the beginning of one more: %d of %d", kept, changes)
		}
	}
}

// A page of the file may be written partially during a checkpoint. The WAL still has all
// of it.
func TestTornPageIsRecoveredFromWAL(t *testing.T) {
	const changes = 20
	torn := crash(t, changes)
	whole := bytes.Clone(torn.file)
	damaged := 0
	for from := logHeader; from+torn.frame() <= len(torn.log); from += torn.frame() {
		at := (int(binary.BigEndian.Uint32(torn.log[from:])) - 1) * torn.page()
		if at == 0 || at+torn.page() > len(torn.file) {
			continue
		}
		copy(torn.file[at+rand.IntN(torn.page()):at+torn.page()], bytes.Repeat([]byte{0xA5}, torn.page()))
		damaged++
	}
	if damaged == 0 || bytes.Equal(torn.file, whole) {
		t.Fatal("no page is torn")
	}
	if kept := torn.opens(t, changes); kept != changes {
		t.Errorf("%d of %d", kept, changes)
	}
	if lost := (crashed{torn.file, torn.log[:logHeader]}); !lost.isRefused(t) {
		t.Error("without the log it is taken for whole: the pages were not torn")
	}
}

// isRefused tells whether the engine finds that the file is damaged.
func (c crashed) isRefused(t *testing.T) bool {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secondring.db")
	if err := os.WriteFile(path, c.file, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var verdict string
	err = db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict)
	return err != nil || verdict != "ok"
}

// With increasing disk space, until there is enough: each step of a migration is done
// completely or not at all.
func TestFullDiskDuringMigration(t *testing.T) {
	old := file(t)
	if err := os.Mkdir(filepath.Dir(old), 0o700); err != nil {
		t.Fatal(err)
	}
	older(t, old, 2, beforePayments...)
	saved, failed := read(t, old), 0
	for room := len(saved) / 2; ; room += 64 << 10 {
		path := filepath.Join(t.TempDir(), "secondring.db")
		if err := os.WriteFile(path, saved, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := openWithin(t, path, room); err == nil {
			break
		} else if failed++; !errors.Is(err, market.ErrDiskFull) {
			t.Errorf("%d bytes: %v", room, err)
		}
		raised, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatalf("after %d bytes: %v", room, err)
		}
		is(t, market.List[market.Product]{Items: phonesBefore(), Total: 3})(raised.ProductsOfBrand(t.Context(), "b", market.Page{Limit: 9}))
		if err := raised.Close(); err != nil {
			t.Error(err)
		}
		sound(t, path)
	}
	if failed < 3 {
		t.Errorf("%d failed", failed)
	}
}

// openWithin opens a store where no file may be longer than so many bytes. It
// does so in another process: the limit would also be one for the files that the
// testing package writes.
func openWithin(t *testing.T, path string, room int) error {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOpenWithinDiskQuota$")
	child.Env = append(os.Environ(), openPath+"="+path, openRoom+"="+strconv.Itoa(room))
	output, err := child.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case bytes.Contains(output, []byte(noRoom)):
		return market.ErrDiskFull
	default:
		return fmt.Errorf("%w: %s", err, output)
	}
}

// What openWithin tells its process, and what that one answers.
const (
	openPath, openRoom = "SECONDRING_TEST_PATH", "SECONDRING_TEST_ROOM"
	noRoom             = "there was no room"
)

// This is the child process of openWithin.
func TestOpenWithinDiskQuota(t *testing.T) {
	room, err := strconv.ParseUint(os.Getenv(openRoom), 10, 64)
	if err != nil {
		return // this is not the process of openWithin
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: room, Max: room}); err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(t.Context(), os.Getenv(openPath))
	if err == nil {
		err = s.Close()
	}
	if errors.Is(err, market.ErrDiskFull) {
		t.Fatal(noRoom)
	}
	if err != nil {
		t.Fatal(err)
	}
}
