package clustertest_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"secondring/hub/redisbroker/redistest"

	"github.com/gorilla/websocket"

	"secondring/cmd/secondring/nodetest"
)

// With a certificate calls use HTTP/2 and sockets wss, http is redirected, and a renewed
// certificate is loaded without ending a socket.
func TestProxyServesTLS(t *testing.T) {
	t.Parallel()
	folder, trusted := t.TempDir(), x509.NewCertPool()
	trusted.AddCert(certify(t, folder, 1))
	secure := redistest.FreeAddress(t)
	site := "https://" + strings.Replace(secure, "127.0.0.1", "localhost", 1)
	r := startNode(t, nodetest.Settings(t, map[string]string{"DEMO": "1", "PUBLIC_URL": site, "TRUSTED_PROXIES": "127.0.0.1"}))
	p := startProxy(t, map[string]string{"TLS": folder + "/", "HTTPS": secure, "PUBLIC_URL": site}, r.URL())

	redirected, err := p.send(http.MethodPut, p.url+"/bookings?of=rafi")
	if err != nil || redirected.StatusCode != http.StatusPermanentRedirect || redirected.Header.Get("Location") != site+"/bookings?of=rafi" {
		t.Errorf("a call without TLS: %v, %v; want a redirect to %s", redirected, err, site)
	}
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, ForceAttemptHTTP2: true}}
	defer client.CloseIdleConnections()
	answer := get(t, &client, site+"/config")
	if answer.ProtoMajor != 2 || answer.StatusCode != http.StatusOK || answer.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("a call with TLS: %s %s %v; want HTTP/2, 200 and HSTS", answer.Proto, answer.Status, answer.Header)
	}

	dialer := websocket.Dialer{TLSClientConfig: &tls.Config{RootCAs: trusted}, Subprotocols: []string{"secondring.v1"}}
	conn, accepted, err := dialer.DialContext(t.Context(), "wss"+strings.TrimPrefix(site, "https")+"/live", http.Header{"Origin": {site}})
	if err != nil {
		t.Fatalf("opening the socket: %v, %v", accepted, err)
	}
	_ = accepted.Body.Close()
	screen := &socket{t: t, conn: conn}
	defer func() { _ = conn.Close() }()

	trusted.AddCert(certify(t, folder, 2))
	var reloaded time.Time
	eventually(t, "the new certificate is served", func() bool {
		// HAProxy ignores the signal while it starts, so it is sent again.
		if time.Since(reloaded) > 3*time.Second {
			reloaded = time.Now()
			if err := p.process.Process.Signal(syscall.SIGUSR2); err != nil {
				t.Fatal(err)
			}
		}
		client.CloseIdleConnections()
		return get(t, &client, site+"/healthz").TLS.PeerCertificates[0].SerialNumber.Int64() == 2
	})
	if err := conn.WriteJSON(map[string]any{"subscribe": map[string]string{"advertised": ""}}); err != nil {
		t.Fatal(err)
	}
	screen.readUntil("the socket opened before the reload is subscribed", func(f frame) bool { return f.Subscribed["advertised"] != "" })
}

func get(t *testing.T, client *http.Client, url string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return answer
}

// certify puts a certificate for localhost and its key into the folder, as a
// certificate authority's client does, and returns it.
func certify(tb testing.TB, folder string, serial int64) *x509.Certificate {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(serial), DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, // self-signed
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		tb.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	both := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...)
	path := filepath.Join(folder, "site.pem")
	if err := os.WriteFile(path+".new", both, 0o600); err != nil {
		tb.Fatal(err)
	}
	// Rename replaces the file at once, so HAProxy never reads a part of it.
	if err := os.Rename(path+".new", path); err != nil {
		tb.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		tb.Fatal(err)
	}
	return certificate
}
