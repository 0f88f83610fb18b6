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

// configFromEnv reads CONSISTENCY_SEED, CONSISTENCY_CLIENTS, CONSISTENCY_OPS and CONSISTENCY_ROUND. A seed determines
// all actions and faults, but not the order of concurrent events.
func configFromEnv(t *testing.T, c config) config {
	t.Helper()
	c.seed = uint64(intFromEnv(t, "CONSISTENCY_SEED", int(time.Now().UnixNano()%1_000_000)+1))
	c.clients, c.ops, c.round = intFromEnv(t, "CONSISTENCY_CLIENTS", c.clients), intFromEnv(t, "CONSISTENCY_OPS", c.ops), intFromEnv(t, "CONSISTENCY_ROUND", c.round)
	c.hosts = 1 + c.clients/80
	c.workers = 4 + c.clients/8
	t.Logf("CONSISTENCY_SEED=%d CONSISTENCY_CLIENTS=%d CONSISTENCY_OPS=%d CONSISTENCY_ROUND=%d", c.seed, c.clients, c.ops, c.round)
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
