package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"secondring/bench/process"
)

// connections is the number of callers. Each has one connection, which stays open.
const connections = 32

// A call returns the bytes of a random request, and has the status of a correct response.
type call struct {
	newRequest func(*rand.Rand) []byte
	status     int
}

// figures are the measurements of one kind of call.
type figures struct {
	Rate  float64 `json:"rate"`  // calls a second
	CPU   float64 `json:"cpu"`   // seconds of the server's processor time per 100,000 calls
	P50   float64 `json:"p50"`   // ms
	P99   float64 `json:"p99"`   // ms
	Bytes float64 `json:"bytes"` // of a response body, on average
}

// measureCalls makes calls on all connections for the duration d, after a warm-up of a third of it.
func measureCalls(p peer, c *call, d time.Duration) (figures, error) {
	if _, err := makeCalls(p, c, d/3); err != nil {
		return figures{}, err
	}
	cpu, err := p.process.CPU()
	if err != nil {
		return figures{}, err
	}
	start := time.Now()
	times, err := makeCalls(p, c, d)
	if err != nil {
		return figures{}, err
	}
	seconds := time.Since(start).Seconds()
	after, err := p.process.CPU()
	n := float64(len(times.durations))
	slices.Sort(times.durations)
	return figures{
		Rate: n / seconds, CPU: (after - cpu).Seconds() * 1e5 / n, Bytes: float64(times.bytes) / n,
		P50: ms(times.durations[len(times.durations)/2]), P99: ms(times.durations[len(times.durations)*99/100]),
	}, err
}

// responses has the durations of calls, and the total size of the response bodies.
type responses struct {
	durations []time.Duration
	bytes     int64
}

// makeCalls makes calls on all connections for the duration d.
func makeCalls(p peer, c *call, d time.Duration) (responses, error) {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		sum  responses
		errs []error
	)
	end := time.Now().Add(d)
	for i := range connections {
		wg.Go(func() {
			part, err := makeCallsOn(p.process, c, rand.New(rand.NewPCG(uint64(i), uint64(d))), end)
			mu.Lock()
			defer mu.Unlock()
			sum.durations = append(sum.durations, part.durations...)
			sum.bytes += part.bytes
			errs = append(errs, err)
		})
	}
	wg.Wait()
	if len(sum.durations) == 0 {
		errs = append(errs, errors.New("no call had a response"))
	}
	return sum, errors.Join(errs...)
}

// makeCallsOn makes one call after another on one connection, until the time end.
func makeCallsOn(p *process.Process, c *call, rng *rand.Rand, end time.Time) (responses, error) {
	conn, err := dial(p.Addr)
	if err != nil {
		return responses{}, err
	}
	defer conn.close()
	var sum responses
	for start := time.Now(); start.Before(end); {
		status, n, err := conn.do(c.newRequest(rng))
		if err != nil {
			return sum, err
		}
		if status != c.status {
			return sum, fmt.Errorf("status %d, want %d: %.300q", status, c.status, conn.body)
		}
		now := time.Now()
		sum.durations = append(sum.durations, now.Sub(start))
		sum.bytes += n
		start = now
	}
	return sum, nil
}

// conn is a connection that reads responses with little processor time of the generator.
type conn struct {
	net  net.Conn
	r    *bufio.Reader
	body []byte // the body of the last response with an error, or a part of it
}

func dial(addr string) (*conn, error) {
	c, err := net.Dial("tcp4", addr)
	if err != nil {
		return nil, err
	}
	return &conn{net: c, r: bufio.NewReaderSize(c, 128<<10)}, nil
}

func (c *conn) close() { _ = c.net.Close() }

// do sends a request, reads the response and discards it. It returns the status and the
// length of the body.
func (c *conn) do(request []byte) (status int, n int64, err error) {
	if _, err := c.net.Write(request); err != nil {
		return 0, 0, err
	}
	line, err := c.r.ReadSlice('\n')
	if err != nil {
		return 0, 0, err
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, err
	}
	length, chunked := int64(0), false
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return status, 0, err
		}
		if len(line) <= 2 {
			break
		}
		if value, ok := header(line, "content-length:"); ok {
			if length, err = strconv.ParseInt(string(value), 10, 64); err != nil {
				return status, 0, err
			}
		}
		if value, ok := header(line, "transfer-encoding:"); ok {
			chunked = bytes.Equal(value, []byte("chunked"))
		}
	}
	if chunked {
		return c.chunks(status)
	}
	return status, length, c.skip(status, length)
}

// skip reads and discards n bytes of a body. It keeps those of an error in c.body.
func (c *conn) skip(status int, n int64) error {
	if status >= 400 {
		c.body = make([]byte, n)
		_, err := io.ReadFull(c.r, c.body)
		return err
	}
	_, err := c.r.Discard(int(n))
	return err
}

func (c *conn) chunks(status int) (int, int64, error) {
	for sum := int64(0); ; {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return status, sum, err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 64)
		if err != nil {
			return status, sum, err
		}
		if err := errors.Join(c.skip(status, n), c.skip(0, 2)); err != nil || n == 0 {
			return status, sum, err
		}
		sum += n
	}
}

// header returns the value of a header line if its name is the given one, which is in lower
// case and ends with a colon.
func header(line []byte, name string) ([]byte, bool) {
	if len(line) < len(name) || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return nil, false
	}
	return bytes.TrimSpace(line[len(name):]), true
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
