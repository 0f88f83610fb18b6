package app

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"secondring/api/emails"
)

// countEmail counts an attempt to send an email.
func (m *metrics) countEmail(o emails.Outcome) { m.emails.WithLabelValues(string(o)).Inc() }

// watchEmails counts the waiting emails at each scrape.
func (m *metrics) watchEmails(q *emails.Queue, now func() time.Time) {
	m.registry.MustRegister(emailCollector{q, now})
}

// maxEmailsCounted is the maximum number of waiting emails that are counted.
const maxEmailsCounted = 200

type emailCollector struct {
	queue *emails.Queue
	now   func() time.Time
}

// Metrics of emails have the word letters in their names. These names are public: alerts and
// dashboards use them.
var (
	emailsWaiting = prometheus.NewDesc("secondring_emails_waiting", "Emails that are stored and not sent, counted up to two hundred.", nil, nil)
	emailsOldest  = prometheus.NewDesc("secondring_emails_oldest_seconds", "How long the oldest of them has waited.", nil, nil)
)

// Describe implements prometheus.Collector.
func (emailCollector) Describe(to chan<- *prometheus.Desc) {
	to <- emailsWaiting
	to <- emailsOldest
}

// Collect implements prometheus.Collector. It omits the metrics if the queue cannot be read.
func (c emailCollector) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), outboxTimeout)
	defer cancel()
	w, err := c.queue.Waiting(ctx, maxEmailsCounted)
	if err != nil {
		return
	}
	oldest := 0.0
	if !w.Oldest.IsZero() {
		oldest = max(0, c.now().Sub(w.Oldest)).Seconds()
	}
	to <- prometheus.MustNewConstMetric(emailsWaiting, prometheus.GaugeValue, float64(w.Emails))
	to <- prometheus.MustNewConstMetric(emailsOldest, prometheus.GaugeValue, oldest)
}
