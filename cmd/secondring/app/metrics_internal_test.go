package app

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"secondring/market"
)

// backlogOnly is a store of which nothing but the backlog may be asked.
type backlogOnly struct{ market.Store }

func (backlogOnly) Backlog(context.Context, int) (market.Backlog, error) {
	return market.Backlog{Events: 7}, nil
}

// Reading the waiting events would finish writes of dead processes, which is the relay's
// job.
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
				t.Errorf("%v events wait", n)
			}
			return
		}
	}
	t.Error("the backlog is not exported")
}
