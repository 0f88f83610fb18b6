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

// connections is how many callers there are, each with a connection that stays.
const connections = 32

// A call is the bytes of one request, made by chance, and the status that it is
// to be answered with.
type call struct {
	make   func(*rand.Rand) []byte
	status int
}

// figures is what one kind of call cost.
type figures struct {
	Rate  float64 `json:"rate"`  // a second
	CPU   float64 `json:"cpu"`   // seconds of the server's processor per 100,000
	P50   float64 `json:"p50"`   // ms
	P99   float64 `json:"p99"`   // ms
	Bytes float64 `json:"bytes"` // of a body
}

// ask has all connections make calls for a time, after a third of it to warm up.
func ask(p peer, c *call, took time.Duration) (figures, error) {
	if _, err := flood(p, c, took/3); err != nil {
		return figures{}, err
	}
	cpu, err := p.process.CPU()
	if err != nil {
		return figures{}, err
	}
	began := time.Now()
	times, err := flood(p, c, took)
	if err != nil {
		return figures{}, err
	}
	seconds := time.Since(began).Seconds()
	after, err := p.process.CPU()
	n := float64(len(times.all))
	slices.Sort(times.all)
	return figures{
		Rate: n / seconds, CPU: (after - cpu).Seconds() * 1e5 / n, Bytes: float64(times.bytes) / n,
		P50: ms(times.all[len(times.all)/2]), P99: ms(times.all[len(times.all)*99/100]),
	}, err
}

type answered struct {
	all   []time.Duration
	bytes int64
}

func flood(p peer, c *call, took time.Duration) (answered, error) {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		sum  answered
		errs []error
	)
	end := time.Now().Add(took)
	for i := range connections {
		wg.Go(func() {
			one, err := askOn(p.process, c, rand.New(rand.NewPCG(uint64(i), uint64(took))), end)
			mu.Lock()
			defer mu.Unlock()
			sum.all = append(sum.all, one.all...)
			sum.bytes += one.bytes
			errs = append(errs, err)
		})
	}
	wg.Wait()
	if len(sum.all) == 0 {
		errs = append(errs, errors.New("nothing was answered"))
	}
	return sum, errors.Join(errs...)
}

func askOn(p *process.Process, c *call, chance *rand.Rand, end time.Time) (answered, error) {
	conn, err := dial(p.Addr)
	if err != nil {
		return answered{}, err
	}
	defer conn.close()
	var sum answered
	for began := time.Now(); began.Before(end); {
		status, n, err := conn.do(c.make(chance))
		if err != nil {
			return sum, err
		}
		if status != c.status {
			return sum, fmt.Errorf("answered %d, %d awaited: %.300q", status, c.status, conn.body)
		}
		now := time.Now()
		sum.all = append(sum.all, now.Sub(began))
		sum.bytes += n
		began = now
	}
	return sum, nil
}

// conn is a connection that reads answers at little cost to the generator.
type conn struct {
	net  net.Conn
	r    *bufio.Reader
	body []byte // the beginning of the last answer that failed
}

func dial(addr string) (*conn, error) {
	c, err := net.Dial("tcp4", addr)
	if err != nil {
		return nil, err
	}
	return &conn{net: c, r: bufio.NewReaderSize(c, 128<<10)}, nil
}

func (c *conn) close() { _ = c.net.Close() }

// do sends a request and reads the answer away; it returns its status and the
// length of its body.
func (c *conn) do(request []byte) (status int, length int64, err error) {
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
	left, chunked := int64(0), false
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return status, 0, err
		}
		if len(line) <= 2 {
			break
		}
		if value, ok := header(line, "content-length:"); ok {
			if left, err = strconv.ParseInt(string(value), 10, 64); err != nil {
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
	return status, left, c.skip(status, left)
}

// skip reads a body, or a part of one, away.
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

// header returns a header line's value, if it is this header's; the name is in
// small letters.
func header(line []byte, name string) ([]byte, bool) {
	if len(line) < len(name) || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return nil, false
	}
	return bytes.TrimSpace(line[len(name):]), true
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
