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
	"secondring/store"
	"secondring/store/sqlite"
)

// Sizes and offsets of the WAL in bytes, from the description of SQLite's file format.
const (
	walHeader      = 32
	frameHeader    = 24
	pageSizeOffset = 8 // in the header of the WAL
)

// files are the files that a stopped machine leaves: the database, and the WAL with the writes that
// are not in the database yet.
type files struct{ database, wal []byte }

// filesAfterWrites makes a number of writes, and returns the files of the open store.
func filesAfterWrites(t *testing.T, writes int) files {
	t.Helper()
	path := newPath(t)
	s := open(t, path)
	for i := range writes {
		if err := s.engine.WriteSettings(t.Context(), setMeta("write"+strconv.Itoa(i))); err != nil {
			t.Fatal(err)
		}
	}
	return files{read(t, path), read(t, path+"-wal")}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// pageSize and frameSize return the length of a page and of a frame of the WAL in bytes.
func (f files) pageSize() int  { return int(binary.BigEndian.Uint32(f.wal[pageSizeOffset:])) }
func (f files) frameSize() int { return frameHeader + f.pageSize() }

// lastWriteOffset returns the offset of the last write in the WAL, which is after the last but one
// commit frame.
func (f files) lastWriteOffset(t *testing.T) int {
	t.Helper()
	offset := 0
	for i := walHeader; i+f.frameSize() < len(f.wal); i += f.frameSize() {
		isCommit := binary.BigEndian.Uint32(f.wal[i+4:]) > 0
		if isCommit && i+2*f.frameSize() <= len(f.wal) {
			offset = i + f.frameSize()
		}
	}
	if offset == 0 {
		t.Fatal("the WAL has fewer than two writes")
	}
	return offset
}

// recoveredWrites opens a store with the files, and returns how many of the writes it has.
func (f files) recoveredWrites(t *testing.T, writes int) (n int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secondring.db")
	for name, content := range map[string][]byte{path: f.database, path + "-wal": f.wal} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, path)
	for i := range writes {
		got, err := s.Meta(t.Context(), "write"+strconv.Itoa(i))
		switch {
		case err != nil:
			t.Fatal(err)
		case got == "x" && n == i:
			n++
		case got == "x":
			t.Errorf("write %d was recovered, but an earlier one was not", i)
		}
	}
	if err := s.engine.WriteSettings(t.Context(), setMeta("later")); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	checkFile(t, path)
	return n
}

// A write may be partial when the machine stops. It is not applied then, and all writes
// before it are.
func TestTornWALKeepsCommittedWrites(t *testing.T) {
	const writes = 20
	intact := filesAfterWrites(t, writes)
	last := intact.lastWriteOffset(t)
	if n := intact.recoveredWrites(t, writes); n != writes {
		t.Fatalf("intact files: %d writes were recovered, want %d", n, writes)
	}
	for range 12 {
		truncated := intact
		truncated.wal = intact.wal[:last+rand.IntN(len(intact.wal)-last)]
		if n := truncated.recoveredWrites(t, writes); n != writes-1 {
			t.Errorf("WAL with %d of %d bytes of the last write: %d writes were recovered, want %d",
				len(truncated.wal)-last, len(intact.wal)-last, n, writes-1)
		}
		flipped := intact
		flipped.wal = bytes.Clone(intact.wal)
		offset := last + rand.IntN(len(flipped.wal)-last)
		flipped.wal[offset] ^= 1 << rand.IntN(8)
		if n := flipped.recoveredWrites(t, writes); n < writes-1 {
			t.Errorf("bit flipped at byte %d of the last write: %d writes were recovered, want at least %d", offset-last, n, writes-1)
		}
		longer := intact
		longer.wal = append(bytes.Clone(intact.wal), intact.wal[walHeader:walHeader+1+rand.IntN(intact.frameSize())]...)
		if n := longer.recoveredWrites(t, writes); n != writes {
			t.Errorf("WAL with a part of one more frame: %d writes were recovered, want %d", n, writes)
		}
	}
}

// A page of the database may be written partially during a checkpoint. The WAL still has the whole
// page.
func TestTornPageIsRecoveredFromWAL(t *testing.T) {
	const writes = 20
	torn := filesAfterWrites(t, writes)
	intact := bytes.Clone(torn.database)
	damaged := 0
	for i := walHeader; i+torn.frameSize() <= len(torn.wal); i += torn.frameSize() {
		page := (int(binary.BigEndian.Uint32(torn.wal[i:])) - 1) * torn.pageSize()
		if page == 0 || page+torn.pageSize() > len(torn.database) {
			continue
		}
		copy(torn.database[page+rand.IntN(8):page+torn.pageSize()], bytes.Repeat([]byte{0xA5}, torn.pageSize()))
		damaged++
	}
	if damaged == 0 || bytes.Equal(torn.database, intact) {
		t.Fatal("no page was damaged")
	}
	if n := torn.recoveredWrites(t, writes); n != writes {
		t.Errorf("%d writes were recovered, want %d", n, writes)
	}
	if !isDamaged(t, torn.database) {
		t.Error("without the WAL the database passes its check, so no page was damaged")
	}
}

// isDamaged tells whether SQLite finds damage in the database.
func isDamaged(t *testing.T, database []byte) bool {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secondring.db")
	if err := os.WriteFile(path, database, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var result string
	err = db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&result)
	return err != nil || result != "ok"
}

// The test makes a new store with increasing disk space until there is enough. The tables are made
// completely or not at all.
func TestFullDiskWhileTablesAreMade(t *testing.T) {
	failures := 0
	for maxBytes := 4 << 10; ; maxBytes += 64 << 10 {
		path := filepath.Join(t.TempDir(), "secondring.db")
		if err := openWithin(t, path, maxBytes); err == nil {
			break
		} else if failures++; !errors.Is(err, market.ErrDiskFull) {
			t.Errorf("opening with at most %d bytes: %v, want ErrDiskFull", maxBytes, err)
		}
		e, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatalf("opening again after a failure with %d bytes: %v", maxBytes, err)
		}
		s := &opened{store.New(e), e}
		if err := errors.Join(s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "b", Version: 1}), s.Close()); err != nil {
			t.Error(err)
		}
		checkFile(t, path)
	}
	if failures < 3 {
		t.Errorf("%d openings failed, want at least 3", failures)
	}
}

// openWithin opens a store in a process whose files may not be longer than maxBytes. It uses another
// process, because the limit would apply to files of the testing package too.
func openWithin(t *testing.T, path string, maxBytes int) error {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOpenWithinDiskQuota$")
	child.Env = append(os.Environ(), openPath+"="+path, openMaxBytes+"="+strconv.Itoa(maxBytes))
	output, err := child.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case bytes.Contains(output, []byte(diskFull)):
		return market.ErrDiskFull
	default:
		return fmt.Errorf("%w: %s", err, output)
	}
}

// These are the environment variables of openWithin's process, and its output if the disk is full.
const (
	openPath, openMaxBytes = "SECONDRING_TEST_PATH", "SECONDRING_TEST_MAX_BYTES"
	diskFull               = "the disk is full"
)

// TestOpenWithinDiskQuota does nothing except in the child process of openWithin.
func TestOpenWithinDiskQuota(t *testing.T) {
	maxBytes, err := strconv.ParseUint(os.Getenv(openMaxBytes), 10, 64)
	if err != nil {
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: maxBytes, Max: maxBytes}); err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(t.Context(), os.Getenv(openPath))
	if err == nil {
		err = s.Close()
	}
	if errors.Is(err, market.ErrDiskFull) {
		t.Fatal(diskFull)
	}
	if err != nil {
		t.Fatal(err)
	}
}
