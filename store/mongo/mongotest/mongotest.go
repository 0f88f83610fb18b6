//go:build unix

// Package mongotest provides a server with MongoDB's protocol for tests. It is the server of
// MONGODB_URI if that is set. Otherwise scripts/mongo.sh starts one with an empty database,
// which ends with the test process.
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

// Server is a running server.
type Server struct {
	uri   string
	input io.Closer     // the server ends when this is closed
	ended chan struct{} // closed when the server has ended

	mu        sync.Mutex
	processes map[string]int // by name, as the script starts them
	changed   chan struct{}  // closed and replaced when a process starts
}

// Start returns the server of this test process. The first call starts it.
var Start = sync.OnceValues(func() (*Server, error) {
	if uri := os.Getenv("MONGODB_URI"); uri != "" {
		return &Server{uri: strings.TrimSuffix(uri, "/")}, nil
	}
	return Own()
})

// Own starts a server that no other test uses, even if MONGODB_URI is set. It is for tests
// that kill the server.
func Own() (*Server, error) {
	_, file, _, _ := runtime.Caller(0)
	script := filepath.Join(filepath.Dir(file), "..", "..", "..", "scripts", "mongo.sh")
	cmd := exec.Command("bash", script, "serve")
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", script, err)
	}
	s := &Server{
		input: input, ended: make(chan struct{}), processes: map[string]int{}, changed: make(chan struct{}),
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if s.readLine(lines.Text()) {
			go func() {
				defer close(s.ended)
				for lines.Scan() {
					s.readLine(lines.Text())
				}
				_ = cmd.Wait() // its exit status does not matter
			}()
			return s, nil
		}
	}
	return nil, fmt.Errorf("%s ended before its server answered: %w", script, errors.Join(lines.Err(), cmd.Wait()))
}

// readLine parses a line of the script's output, and tells whether it was the address.
func (s *Server) readLine(line string) bool {
	name, value, _ := strings.Cut(line, " ")
	if name == "uri" {
		s.uri = value + "?maxPoolSize=20" // its PostgreSQL accepts no more connections
		return true
	}
	if pid, err := strconv.Atoi(value); err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.processes[name] = pid
		close(s.changed)
		s.changed = make(chan struct{})
	}
	return false
}

// Close ends a server that Start or Own has started, and deletes its data.
func (s *Server) Close() {
	if s.input != nil {
		_ = s.input.Close() // this closes only our end of the pipe
		<-s.ended
	}
}

var databases atomic.Int64

// Database returns the URI of a database that no other test uses, with these options.
func (s *Server) Database(options ...string) string {
	address, own, hasOptions := strings.Cut(s.uri, "?")
	uri := fmt.Sprintf("%s/test_%d_%d", strings.TrimSuffix(address, "/"), os.Getpid(), databases.Add(1))
	if hasOptions {
		options = append(options, own)
	}
	if len(options) > 0 {
		uri += "?" + strings.Join(options, "&")
	}
	return uri
}

// Kill sends SIGKILL to one of the server's processes, "ferretdb" or "postgres". It returns
// when the script has started the process again, which may not accept connections yet.
func (s *Server) Kill(name string) error {
	s.mu.Lock()
	pid, restarted := s.processes[name], s.changed
	s.mu.Unlock()
	if pid == 0 {
		return fmt.Errorf("there is no process %q to kill", name)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return err
	}
	<-restarted
	return nil
}
