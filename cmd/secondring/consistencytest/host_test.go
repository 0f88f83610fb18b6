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

// host is a Node process that runs windows of the real client.
type host struct {
	t     *testing.T
	input io.WriteCloser
	tell  func(notice)

	mu      sync.Mutex
	last    int
	waiting map[int]chan []byte
}

// notice is a message of a host that is not a response.
type notice struct {
	Event, Why string
	Client     int
}

// startHost runs a host until the test ends; tell receives its notices.
func startHost(t *testing.T, folder string, tell func(notice)) *host {
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
	h := &host{t: t, input: input, tell: tell, waiting: map[int]chan []byte{}}
	read := make(chan struct{})
	go func() {
		defer close(read)
		h.listen(output)
	}()
	t.Cleanup(func() {
		_ = input.Close() // it ends with its input
		<-read
		_ = node.Wait()
	})
	return h
}

func (h *host) listen(output io.Reader) {
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
			continue // a library's word
		}
		if head.Event != "" {
			h.tell(head.notice)
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
	ID     int               `json:"id"`
	Do     string            `json:"do"`
	Client int               `json:"client"`
	URL    string            `json:"url,omitempty"`
	Name   string            `json:"name,omitempty"`
	Dice   []float64         `json:"dice,omitempty"`
	More   map[string]string `json:"more,omitempty"`
	Lasted bool              `json:"lasted,omitempty"`
}

// slow is the maximum duration of a request to the host.
const slow = 2 * time.Minute

var errSilent = errors.New("the host does not answer")

// ask sends a command and reads the response.
func (h *host) ask(c command, into any) error {
	answer := make(chan []byte, 1)
	h.mu.Lock()
	h.last++
	c.ID = h.last
	h.waiting[c.ID] = answer
	text, err := json.Marshal(c)
	if err == nil {
		_, err = h.input.Write(append(text, '\n'))
	}
	h.mu.Unlock()
	if err != nil {
		return err
	}
	late := time.NewTimer(slow)
	defer late.Stop()
	select {
	case <-late.C:
		return fmt.Errorf("%s for client %d: %w", c.Do, c.Client, errSilent)
	case line := <-answer:
		var failure struct{ Failed string }
		if err := json.Unmarshal(line, &failure); err != nil {
			return err
		}
		if failure.Failed != "" {
			return fmt.Errorf("%s for client %d: %s", c.Do, c.Client, failure.Failed)
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(line, into)
	}
}
