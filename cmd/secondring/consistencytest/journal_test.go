package consistencytest_test

import (
	"bufio"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"
)

// journal is a file of all that was done, which stays where the test fails.
type journal struct {
	mu   sync.Mutex
	file *os.File
	text *bufio.Writer
}

func newJournal(t *testing.T) *journal {
	t.Helper()
	file, err := os.CreateTemp("", "truth-*.log") //nolint:usetesting // it outlives the test that fails
	if err != nil {
		t.Fatal(err)
	}
	j := &journal{file: file, text: bufio.NewWriter(file)}
	t.Cleanup(func() {
		j.keep()
		_ = file.Close()
		if !t.Failed() {
			_ = os.Remove(file.Name())
		}
	})
	return j
}

func (j *journal) write(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, _ = fmt.Fprintf(j.text, time.Now().Format("04:05.000 ")+format+"\n", args...)
}

// keep writes down what is still in memory, and returns where.
func (j *journal) keep() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	_ = j.text.Flush()
	return j.file.Name()
}
