package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"secondring/cmd/secondring/nodetest"
)

// With this variable in its environment, the test binary is the command secondring.
const serveEnv = "SECONDRING_TEST_SERVES"

const (
	testPassword = "secret-ring"
	testSecret   = "a secret for tests that is long enough" // TOKEN_SECRET
)

func TestMain(m *testing.M) {
	if os.Getenv(serveEnv) == "" {
		os.Exit(m.Run())
	}
	err := errors.Join(limitFileSize(), limitOpenFiles())
	switch killFile := os.Getenv(killEnv); {
	case err != nil:
	case killFile != "":
		err = serveWithKiller(context.Background(), killFile)
	default:
		main()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// testServer is the server in a process of its own, which can be killed.
type testServer struct {
	t    *testing.T
	addr string
	env  []string
	cmd  *exec.Cmd
}

func newTestServer(t *testing.T, env ...string) *testServer {
	t.Helper()
	s := &testServer{t: t, addr: nodetest.FreeAddress(t)}
	s.env = append(os.Environ(), serveEnv+"=1", "ADDR="+s.addr, "PUBLIC_URL=http://"+s.addr,
		"DATA_DIR="+t.TempDir(), "RATE_LIMIT=off", "MAX_HOLDS=1000", "BOOKING_HOLD=1h")
	s.env = append(s.env, env...)
	s.open()
	t.Cleanup(s.kill)
	return s
}

// open starts the process and waits until it is ready.
func (s *testServer) open() {
	s.t.Helper()
	s.cmd = exec.CommandContext(context.WithoutCancel(s.t.Context()), os.Args[0])
	s.cmd.Env = s.env
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	deadline := time.After(3 * time.Minute)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if status, err := s.call(http.MethodGet, "/readyz", "", nil, nil); err == nil && status == http.StatusOK {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			s.t.Fatal("the server is not ready after 30s")
		}
	}
}

func (s *testServer) kill() {
	_ = s.cmd.Process.Signal(syscall.SIGKILL)
	_ = s.cmd.Wait() // returns an error because of the signal
}

// dataDir returns the server's DATA_DIR.
func (s *testServer) dataDir() string {
	for _, pair := range s.env {
		if dir, ok := strings.CutPrefix(pair, "DATA_DIR="); ok {
			return dir
		}
	}
	s.t.Fatal("the server has no DATA_DIR")
	return ""
}

// command runs an admin command on the server's store and returns its output and exit code.
func (s *testServer) command(in string, args ...string) (out string, code int) {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), os.Args[0], args...)
	cmd.Env = slices.DeleteFunc(slices.Clone(s.env), func(v string) bool { return strings.HasPrefix(v, killEnv+"=") })
	cmd.Stdin = strings.NewReader(in)
	text, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(text), exit.ExitCode()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text), 0
}

func (s *testServer) createAdmin(email string) {
	s.t.Helper()
	if out, code := s.command(testPassword+"\n", "admin", "create", email); code != 0 {
		s.t.Fatalf("admin create exits with %d: %s", code, out)
	}
}

// checkIntegrity makes a backup, which checks the whole store.
func (s *testServer) checkIntegrity() {
	s.t.Helper()
	if out, code := s.command("", "backup", filepath.Join(s.t.TempDir(), "integrity.tar")); code != 0 {
		s.t.Errorf("backup exits with %d: %s", code, out)
	}
}

// rss returns the memory of the process, in bytes.
func (s *testServer) rss() int {
	s.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		s.t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
