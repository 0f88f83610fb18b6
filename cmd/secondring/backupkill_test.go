package main

import (
	"context"
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

	"secondring/cmd/secondring/backup"
)

// fileSizeEnv has the limit of the size of a process's files, in bytes. A write beyond it
// fails as on a full disk.
const fileSizeEnv = "SECONDRING_TEST_FILE_SIZE"

// limitFileSize limits the size of the process's files if fileSizeEnv is set.
func limitFileSize() error {
	if os.Getenv(fileSizeEnv) == "" {
		return nil
	}
	limit, err := strconv.ParseUint(os.Getenv(fileSizeEnv), 10, 64)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit})
}

// newCommand returns an admin command that runs in its own process.
func newCommand(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0], args...)
	cmd.Env = append(append(os.Environ(), serveEnv+"=1"), env...)
	return cmd
}

// killDuring starts a command and kills it at a random moment of its usual duration.
func killDuring(t *testing.T, cmd *exec.Cmd, duration time.Duration) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-time.After(time.Duration(rand.Int64N(int64(duration))))
	_ = cmd.Process.Signal(syscall.SIGKILL)
	_ = cmd.Wait() // returns an error if the command was killed
}

// runTime runs a command and returns how long that took.
func runTime(t *testing.T, cmd *exec.Cmd) time.Duration {
	t.Helper()
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return time.Since(began)
}

// After a kill at any moment the backup is complete or does not exist, and its temporary
// files do not prevent the next one.
func TestKilledBackupLeavesNoBackup(t *testing.T) {
	_, file := marketWithBackup(t)
	dir := filepath.Dir(file)
	duration := runTime(t, newCommand(t, nil, "backup", filepath.Join(dir, "first.tar")))
	killed := filepath.Join(dir, "killed.tar")
	for range 3 {
		killDuring(t, newCommand(t, nil, "backup", killed), duration)
		if _, err := os.Stat(killed); err == nil {
			break // the backup was complete before the kill
		}
	}
	unwanted := ".*/" + backup.Store // after a kill the temporary folder may remain, without a copy of the market
	if _, err := os.Stat(killed); err != nil {
		mustRunCommand(t, "", "backup", killed)
		unwanted = ".*"
	}
	t.Setenv("DATA_DIR", t.TempDir())
	mustRunCommand(t, "", "restore", killed)
	if left, err := filepath.Glob(filepath.Join(dir, unwanted)); err != nil || len(left) > 0 {
		t.Errorf("the folder of the backup has %v, %v; want no temporary files", left, err)
	}
}

func TestFullDiskLeavesNoPartialBackup(t *testing.T) {
	dir, file := marketWithBackup(t)
	size, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	empty, backups := t.TempDir(), t.TempDir()
	path := filepath.Join(backups, "full.tar")
	for _, limit := range []int64{1 << 10, size.Size() - 32<<10} {
		env := fileSizeEnv + "=" + strconv.FormatInt(limit, 10)
		out, err := newCommand(t, []string{env}, "backup", path).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "no backup was written") {
			t.Errorf("with %d bytes backup returned %v, %s; want a refusal", limit, err, out)
		}
		if left, err := os.ReadDir(backups); err != nil || len(left) > 0 {
			t.Errorf("with %d bytes backup has left %v, %v; want no files", limit, left, err)
		}
		out, err = newCommand(t, []string{env, "DATA_DIR=" + empty}, "restore", file).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "start the same restore again") {
			t.Errorf("with %d bytes restore returned %v, %s; want a refusal", limit, err, out)
		}
		if _, err := os.Stat(filepath.Join(empty, "secondring.db")); err == nil {
			t.Errorf("with %d bytes restore has created a store", limit)
		}
	}
	t.Setenv("DATA_DIR", empty)
	mustRunCommand(t, "", "restore", file)
	t.Setenv("DATA_DIR", dir)
	mustRunCommand(t, "", "brand", "remove", "Jolla") // the market is unchanged
}
