package clustertest_test

import (
	"context"
	"encoding/csv"
	"errors"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"secondring/hub/redisbroker/redistest"
)

const proxyConfig = "../../../deploy/haproxy.cfg"

// proxy is a real HAProxy with the deployed configuration.
type proxy struct {
	tb            testing.TB
	url, adminURL string
	secureURL     string // with TLS
	process       *exec.Cmd
}

// startProxy runs HAProxy before nodes at these addresses until the test ends. With
// fewer than three addresses the remaining servers are down.
func startProxy(tb testing.TB, env map[string]string, nodes ...string) *proxy {
	tb.Helper()
	plain, tls, admin := redistest.FreeAddress(tb), redistest.FreeAddress(tb), redistest.FreeAddress(tb)
	p := &proxy{tb: tb, url: "http://" + plain, secureURL: "https://" + tls, adminURL: "http://" + admin}
	all := map[string]string{
		"HTTP": plain, "HTTPS": tls, "ADMIN": admin, "TLS": "", "PUBLIC_URL": p.url, "MAXCONN": "4000", "PATH": os.Getenv("PATH"),
	}
	for i := range 3 {
		name := "NODE_" + strconv.Itoa(i+1)
		if all[name] = "127.0.0.1:1"; i < len(nodes) {
			all[name] = strings.TrimPrefix(nodes[i], "http://")
		}
	}
	maps.Copy(all, env)
	p.process = exec.Command(haproxy(tb), "-W", "-db", "-f", proxyConfig)
	for name, value := range all {
		p.process.Env = append(p.process.Env, name+"="+value)
	}
	log, err := os.Create(filepath.Join(tb.TempDir(), "log"))
	if err != nil {
		tb.Fatal(err)
	}
	p.process.Stdout, p.process.Stderr = log, log
	if err := p.process.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = p.process.Process.Signal(syscall.SIGTERM)
		_ = p.process.Wait()
		output, err := os.ReadFile(log.Name())
		if errors.Join(err, log.Close()) != nil || tb.Failed() {
			tb.Logf("the proxy: %s", output)
		}
	})
	eventually(tb, "the proxy is up", func() bool { return p.get(p.adminURL+"/up") == http.StatusOK })
	return p
}

func haproxy(tb testing.TB) string {
	tb.Helper()
	path, err := exec.LookPath("haproxy")
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/haproxy") // not in everybody's PATH
	}
	if err != nil {
		tb.Fatalf("no HAProxy (Debian: apt-get install haproxy): %v", err)
	}
	return path
}

// get returns the status, 0 without a response.
func (p *proxy) get(url string) int {
	answer, err := p.send(http.MethodGet, url)
	if err != nil {
		return 0
	}
	return answer.StatusCode
}

// send sends one call over a new connection.
func (p *proxy) send(method, url string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(p.tb.Context(), method, url, http.NoBody)
	if err != nil {
		return nil, err
	}
	request.Close = true
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err == nil {
		err = answer.Body.Close()
	}
	return answer, err
}

// servers returns the proxy's state of the nodes, by name.
func (p *proxy) servers(backend string) map[string]map[string]string {
	p.tb.Helper()
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, p.adminURL+"/;csv", http.NoBody)
	if err != nil {
		p.tb.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		p.tb.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	lines, err := csv.NewReader(answer.Body).ReadAll()
	if err != nil {
		p.tb.Fatal(err)
	}
	servers := map[string]map[string]string{}
	for _, line := range lines[1:] {
		fields := map[string]string{}
		for i, name := range lines[0] {
			fields[strings.TrimPrefix(name, "# ")] = line[i]
		}
		if fields["pxname"] == backend && strings.HasPrefix(fields["svname"], "node-") {
			servers[fields["svname"]] = fields
		}
	}
	return servers
}

// waitForState waits until the proxy has this state of a node.
func (p *proxy) waitForState(node, status string) {
	p.tb.Helper()
	eventually(p.tb, node+" is "+status, func() bool {
		return strings.HasPrefix(p.servers("ready")[node]["status"], status)
	})
}

// expectNoReadyNode waits until no node is ready for the proxy.
func (p *proxy) expectNoReadyNode() {
	p.tb.Helper()
	for node := range p.servers("ready") {
		p.waitForState(node, "DOWN")
	}
}

// stubServer is a test server in place of a node.
type stubServer struct {
	net.Listener
	ready atomic.Int32 // status of /readyz
	calls atomic.Int32 // received, without health checks
}

// startStubServer starts a server that answers health checks, and counts and serves all
// other calls with serve.
func startStubServer(tb testing.TB, serve http.HandlerFunc) *stubServer {
	tb.Helper()
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	s := &stubServer{Listener: listener}
	s.ready.Store(http.StatusOK)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/readyz":
			w.WriteHeader(int(s.ready.Load()))
		case "/healthz":
		default:
			s.calls.Add(1)
			serve(w, r)
		}
	})}
	served := make(chan struct{})
	go func() {
		_ = server.Serve(listener)
		close(served)
	}()
	tb.Cleanup(func() {
		_ = server.Close()
		<-served
	})
	return s
}

func (s *stubServer) address() string { return s.Addr().String() }
