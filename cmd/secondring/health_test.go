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
			t.Errorf("health requests %s, want /healthz", r.URL.Path)
		}
		w.WriteHeader(status)
	}))
	defer server.Close()
	t.Setenv("ADDR", server.Listener.Addr().String())
	if out := mustRunCommand(t, "", "health"); out != "The server runs." {
		t.Errorf("health prints %q", out)
	}
	status = http.StatusInternalServerError
	if _, err := runCommand(t, "", "health"); err == nil || exitCode(err) != 1 {
		t.Errorf("if the server returns 500, health returns %v, want exit code 1", err)
	}
	server.Close()
	if _, err := runCommand(t, "", "health"); err == nil || exitCode(err) != 1 {
		t.Errorf("without a server health returns %v, want exit code 1", err)
	}
	if _, err := runCommand(t, "", "health", "now"); err == nil || exitCode(err) != 2 {
		t.Errorf("with an argument health returns %v, want exit code 2", err)
	}
}

// In the container image ADDR has no host: the server listens on all interfaces.
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
		mustRunCommand(t, "", "health")
	}
}
