package clustertest_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// BenchmarkSocketAtTheProxy measures open sockets through the proxy. One operation
// is one socket. B/socket is the growth of the proxy's process, without the memory of
// the kernel. -benchtime=2000x sets the number of sockets.
func BenchmarkSocketAtTheProxy(b *testing.B) {
	b.Run("plain", func(b *testing.B) { benchmarkSockets(b, false) })
	b.Run("TLS", func(b *testing.B) { benchmarkSockets(b, true) })
}

func benchmarkSockets(b *testing.B, secure bool) {
	node := startStubServer(b, echo)
	env, dialer := map[string]string{}, *websocket.DefaultDialer
	if secure {
		folder, trusted := b.TempDir(), x509.NewCertPool()
		trusted.AddCert(certify(b, folder, 1))
		env["TLS"] = folder + "/"
		dialer.TLSClientConfig = &tls.Config{RootCAs: trusted, ServerName: "localhost"}
	}
	p := startProxy(b, env, node.address())
	url := p.url
	if secure {
		url = p.secureURL
	}
	open := func() *websocket.Conn {
		conn, answer, err := dialer.DialContext(b.Context(), "ws"+strings.TrimPrefix(url, "http")+"/live", http.Header{})
		if err != nil {
			b.Fatal(err)
		}
		_ = answer.Body.Close()
		if err := conn.WriteMessage(websocket.TextMessage, []byte("ping")); err != nil {
			b.Fatal(err)
		}
		if _, _, err := conn.ReadMessage(); err != nil {
			b.Fatal(err)
		}
		return conn
	}
	conns := []*websocket.Conn{open()} // the first socket allocates what all share
	before := p.memory()
	b.ResetTimer()
	for range b.N {
		conns = append(conns, open())
	}
	b.ReportMetric(float64(p.memory()-before)/float64(b.N), "B/socket")
	for _, conn := range conns {
		_ = conn.Close()
	}
}

// memory returns the memory of the proxy's worker process in bytes.
func (p *proxy) memory() int64 {
	p.tb.Helper()
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", p.process.Process.Pid))
	if err != nil {
		p.tb.Fatal(err)
	}
	status, err := os.ReadFile("/proc/" + strings.Fields(string(children))[0] + "/statm")
	if err != nil {
		p.tb.Fatal(err)
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(status), &size, &resident); err != nil {
		p.tb.Fatal(err)
	}
	return resident * int64(os.Getpagesize())
}
