package app

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"secondring/market"
)

// watchBooks reads the result of the last check of the books at each scrape. Any node may have made it.
func (m *metrics) watchBooks(mkt *market.Market) { m.registry.MustRegister(booksCollector{mkt}) }

type booksCollector struct{ market *market.Market }

var (
	booksWaiting    = prometheus.NewDesc("secondring_ledger_waiting_dollars", "Money that the market has and owes to sellers or buyers, at the last check.", nil, nil)
	booksDebts      = prometheus.NewDesc("secondring_ledger_debt_dollars", "Money that sellers owe, because the buyer got it back after they were paid out, at the last check.", nil, nil)
	booksUnbalanced = prometheus.NewDesc("secondring_ledger_unbalanced_orders", "Orders whose ledger entries contradict the order, at the last check.", nil, nil)
)

// Describe implements prometheus.Collector.
func (booksCollector) Describe(to chan<- *prometheus.Desc) {
	to <- booksWaiting
	to <- booksDebts
	to <- booksUnbalanced
}

// Collect implements prometheus.Collector. Before the first check of a market all are zero. It omits the
// metrics if the last check cannot be read.
func (c booksCollector) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), outboxTimeout)
	defer cancel()
	books, err := c.market.LastBooks(ctx)
	if err != nil && !errors.Is(err, market.ErrNotFound) {
		return
	}
	const cents = 100
	to <- prometheus.MustNewConstMetric(booksWaiting, prometheus.GaugeValue, float64(books.Waiting)/cents)
	to <- prometheus.MustNewConstMetric(booksDebts, prometheus.GaugeValue, float64(books.Debts)/cents)
	to <- prometheus.MustNewConstMetric(booksUnbalanced, prometheus.GaugeValue, float64(len(books.Unbalanced)))
}
