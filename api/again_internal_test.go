package api

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const known = "GET /known HTTP/1.1\r\nHost: x\r\n\r\n"

// Where a call begins, told by what was read and what handlers were told.
func TestWhereACallBegins(t *testing.T) {
	const post = "POST / HTTP/1.1\r\nContent-Length: 32\r\n\r\n"
	type step struct {
		read  string // "" where nothing is read before
		ahead byte   // read while the handler ran
		body  int64  // what the handler is told; less than -1 where none runs
	}
	none := int64(-2)
	for name, c := range map[string]struct {
		steps []step
		want  bool
	}{
		"at first":                       {nil, true},
		"behind a call":                  {[]step{{read: known}}, true},
		"behind two":                     {[]step{{read: known}, {read: known}}, true},
		"behind a line feed alone":       {[]step{{read: "GET / HTTP/1.1\nHost: x\n\n"}}, true},
		"behind a body":                  {[]step{{read: post, body: 32}, {read: known, body: none}}, true},
		"behind a body in one piece":     {[]step{{read: post + known, body: 32}}, true},
		"before a body":                  {[]step{{read: post, body: 32}}, false},
		"in a body":                      {[]step{{read: post, body: 32}, {read: known[:9], body: none}}, false},
		"in a body of unknown length":    {[]step{{read: post, body: -1}}, false},
		"before its handler runs":        {[]step{{read: known, body: none}}, false},
		"behind what no handler saw":     {[]step{{read: known, body: none}, {read: known}}, false},
		"behind two in one piece":        {[]step{{read: known + known}, {read: "", body: 0}}, false},
		"behind one and a half":          {[]step{{read: known + known[:9]}}, false},
		"in a head":                      {[]step{{read: known[:20], body: none}}, false},
		"behind a head in pieces":        {[]step{{read: known[:20], body: none}, {read: known[20:]}}, false},
		"behind empty lines":             {[]step{{read: "\r\n\r\n" + known, body: int64(len(known))}}, false},
		"behind an empty line ahead":     {[]step{{read: known, ahead: '\n'}, {read: "\n" + known, body: int64(len(known))}}, false},
		"with its first byte read ahead": {[]step{{read: known, ahead: 'G'}}, false},
		"behind one that was read ahead": {[]step{{read: known, ahead: 'G'}, {read: known[1:]}}, true},
		"with a byte ahead in a body":    {[]step{{read: post, ahead: 'G', body: 32}, {read: known[1:], body: none}}, false},
	} {
		var s stream
		for _, step := range c.steps {
			if step.read != "" {
				s.begins()
				s.reads([]byte(step.read))
			}
			if step.body != none {
				s.handled(step.body)
			}
			if step.ahead != 0 {
				s.ahead.Store(int32(step.ahead) + 1)
			}
		}
		if got := s.begins(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// echo is a server that says what it was asked, by itself where the same was
// asked before.
func echo(t *testing.T) (addr string, repeated *atomic.Int64, running chan string) {
	t.Helper()
	repeated, running = new(atomic.Int64), make(chan string, 10_000)
	a := &api{heads: newHeads()}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		on, _ := r.Context().Value(connKey{}).(*conn)
		on.stream.handled(r.ContentLength)
		running <- r.URL.Path
		if r.URL.Path != "/careless" {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			defer func() { fmt.Fprintf(w, "%s %s %s", r.Method, r.RequestURI, body) }()
		}
		if r.Method == http.MethodGet {
			a.learn(on, r, asked{uri: "GET " + r.RequestURI + " "})
		}
		on.again = func(on *conn, head []byte) bool {
			q := a.heads.find(head)
			if q != nil {
				repeated.Add(1)
				on.tell([]byte(q.uri), time.Now(), func(to []byte) []byte {
					return fmt.Appendf(to, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", len(q.uri))
				})
			}
			return q != nil
		}
	}))
	server.Listener = Listen(server.Listener, server.Config, 0)
	server.Start()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), repeated, running
}

// calls are what is sent, with what is to be answered.
var calls = []struct{ sent, want string }{
	{known, "GET /known "},
	{known, "GET /known "},
	{known, "GET /known "},
	{"GET /other HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n", "GET /other "},
	{"GET /bare HTTP/1.1\nHost: x\n\n", "GET /bare "},
	{"GET /body HTTP/1.1\r\nHost: x\r\nContent-Length: 32\r\n\r\n" + known, "GET /body " + known},
	{"POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 64\r\n\r\n" + known + known, "POST /body " + known + known},
	{"POST /chunks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n" + known + "\r\n0\r\n\r\n", "POST /chunks " + known},
	{"POST /lines HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n\r\n", "POST /lines "},
	{"POST /careless HTTP/1.1\r\nHost: x\r\nContent-Length: 32\r\n\r\n" + known, ""},
}

// However calls are cut into pieces, and whatever their bodies look like, each
// is answered once, in order.
func TestCallsAreToldApart(t *testing.T) {
	addr, repeated, _ := echo(t)
	for seed := range uint64(200) {
		chance := rand.New(rand.NewPCG(seed, 11))
		far, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer far.Close()
		_ = far.SetDeadline(time.Now().Add(10 * time.Second))
		answers, tidy := bufio.NewReader(far), seed%2 == 0 // one call after the other, each in one piece
		for range 8 {
			var sent strings.Builder
			var want []string
			for i := 0; i == 0 || i < 2 && !tidy && chance.IntN(2) == 0; i++ {
				c := calls[chance.IntN(len(calls)-chance.IntN(7))]
				sent.WriteString(c.sent)
				want = append(want, c.want)
			}
			for rest := sent.String(); rest != ""; {
				n := len(rest)
				if !tidy && chance.IntN(3) == 0 {
					n = 1 + chance.IntN(len(rest))
				}
				if head := strings.Index(rest, "\r\n\r\n"); head >= 0 && chance.IntN(2) == 0 {
					n = head + 4
				}
				if _, err := io.WriteString(far, rest[:n]); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			for _, want := range want {
				answer, err := http.ReadResponse(answers, nil)
				if err != nil {
					t.Fatalf("seed %d, %q: %v", seed, sent.String(), err)
				}
				got, err := io.ReadAll(answer.Body)
				_ = answer.Body.Close()
				if err != nil || string(got) != want {
					t.Fatalf("seed %d, %q: %q, want %q (%v)", seed, sent.String(), got, want, err)
				}
			}
		}
	}
	if repeated.Load() < 100 {
		t.Errorf("only %d calls were known again", repeated.Load())
	}
}

// A body that looks like a known call, and comes when its handler waits for it,
// is a body.
func TestABodyIsNoCall(t *testing.T) {
	addr, repeated, running := echo(t)
	far, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	_ = far.SetDeadline(time.Now().Add(10 * time.Second))
	answers := bufio.NewReader(far)
	answered := func(want string) {
		t.Helper()
		answer, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if got, err := io.ReadAll(answer.Body); err != nil || string(got) != want {
			t.Errorf("%q, %v", got, err)
		}
	}
	for n := 0; repeated.Load() < 2; n++ { // not each time: net/http may have read a byte of a call before
		if n > 100 {
			t.Fatal("the call is not known again")
		}
		_, _ = io.WriteString(far, known)
		answered("GET /known ")
		_, _ = io.WriteString(far, "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 32\r\n\r\n")
		for path := ""; path != "/body"; path = <-running {
		}
		_, _ = io.WriteString(far, known)
		answered("POST /body " + known)
	}
}

// Who closes a connection that answers by itself does not cut its answer off,
// and can wait for it.
func TestAnAnswerIsNotCutOff(t *testing.T) {
	near, far := pair(t)
	if !near.answers() {
		t.Fatal("it does not answer")
	}
	if err := near.Close(); err != nil {
		t.Fatal(err)
	}
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if near.of.Finish(soon) == nil {
		t.Error("nobody waits for it")
	}
	near.tell([]byte("answer"), time.Now(), func(to []byte) []byte { return to })
	near.answered()
	if got, err := io.ReadAll(far); err != nil || string(got) != "answer" {
		t.Errorf("%q, %v", got, err)
	}
	if err := near.of.Finish(t.Context()); err != nil || near.answers() {
		t.Error("it goes on", err)
	}
}

// An answer of the connection's own has the times that net/http gives to one.
func TestTimesOfItsOwn(t *testing.T) {
	near, _ := pair(t)
	near.of.server.IdleTimeout, near.of.server.WriteTimeout = time.Hour, time.Minute
	_ = near.SetWriteDeadline(time.Unix(1, 0)) // of a call before
	now := time.Now()
	near.tell([]byte("answer"), now, func(to []byte) []byte { return to })
	if !near.write.wanted.Equal(now.Add(time.Minute)) || !near.read.wanted.Equal(now.Add(time.Hour)) {
		t.Errorf("writes until %v, reads until %v", near.write.wanted, near.read.wanted)
	}
}

// The heads that are remembered are bounded, and the recent ones among them.
func TestHeadsAreBounded(t *testing.T) {
	h := newHeads()
	first := &asked{uri: "first"}
	h.keep([]byte("first"), first)
	for i := range 50_000 {
		h.keep(fmt.Appendf(nil, "%s %d", strings.Repeat("x", 300), i), &asked{})
		if i%500 == 0 && h.find([]byte("first")) != first {
			t.Fatalf("what is asked for again and again is forgotten after %d others", i)
		}
	}
	if n := len(h.young) + len(h.old); n > 2*headBytes/600 {
		t.Errorf("%d heads are remembered", n)
	}
	if h.keep(make([]byte, longestHead+1), first); h.find(make([]byte, longestHead+1)) != nil {
		t.Error("a long one is")
	}
}
