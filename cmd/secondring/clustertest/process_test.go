package clustertest_test

import (
	"testing"

	"secondring/cmd/secondring/nodetest"
)

// process is a node in its own process, which receives real signals.
type process = nodetest.Process

// startProcess starts a node of the cluster and waits until it is ready.
func (c *cluster) startProcess(t *testing.T) *process {
	t.Helper()
	return nodetest.Start(t, c.env)
}
