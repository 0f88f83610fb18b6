package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"secondring/cmd/secondring/nodetest"
)

// demoRun is a running command demo.
type demoRun struct {
	t      *testing.T
	URL    string // as it is printed
	Logins string // the line of the admin
	stop   context.CancelFunc
	ended  chan error
}

// startDemo runs the command with an environment that every setting would make fail.
func startDemo(t *testing.T) *demoRun {
	t.Helper()
	for name, value := range map[string]string{
		"MONGODB_URI": "mongodb://127.0.0.1:1", "REDIS_URL": "nothing", "PUBLIC_URL": "https://phones.example.com",
		"STRIPE_SECRET_KEY": "sk_live_1", "DEMO": "no", "RATE_LIMIT": "many",
	} {
		t.Setenv(name, value)
	}
	ctx, stop := context.WithCancel(t.Context())
	out, printed := io.Pipe()
	d := &demoRun{t: t, stop: stop, ended: make(chan error, 1)}
	go func() {
		err := run(ctx, []string{"demo"}, strings.NewReader(""), printed)
		_ = printed.CloseWithError(err)
		d.ended <- err
	}()
	t.Cleanup(stop)
	lines := bufio.NewScanner(out)
	for d.Logins == "" && lines.Scan() {
		if url := regexp.MustCompile(`http://localhost:\d+`).FindString(lines.Text()); url != "" {
			d.URL = url
		}
		if strings.Contains(lines.Text(), "admin@example.com") {
			d.Logins = lines.Text()
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	if d.URL == "" || !strings.Contains(d.Logins, "admin-demo") {
		t.Fatalf("the demo printed the address %q and the logins %q: %v", d.URL, d.Logins, lines.Err())
	}
	return d
}

// wantServed fails the test unless the demo serves its market.
func (d *demoRun) wantServed() {
	d.t.Helper()
	request, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, d.URL+"/categories", http.NoBody)
	if err != nil {
		d.t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		d.t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK || !strings.Contains(string(body), "Samsung") {
		d.t.Errorf("the demo answers %d: %.200s, %v", r.StatusCode, body, err)
	}
}

func (d *demoRun) end() {
	d.t.Helper()
	d.stop()
	if err := <-d.ended; err != nil {
		d.t.Error(err)
	}
}

func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestDemoUsesAFreePortAndLeavesNothing(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("ADDR", "")
	t.Setenv("DATA_DIR", "")
	// Another process may have it.
	if taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:8080"); err == nil {
		defer taken.Close()
	}
	d := startDemo(t)
	if strings.HasSuffix(d.URL, ":8080") {
		t.Errorf("the demo is at %s, which is taken", d.URL)
	}
	d.wantServed()
	if len(filesIn(t, temp)) == 0 {
		t.Error("the demo keeps its data elsewhere")
	}
	d.end()
	if files := filesIn(t, temp); len(files) != 0 {
		t.Errorf("the demo leaves %v", files)
	}
}

func TestDemoKeepsItsDataInDataDir(t *testing.T) {
	addr, dir := nodetest.FreeAddress(t), t.TempDir()
	t.Setenv("ADDR", addr)
	t.Setenv("DATA_DIR", dir)
	for range 2 {
		d := startDemo(t)
		if _, port, err := net.SplitHostPort(addr); err != nil || !strings.HasSuffix(d.URL, ":"+port) {
			t.Errorf("the demo is at %s, want the port of %s", d.URL, addr)
		}
		d.wantServed()
		d.end()
		if _, err := os.Stat(filepath.Join(dir, "secondring.db")); err != nil {
			t.Errorf("the demo left %v: %v", filesIn(t, dir), err)
		}
	}
}
