package nodetest

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"testing"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/settings"
)

// Settings returns settings for a node with a new data folder and without rate limits. The
// pairs override them.
func Settings(tb testing.TB, pairs map[string]string) settings.Settings {
	tb.Helper()
	env := map[string]string{"ADDR": "127.0.0.1:0", "DATA_DIR": tb.TempDir(), "RATE_LIMIT": "off"}
	maps.Copy(env, pairs)
	s, err := settings.Read(func(name string) string { return env[name] })
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// StartInProcess starts a node in the process of the test, without logs. stop drains it and
// returns the error of Run; at the end of the test the node is stopped in any case.
func StartInProcess(tb testing.TB, s settings.Settings, o app.Options) (node *app.App, stop func() error) {
	tb.Helper()
	o.Version, o.Log = "test", slog.New(slog.DiscardHandler)
	node, err := app.New(tb.Context(), s, o)
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- node.Run(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	tb.Cleanup(func() {
		if err := stop(); err != nil {
			tb.Errorf("the node stopped with %v", err)
		}
	})
	return node, stop
}
