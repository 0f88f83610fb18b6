package app

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"secondring/api/emails"
)

// noteEmail counts an attempt to send an email.
func (m *metrics) noteEmail(o emails.Outcome) { m.emails.WithLabelValues(string(o)).Inc() }

// watchEmails collects the emails that wait, at each scrape.
func (m *metrics) watchEmails(q *emails.Queue, now func() time.Time) {
	m.registry.MustRegister(emailCollector{q, now})
}

// maxEmailsCounted is how many waiting emails are counted at most.
const maxEmailsCounted = 200

type emailCollector struct {
	queue *emails.Queue
	now   func() time.Time
}

// Metrics of emails have the word letters in their names. These names are public: alerts and
// dashboards use them.
var (
	emailsWaiting = prometheus.NewDesc("secondring_letters_waiting", "Emails that are stored and not sent, counted up to two hundred.", nil, nil)
	emailsOldest  = prometheus.NewDesc("secondring_letters_oldest_seconds", "How long the oldest of them has waited.", nil, nil)
)

// Describe implements prometheus.Collector.
func (emailCollector) Describe(to chan<- *prometheus.Desc) {
	to <- emailsWaiting
	to <- emailsOldest
}

// Collect implements prometheus.Collector. What cannot be read is left out.
func (c emailCollector) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), outboxTime)
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
