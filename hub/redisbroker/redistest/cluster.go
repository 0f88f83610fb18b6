//go:build unix

package redistest

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

// slots of a Redis cluster.
const slots = 16384

// Cluster is a few masters that share the slots evenly, without replicas.
type Cluster struct {
	// URL as REDIS_URL takes it.
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
		s.await(tb, n)
	}
	return c
}

// Forget empties all servers, as a restart without files does.
func (c *Cluster) Forget(tb testing.TB) {
	tb.Helper()
	for _, s := range c.Servers {
		s.Do(tb, "FLUSHALL")
		s.Do(tb, "SCRIPT", "FLUSH")
	}
}

// await waits until the server sees the whole cluster.
func (s *Server) await(tb testing.TB, n int) {
	tb.Helper()
	again, deadline := time.NewTicker(20*time.Millisecond), time.NewTimer(patience)
	defer again.Stop()
	defer deadline.Stop()
	for {
		info := fmt.Sprint(s.Do(tb, "CLUSTER", "INFO"))
		if strings.Contains(info, "cluster_state:ok") && strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d", n)) {
			return
		}
		select {
		case <-again.C:
		case <-deadline.C:
			tb.Fatal("the cluster does not come together: " + info)
		}
	}
}
