package consistencytest_test

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// config is the size of a test.
type config struct {
	seed    uint64
	clients int
	ops     int
	round   int // ops between two comparisons
	hosts   int // Node processes
	workers int // ops at once
}

// configFromEnv reads TRUTH_SEED, TRUTH_CLIENTS, TRUTH_OPS and TRUTH_ROUND. A seed determines
// all actions and faults, but not the order of concurrent events.
func configFromEnv(t *testing.T, c config) config {
	t.Helper()
	c.seed = uint64(intFromEnv(t, "TRUTH_SEED", int(time.Now().UnixNano()%1_000_000)+1))
	c.clients, c.ops, c.round = intFromEnv(t, "TRUTH_CLIENTS", c.clients), intFromEnv(t, "TRUTH_OPS", c.ops), intFromEnv(t, "TRUTH_ROUND", c.round)
	c.hosts = 1 + c.clients/80
	c.workers = 4 + c.clients/8
	t.Logf("TRUTH_SEED=%d TRUTH_CLIENTS=%d TRUTH_OPS=%d TRUTH_ROUND=%d", c.seed, c.clients, c.ops, c.round)
	return c
}

// intFromEnv reads a positive number from an environment variable.
func intFromEnv(t *testing.T, name string, fallback int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return fallback
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, want a positive number", name, text)
	}
	return n
}
