package app

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"secondring/market"
)

// backlogOnly is a store that panics at any call except Backlog.
type backlogOnly struct{ market.Store }

func (backlogOnly) Backlog(context.Context, int) (market.Backlog, error) {
	return market.Backlog{Events: 7}, nil
}

// The metrics must not read the pending events: that completes the writes of stopped
// processes, which only the relay may do.
func TestMetricsReadOnlyTheBacklog(t *testing.T) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(storeCollector{backlogOnly{}, market.SystemClock{}, ""})
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == "secondring_outbox_waiting" {
			if n := family.GetMetric()[0].GetGauge().GetValue(); n != 7 {
				t.Errorf("secondring_outbox_waiting is %v, want 7", n)
			}
			return
		}
	}
	t.Error("secondring_outbox_waiting is not exported")
}
