package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealth(t *testing.T) {
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.WriteHeader(status)
	}))
	defer server.Close()
	t.Setenv("ADDR", server.Listener.Addr().String())
	if out := mustCall(t, "", "health"); out != "The server runs." {
		t.Errorf("said %q", out)
	}
	status = http.StatusInternalServerError
	if _, err := call(t, "", "health"); err == nil || exitCode(err) != 1 {
		t.Errorf("a server that fails: %v", err)
	}
	server.Close()
	if _, err := call(t, "", "health"); err == nil || exitCode(err) != 1 {
		t.Errorf("no server: %v", err)
	}
	if _, err := call(t, "", "health", "now"); err == nil || exitCode(err) != 2 {
		t.Errorf("a word too many: %v", err)
	}
}

// The container image's ADDR names no host.
func TestHealthOfServerOnAllInterfaces(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	served := make(chan struct{})
	go func() {
		_ = server.Serve(listener)
		close(served)
	}()
	defer func() {
		_ = server.Close()
		<-served
	}()
	_, port, _ := strings.Cut(listener.Addr().String(), "]:")
	for _, addr := range []string{":" + port, "0.0.0.0:" + port, "[::]:" + port} {
		t.Setenv("ADDR", addr)
		mustCall(t, "", "health")
	}
}
