package app_test

import (
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/cmd/secondring/nodetest"
)

func TestOneServerPerDataDir(t *testing.T) {
	s := nodetest.Settings(t, nil)
	start(t, s)
	wantSettingsError(t, s, "DATA_DIR")
}

// A drained server closes its sockets with 1012 (service restart), so that clients reconnect.
func TestStopClosesSocketsWith1012(t *testing.T) {
	srv := start(t, nodetest.Settings(t, map[string]string{"DEMO": "1"}))
	socket := srv.newBrowser().subscribe("advertised")
	began := time.Now()
	stopped := make(chan error, 1)
	go func() { stopped <- srv.stop() }()
	wantClose(t, socket, websocket.CloseServiceRestart)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the server stopped after %s, want at most 10s", took)
	}
}
