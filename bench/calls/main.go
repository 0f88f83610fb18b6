// Command calls measures the cost of API calls of SecondRing and other products, one after
// another. Each runs on one processor, and this generator on the other. The market has
// 10,000 phones, and the generator uses 32 open connections. It prints a Markdown table and
// writes JSON.
//
//	calls -server bin/secondring -peers secondring,rawhttp,fastify -rounds 3
//
// bench/calls.sh runs it, and builds and installs the peers before.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"secondring/bench/process"
)

type options struct {
	server   string
	bin      string
	node     string
	peers    []string
	only     string
	rounds   int
	duration time.Duration
	out      string
}

func main() {
	var o options
	flag.StringVar(&o.server, "server", "bin/secondring", "binary of SecondRing")
	flag.StringVar(&o.bin, "bin", "bin/peers", "folder of the built peers")
	flag.StringVar(&o.node, "node", "bench/peers/node", "folder of the peers for Node")
	peers := flag.String("peers", "secondring,rawhttp,fastify,express,pocketbase", "peers to measure, in this order; secondring=FILE measures another binary of SecondRing")
	flag.StringVar(&o.only, "only", "", "measure only these kinds of calls, separated by commas: R1, R2, R3, R4, 304, W1, W3, race")
	flag.IntVar(&o.rounds, "rounds", 1, "number of measurements of each peer; the table has their medians")
	flag.DurationVar(&o.duration, "time", 3*time.Second, "time for each kind of call")
	flag.StringVar(&o.out, "out", "", "folder for the JSON file")
	flag.Parse()
	o.peers = strings.Split(*peers, ",")
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "calls: "+err.Error())
		os.Exit(1)
	}
}

func (o options) run() error {
	if err := process.PinGenerator(); err != nil {
		return err
	}
	if err := process.RaiseFileLimit(); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "secondring-calls-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	d := &dataset{folder: filepath.Join(folder, "market"), binary: o.server}
	if err := d.build(); err != nil {
		return fmt.Errorf("fill the market: %w", err)
	}
	medians, err := process.Rounds(o.rounds, o.peers, func(name string) (result, error) {
		data, err := os.MkdirTemp(folder, "peer-")
		if err != nil {
			return result{}, err
		}
		return o.measure(name, d, data)
	}, median)
	if err != nil {
		return err
	}
	fmt.Print(table(medians))
	return process.Save(o.out, "calls.json", medians)
}

// wants returns whether a kind of call must be measured.
func (o options) wants(kind string) bool {
	return o.only == "" || slices.Contains(strings.Split(o.only, ","), kind)
}

// open starts a peer. build is another binary of SecondRing; "" is the usual one.
func (o options) open(name, build string, d *dataset, data string) (peer, error) {
	switch name {
	case "secondring":
		return d.open(cmp.Or(build, o.server), data)
	case "rawhttp":
		return openRawHTTP(filepath.Join(o.bin, name), d)
	case "pocketbase":
		return openPocketBase(filepath.Join(o.bin, name), data)
	}
	return openNode(filepath.Join(o.node, strings.TrimSuffix(name, "-durable")+".js"), data, strings.HasSuffix(name, "-durable"))
}

// measure starts a peer with its own data and measures all calls that it supports.
func (o options) measure(name string, d *dataset, data string) (result, error) {
	name, build, _ := strings.Cut(name, "=")
	p, err := o.open(name, build, d, data)
	if err != nil {
		return result{}, err
	}
	defer func() { _ = p.process.Stop() }()
	r := result{Peer: name, Start: ms(p.process.Started), Calls: map[string]figures{}}
	for _, kind := range kinds {
		if p.calls[kind] == nil || !o.wants(kind) || (strings.HasSuffix(name, "-durable") && kind != "W1") {
			continue
		}
		if kind == firstWrite {
			if r.Read, err = p.process.MB(); err != nil {
				return r, err
			}
		}
		if r.Calls[kind], err = measureCalls(p, p.calls[kind], o.duration); err != nil {
			return r, fmt.Errorf("%s: %w", kind, err)
		}
	}
	if p.book != nil && o.wants("race") {
		if r.Race, r.Double, err = race(p); err != nil {
			return r, fmt.Errorf("race: %w", err)
		}
	}
	if r.Read == 0 { // the peer has no writes, or they are not measured
		r.Read, err = p.process.MB()
	}
	if err == nil {
		r.RSS, err = p.process.MB()
	}
	return r, err
}
