//go:build unix

package redistest

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

// slots is the number of hash slots of a Redis cluster.
const slots = 16384

// Cluster is a Redis cluster of masters without replicas, which share the slots evenly.
type Cluster struct {
	// URL is a value of REDIS_URL.
	URL     string
	Servers []*Server
}

// StartCluster runs a cluster of n servers until the test ends.
func StartCluster(tb testing.TB, n int) *Cluster {
	tb.Helper()
	c := &Cluster{}
	for i := range n {
		s := Start(tb, "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-node-timeout", "2000")
		s.Do(tb, "CLUSTER", "ADDSLOTSRANGE", i*slots/n, (i+1)*slots/n-1)
		s.Do(tb, "CLUSTER", "SET-CONFIG-EPOCH", i+1)
		if i > 0 {
			host, port, _ := net.SplitHostPort(c.Servers[0].address)
			s.Do(tb, "CLUSTER", "MEET", host, port)
		}
		c.Servers = append(c.Servers, s)
	}
	c.URL = c.Servers[0].URL
	for i, s := range c.Servers[1:] {
		c.URL += map[bool]string{true: "?", false: "&"}[i == 0] + "addr=" + s.address
	}
	for _, s := range c.Servers {
		s.awaitCluster(tb, n)
	}
	return c
}

// Clear deletes all data and scripts, as a restart without files does.
func (c *Cluster) Clear(tb testing.TB) {
	tb.Helper()
	for _, s := range c.Servers {
		s.Do(tb, "FLUSHALL")
		s.Do(tb, "SCRIPT", "FLUSH")
	}
}

// awaitCluster waits until the server knows all n servers of the cluster.
func (s *Server) awaitCluster(tb testing.TB, n int) {
	tb.Helper()
	ticker, deadline := time.NewTicker(20*time.Millisecond), time.NewTimer(patience)
	defer ticker.Stop()
	defer deadline.Stop()
	for {
		info := fmt.Sprint(s.Do(tb, "CLUSTER", "INFO"))
		if strings.Contains(info, "cluster_state:ok") && strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d", n)) {
			return
		}
		select {
		case <-ticker.C:
		case <-deadline.C:
			tb.Fatal("the cluster is not ready: " + info)
		}
	}
}
