//go:build unix

// Package mongotest gives tests a server that speaks MongoDB's protocol: the one
// that MONGODB_URI names, or else one of its own, which scripts/mongo.sh runs
// with an empty database and which ends with the test process.
package mongotest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// Server is a running server. It ends with this process.
type Server struct {
	uri   string
	input io.Closer     // kept: the server ends when this is closed, or collected
	ended chan struct{} // closed when it has

	mu        sync.Mutex
	processes map[string]int // by name, as the script starts them
	changed   chan struct{}  // closed, and made anew, with each start
}

// Start returns the server of this test process, and starts it first where it is
// not running yet.
var Start = sync.OnceValues(func() (*Server, error) {
	if uri := os.Getenv("MONGODB_URI"); uri != "" {
		return &Server{uri: strings.TrimSuffix(uri, "/")}, nil
	}
	return Own()
})

// Own starts a server for this test alone, also if MONGODB_URI is set: for tests that
// kill it.
func Own() (*Server, error) {
	_, here, _, _ := runtime.Caller(0)
	script := filepath.Join(filepath.Dir(here), "..", "..", "..", "scripts", "mongo.sh")
	serve := exec.Command("bash", script, "serve")
	serve.Stderr = os.Stderr
	input, err := serve.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := serve.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := serve.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", script, err)
	}
	s := &Server{
		input: input, ended: make(chan struct{}), processes: map[string]int{}, changed: make(chan struct{}),
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if s.hear(lines.Text()) {
			go func() {
				defer close(s.ended)
				for lines.Scan() {
					s.hear(lines.Text())
				}
				_ = serve.Wait() // its exit status does not matter
			}()
			return s, nil
		}
	}
	return nil, fmt.Errorf("%s ended before its server answered: %w", script, errors.Join(lines.Err(), serve.Wait()))
}

// hear reads a line of the script's output, and tells whether it was the address.
func (s *Server) hear(line string) bool {
	what, value, _ := strings.Cut(line, " ")
	if what == "uri" {
		s.uri = value + "?maxPoolSize=20" // its PostgreSQL accepts no more connections
		return true
	}
	if pid, err := strconv.Atoi(value); err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.processes[what] = pid
		close(s.changed)
		s.changed = make(chan struct{})
	}
	return false
}

// Close ends a server of our own and deletes its data.
func (s *Server) Close() {
	if s.input != nil {
		_ = s.input.Close() // only our end of a pipe
		<-s.ended
	}
}

var databases atomic.Int64

// Database is the address of a database that no other test has.
func (s *Server) Database() string {
	address, options, asked := strings.Cut(s.uri, "?")
	uri := fmt.Sprintf("%s/test_%d_%d", strings.TrimSuffix(address, "/"), os.Getpid(), databases.Add(1))
	if asked {
		uri += "?" + options
	}
	return uri
}

// Kill ends one of the server's processes, "ferretdb" or "postgres", with
// SIGKILL. It returns when the script has started it again, which is before it
// answers.
func (s *Server) Kill(name string) error {
	s.mu.Lock()
	pid, again := s.processes[name], s.changed
	s.mu.Unlock()
	if pid == 0 {
		return fmt.Errorf("there is no process %q to kill", name)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return err
	}
	<-again
	return nil
}
