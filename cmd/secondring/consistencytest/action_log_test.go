package consistencytest_test

import (
	"bufio"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"
)

// actionLog is a file with all actions and faults of a test. It is deleted if the test passes.
type actionLog struct {
	mu   sync.Mutex
	file *os.File
	text *bufio.Writer
}

func newActionLog(t *testing.T) *actionLog {
	t.Helper()
	file, err := os.CreateTemp("", "consistency-*.log") //nolint:usetesting // it outlives the test that fails
	if err != nil {
		t.Fatal(err)
	}
	l := &actionLog{file: file, text: bufio.NewWriter(file)}
	t.Cleanup(func() {
		l.flush()
		_ = file.Close()
		if !t.Failed() {
			_ = os.Remove(file.Name())
		}
	})
	return l
}

func (l *actionLog) write(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = fmt.Fprintf(l.text, time.Now().Format("04:05.000 ")+format+"\n", args...)
}

// flush writes the buffered lines to the file and returns its name.
func (l *actionLog) flush() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.text.Flush()
	return l.file.Name()
}
