package consistencytest_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// clientFolder is the path of the client, relative to this package.
const clientFolder = "../../../client"

// bundle builds the real client for Node and returns its folder.
func bundle(t *testing.T) string {
	t.Helper()
	out := t.TempDir()
	for _, part := range []string{"page", "host"} {
		build := exec.CommandContext(t.Context(), "node_modules/.bin/vite", "build", "--config", "headless/vite.config.ts", "--outDir", out)
		build.Dir = clientFolder
		build.Env = append(os.Environ(), "HEADLESS_PART="+part)
		if said, err := build.CombinedOutput(); err != nil {
			t.Fatalf("the client for Node cannot be built: %v\n%s", err, said)
		}
	}
	return out
}

// host is a Node process that runs instances of the real client.
type host struct {
	t        *testing.T
	input    io.WriteCloser
	onNotice func(notice)

	mu      sync.Mutex
	lastID  int
	waiting map[int]chan []byte
}

// notice is a message that a host sends without a request.
type notice struct {
	Event, Reason string
	Client        int
}

// startHost runs a host until the test ends. onNotice receives its notices.
func startHost(t *testing.T, folder string, onNotice func(notice)) *host {
	t.Helper()
	node := exec.Command("node", filepath.Join(folder, "host.mjs"), filepath.Join(folder, "page.cjs"))
	node.Stderr = os.Stderr
	input, err := node.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	h := &host{t: t, input: input, onNotice: onNotice, waiting: map[int]chan []byte{}}
	read := make(chan struct{})
	go func() {
		defer close(read)
		h.readOutput(output)
	}()
	t.Cleanup(func() {
		_ = input.Close() // the host exits at the end of its input
		<-read
		_ = node.Wait()
	})
	return h
}

func (h *host) readOutput(output io.Reader) {
	lines := bufio.NewReader(output)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var head struct {
			ID int
			notice
		}
		if json.Unmarshal(line, &head) != nil {
			continue // printed by a library
		}
		if head.Event != "" {
			h.onNotice(head.notice)
			continue
		}
		h.mu.Lock()
		answer := h.waiting[head.ID]
		delete(h.waiting, head.ID)
		h.mu.Unlock()
		if answer != nil {
			answer <- line
		}
	}
}

// command is a request to a host.
type command struct {
	ID             int               `json:"id"`
	Command        string            `json:"command"`
	Client         int               `json:"client"`
	URL            string            `json:"url,omitempty"`
	Name           string            `json:"name,omitempty"`
	Random         []float64         `json:"random,omitempty"`
	Args           map[string]string `json:"args,omitempty"`
	KeepConnection bool              `json:"keepConnection,omitempty"`
}

// hostTimeout is the maximum duration of a request to a host.
const hostTimeout = 2 * time.Minute

var errNoAnswer = errors.New("the host does not answer")

// call sends a command and reads the response.
func (h *host) call(c command, into any) error {
	answer := make(chan []byte, 1)
	h.mu.Lock()
	h.lastID++
	c.ID = h.lastID
	h.waiting[c.ID] = answer
	text, err := json.Marshal(c)
	if err == nil {
		_, err = h.input.Write(append(text, '\n'))
	}
	h.mu.Unlock()
	if err != nil {
		return err
	}
	timeout := time.NewTimer(hostTimeout)
	defer timeout.Stop()
	select {
	case <-timeout.C:
		return fmt.Errorf("%s for client %d: %w", c.Command, c.Client, errNoAnswer)
	case line := <-answer:
		var result struct{ Error string }
		if err := json.Unmarshal(line, &result); err != nil {
			return err
		}
		if result.Error != "" {
			return fmt.Errorf("%s for client %d: %s", c.Command, c.Client, result.Error)
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(line, into)
	}
}
