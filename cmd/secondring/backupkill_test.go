package main

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func decode(from io.Reader, into any) error { return json.NewDecoder(from).Decode(into) }

// With this in its environment, a process may write files of so many bytes and no larger
// ones, as on a full disk.
const roomMark = "SECONDRING_TEST_ROOM"

// limitFileSize limits the size of the process's files to roomMark.
func limitFileSize() error {
	most, err := strconv.ParseUint(os.Getenv(roomMark), 10, 64)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most})
}

// process is a command in a process of its own.
func process(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0], args...)
	cmd.Env = append(append(os.Environ(), serveMark+"=1"), env...)
	return cmd
}

// kill ends a command at a random moment of its duration.
func kill(t *testing.T, cmd *exec.Cmd, takes time.Duration) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-time.After(time.Duration(rand.Int64N(int64(takes))))
	_ = cmd.Process.Signal(syscall.SIGKILL)
	_ = cmd.Wait() // by a signal, or it was faster
}

// timed runs a command and returns its duration.
func timed(t *testing.T, cmd *exec.Cmd) time.Duration {
	t.Helper()
	began := time.Now()
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return time.Since(began)
}

// After a kill at any moment a backup is complete or does not exist, and its remains do
// not block the next one.
func TestKilledBackupLeavesNoBackup(t *testing.T) {
	_, first := savedMarket(t)
	home := filepath.Dir(first)
	takes := timed(t, process(t, nil, "backup", filepath.Join(home, "timed.tar")))
	file := filepath.Join(home, "killed.tar")
	for range 3 {
		kill(t, process(t, nil, "backup", file), takes)
		if _, err := os.Stat(file); err == nil {
			break // it was faster
		}
	}
	if _, err := os.Stat(file); err != nil {
		mustCall(t, "", "backup", file)
	}
	t.Setenv("DATA_DIR", t.TempDir())
	mustCall(t, "", "restore", file)
	if left, err := filepath.Glob(filepath.Join(home, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left beside it: %v, %v", left, err)
	}
}

// After a kill at any moment of a restore the market is the old one, the restored one,
// or cannot be opened until the restore is run again.
func TestKilledRestoreLeavesConsistentMarket(t *testing.T) {
	dir, file := savedMarket(t)
	mustCall(t, "", "brand", "add", "Later")
	takes := timed(t, process(t, nil, "restore", "--force", file))
	mustCall(t, "", "brand", "add", "Later")
	for range 3 {
		kill(t, process(t, nil, "restore", "--force", file), takes)
		switch _, err := call(t, "", "brand", "add", "Later"); {
		case err == nil: // the backup's, which has none
			mustCall(t, "", "brand", "remove", "Jolla")
			mustCall(t, "", "brand", "add", "Jolla")
		case strings.Contains(err.Error(), "is a brand"): // that of before
		case strings.Contains(err.Error(), "where a restore was stopped half-way"):
		default:
			t.Error(err)
		}
	}
	mustCall(t, "", "restore", "--force", file)
	mustCall(t, "", "brand", "add", "Later")
	mustCall(t, "", "brand", "remove", "Jolla")
	if left, err := filepath.Glob(filepath.Join(dir, ".restoring")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestFullDiskLeavesNoPartialBackup(t *testing.T) {
	dir, file := savedMarket(t)
	size, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	empty, home := t.TempDir(), t.TempDir()
	full := filepath.Join(home, "full.tar")
	for _, room := range []int64{1 << 10, size.Size() - 32<<10} {
		is := roomMark + "=" + strconv.FormatInt(room, 10)
		said, err := process(t, []string{is}, "backup", full).CombinedOutput()
		if err == nil || !strings.Contains(string(said), "no backup was written") {
			t.Errorf("%d bytes: %v, %s", room, err, said)
		}
		if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
			t.Errorf("%d bytes: left %v, %v", room, left, err)
		}
		said, err = process(t, []string{is, "DATA_DIR=" + empty}, "restore", file).CombinedOutput()
		if err == nil || !strings.Contains(string(said), "start the same restore again") {
			t.Errorf("%d bytes: %v, %s", room, err, said)
		}
		if _, err := os.Stat(filepath.Join(empty, "secondring.db")); err == nil {
			t.Errorf("%d bytes: there is a market", room)
		}
	}
	t.Setenv("DATA_DIR", empty)
	mustCall(t, "", "restore", file)
	t.Setenv("DATA_DIR", dir)
	mustCall(t, "", "brand", "remove", "Jolla") // nothing has happened to it
}
