package main

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"secondring/bench/process"
)

// result has the figures of one run of one peer.
type result struct {
	Peer        string  `json:"peer"`
	Sockets     int     `json:"sockets"`
	RSS         float64 `json:"rssPerSocket"`   // kB of an idle socket
	Connects    float64 `json:"connects"`       // connections a second
	ConnectCPU  float64 `json:"connectCPU"`     // microseconds for each connection
	SteadyCPU   float64 `json:"steadyCPU"`      // seconds per million deliveries
	P50         float64 `json:"p50"`            // ms, steady
	P99         float64 `json:"p99"`            // ms, steady
	Deliveries  float64 `json:"deliveries"`     // deliveries a second, saturated
	CPU         float64 `json:"cpu"`            // seconds per million deliveries, saturated
	Generator   float64 `json:"generator"`      // fraction of its processor that the generator used, saturated
	ServerShare float64 `json:"serverSaturate"` // fraction of its processor that the servers used, saturated
}

// plan has the parts of a run.
type plan struct {
	sockets   int
	idle      time.Duration // before the memory is measured
	steady    time.Duration
	rate      int // deliveries a second in the steady part
	saturated time.Duration
}

const patience = 60 * time.Second

// measure measures one peer, which runs as the given servers, according to the plan.
func measure(name string, servers []*process.Process, p plan) (r result, err error) {
	r = result{Peer: name, Sockets: p.sockets}
	m := &meter{servers: servers}
	var addrs []string
	for _, s := range servers {
		addrs = append(addrs, s.Addr)
	}
	protocol, ok := protocols[name]
	if !ok {
		protocol = protocols["hubd"]
	}
	l, err := newLoop(protocol, addrs)
	if err != nil {
		return r, err
	}
	defer l.close()
	publishAddr := servers[0].Addr
	if protocol.path == "" {
		publishAddr = servers[0].Calls
	}
	err = errors.Join(m.connect(l, p, &r), l.openPublishers(publishAddr))
	if err == nil && p.steady > 0 {
		err = m.steady(l, p, &r)
	}
	if err == nil && p.saturated > 0 {
		err = m.saturated(l, p, &r)
	}
	return r, cmp.Or(err, m.err)
}

// meter reads the counters of the servers, and stores the first error.
type meter struct {
	servers []*process.Process
	err     error
}

func (m *meter) cpu() (sum time.Duration) {
	for _, s := range m.servers {
		d, err := s.CPU()
		m.err = cmp.Or(m.err, err)
		sum += d
	}
	return sum
}

func (m *meter) rss() (sum int64) {
	for _, s := range m.servers {
		n, err := s.RSS()
		m.err = cmp.Or(m.err, err)
		sum += n
	}
	return sum
}

func (m *meter) connect(l *loop, p plan, r *result) error {
	before, cpu := m.rss(), m.cpu()
	start := time.Now()
	if err := l.connect(p.sockets, patience); err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	r.Connects = float64(p.sockets) / time.Since(start).Seconds()
	r.ConnectCPU = float64((m.cpu() - cpu).Microseconds()) / float64(p.sockets)
	for until := time.Now().Add(p.idle); time.Now().Before(until); {
		if err := l.poll(100 * time.Millisecond); err != nil {
			return err
		}
	}
	r.RSS = float64(m.rss()-before) / 1000 / float64(p.sockets)
	return nil
}

func (m *meter) steady(l *loop, p plan, r *result) error {
	interval := time.Second * time.Duration(p.sockets) / time.Duration(p.rate)
	if err := l.steady(time.Second, interval); err != nil { // a warm-up
		return err
	}
	if err := l.drain(patience); err != nil {
		return err
	}
	l.delays.reset()
	cpu, delivered := m.cpu(), l.delivered
	if err := errors.Join(l.steady(p.steady, interval), l.drain(patience)); err != nil {
		return fmt.Errorf("steady: %w", err)
	}
	r.SteadyCPU = (m.cpu() - cpu).Seconds() * 1e6 / float64(l.delivered-delivered)
	r.P50, r.P99 = ms(l.delays.quantile(0.5)), ms(l.delays.quantile(0.99))
	return nil
}

func (m *meter) saturated(l *loop, p plan, r *result) error {
	if err := l.saturate(p.saturated / 4); err != nil {
		return err
	}
	cpu, generator, delivered, start := m.cpu(), process.GeneratorCPU(), l.delivered, time.Now()
	if err := l.saturate(p.saturated); err != nil {
		return fmt.Errorf("saturated: %w", err)
	}
	seconds, n := time.Since(start).Seconds(), float64(l.delivered-delivered)
	used := (m.cpu() - cpu).Seconds()
	r.Deliveries, r.CPU = n/seconds, used*1e6/n
	r.Generator, r.ServerShare = (process.GeneratorCPU()-generator).Seconds()/seconds, used/seconds
	return l.drain(patience)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
