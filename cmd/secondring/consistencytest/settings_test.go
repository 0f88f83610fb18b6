package consistencytest_test

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// plan is the number of windows, actions and rounds.
type plan struct {
	seed    uint64
	clients int
	ops     int
	round   int // ops between two quiet points
	hosts   int // Node processes
	workers int // things done at once
}

// planned reads TRUTH_SEED, TRUTH_CLIENTS, TRUTH_OPS and TRUTH_ROUND. A seed determines
// all actions and faults, but not the order of concurrent events.
func planned(t *testing.T, p plan) plan {
	t.Helper()
	p.seed = uint64(number(t, "TRUTH_SEED", int(time.Now().UnixNano()%1_000_000)+1))
	p.clients, p.ops, p.round = number(t, "TRUTH_CLIENTS", p.clients), number(t, "TRUTH_OPS", p.ops), number(t, "TRUTH_ROUND", p.round)
	p.hosts = 1 + p.clients/80
	p.workers = 4 + p.clients/8
	t.Logf("TRUTH_SEED=%d TRUTH_CLIENTS=%d TRUTH_OPS=%d TRUTH_ROUND=%d", p.seed, p.clients, p.ops, p.round)
	return p
}

// number reads a positive number from an environment variable.
func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, want a number", name, text)
	}
	return n
}
