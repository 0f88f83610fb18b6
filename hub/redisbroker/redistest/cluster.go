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
func StartCluster(t testing.TB, n int) *Cluster {
	t.Helper()
	c := &Cluster{}
	for i := range n {
		s := Start(t, "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-node-timeout", "2000")
		s.Do(t, "CLUSTER", "ADDSLOTSRANGE", i*slots/n, (i+1)*slots/n-1)
		s.Do(t, "CLUSTER", "SET-CONFIG-EPOCH", i+1)
		if i > 0 {
			host, port, _ := net.SplitHostPort(c.Servers[0].address)
			s.Do(t, "CLUSTER", "MEET", host, port)
		}
		c.Servers = append(c.Servers, s)
	}
	c.URL = c.Servers[0].URL
	for i, s := range c.Servers[1:] {
		c.URL += map[bool]string{true: "?", false: "&"}[i == 0] + "addr=" + s.address
	}
	for _, s := range c.Servers {
		s.await(t, n)
	}
	return c
}

// Forget empties all servers, as a restart without files does.
func (c *Cluster) Forget(t testing.TB) {
	t.Helper()
	for _, s := range c.Servers {
		s.Do(t, "FLUSHALL")
		s.Do(t, "SCRIPT", "FLUSH")
	}
}

// await waits until the server sees the whole cluster.
func (s *Server) await(t testing.TB, n int) {
	t.Helper()
	again, deadline := time.NewTicker(20*time.Millisecond), time.NewTimer(patience)
	defer again.Stop()
	defer deadline.Stop()
	for {
		info := fmt.Sprint(s.Do(t, "CLUSTER", "INFO"))
		if strings.Contains(info, "cluster_state:ok") && strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d", n)) {
			return
		}
		select {
		case <-again.C:
		case <-deadline.C:
			t.Fatal("the cluster does not come together: " + info)
		}
	}
}
