package app

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"secondring/market"
)

// watchBooks returns the loop that checks the books and sets their metrics. Each node has
// the results of its own last check.
func (m *metrics) watchBooks(mkt *market.Market, log *slog.Logger) func(context.Context) {
	gauge := func(name, help string) prometheus.Gauge {
		g := prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
		m.registry.MustRegister(g)
		return g
	}
	waiting := gauge("secondring_ledger_waiting_dollars", "Money that the market has and owes to sellers or buyers, at the last look.")
	debts := gauge("secondring_ledger_debt_dollars", "Money that sellers owe, because the buyer got it back after they were paid out, at the last look.")
	unbalanced := gauge("secondring_ledger_unbalanced_orders", "Orders of whose money the ledger says something else than the order, at the last look.")
	const cents = 100
	return func(ctx context.Context) {
		mkt.WatchBooks(ctx, log, func(b market.Books) {
			waiting.Set(float64(b.Waiting) / cents)
			debts.Set(float64(b.Debts) / cents)
			unbalanced.Set(float64(len(b.Unbalanced)))
		})
	}
}
