// Command fanout measures how the hubs of SecondRing and of other products send events to
// many sockets, one after another. Each runs on one processor, and this generator on the
// other. It prints a Markdown table and writes JSON.
//
//	fanout -hubd bin/hubd -peers rawtcp,hubd,plain -sockets 10000 -rounds 3
//
// bench/fanout.sh runs it, and builds and installs the peers before.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"secondring/bench/process"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fanout: "+err.Error())
		os.Exit(1)
	}
}

type options struct {
	bin    string
	hubd   string
	redis  string
	peers  []string
	rounds int
	plan   plan
	out    string
	name   string
}

func parseFlags() options {
	var o options
	flag.StringVar(&o.bin, "bin", "bin/peers", "folder of the built peers")
	flag.StringVar(&o.hubd, "hubd", "bin/hubd", "binary of SecondRing's hub")
	peers := flag.String("peers", "rawtcp,hubd,plain,centrifuge,socketio", "peers to measure, in this order; hubd2 is two nodes over Redis")
	flag.StringVar(&o.redis, "redis", "", "REDIS_URL of hubd2")
	flag.IntVar(&o.rounds, "rounds", 1, "number of measurements of each peer; the table has their medians")
	flag.IntVar(&o.plan.sockets, "sockets", 10_000, "number of sockets")
	flag.IntVar(&o.plan.rate, "rate", 40_000, "deliveries a second in the steady part")
	flag.DurationVar(&o.plan.idle, "idle", 3*time.Second, "time before the memory is measured")
	flag.DurationVar(&o.plan.steady, "steady", 5*time.Second, "time of the steady part; 0 omits it")
	flag.DurationVar(&o.plan.saturated, "saturated", 5*time.Second, "time of the saturated part; 0 omits it")
	flag.StringVar(&o.out, "out", "", "folder for the JSON file")
	flag.StringVar(&o.name, "name", "fanout", "beginning of the name of the JSON file")
	flag.Parse()
	o.peers = strings.Split(*peers, ",")
	return o
}

func run() error {
	o := parseFlags()
	if err := process.PinGenerator(); err != nil {
		return err
	}
	if err := process.RaiseFileLimit(); err != nil {
		return err
	}
	medians, err := process.Rounds(o.rounds, o.peers, o.measure, median)
	if err != nil {
		return err
	}
	fmt.Print(table(medians))
	return process.Save(o.out, o.name+"-"+strconv.Itoa(o.plan.sockets)+".json", medians)
}

// measure starts a peer and measures it according to the plan.
func (o options) measure(name string) (result, error) {
	commands := [][]string{{filepath.Join(o.bin, name)}}
	var env []string
	switch name {
	case "hubd", "hubd-open":
		commands = [][]string{{o.hubd}}
	case "hubd2":
		commands = [][]string{{o.hubd}, {o.hubd}}
		env = []string{"REDIS_URL=" + o.redis}
	case "socketio":
		commands = [][]string{{"node", "bench/peers/socketio/server.js"}}
	}
	var servers []*process.Process
	defer func() {
		for _, s := range servers {
			_ = s.Stop()
		}
	}()
	for _, c := range commands {
		s, err := process.Start(c, env...)
		if err != nil {
			return result{}, err
		}
		servers = append(servers, s)
	}
	return measure(name, servers, o.plan)
}
