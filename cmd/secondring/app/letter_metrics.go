package app

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"secondring/api/letters"
)

// noteLetter counts an attempt to send a letter.
func (m *metrics) noteLetter(o letters.Outcome) { m.letters.WithLabelValues(string(o)).Inc() }

// watchLetters collects the letters that wait, at each scrape.
func (m *metrics) watchLetters(q *letters.Queue, now func() time.Time) {
	m.registry.MustRegister(letterCollector{q, now})
}

// letterLook is how many waiting letters are counted at most.
const letterLook = 200

type letterCollector struct {
	queue *letters.Queue
	now   func() time.Time
}

var (
	lettersWaiting = prometheus.NewDesc("secondring_letters_waiting", "Letters that are stored and not sent, counted up to two hundred.", nil, nil)
	lettersOldest  = prometheus.NewDesc("secondring_letters_oldest_seconds", "How long the oldest of them has waited.", nil, nil)
)

// Describe implements prometheus.Collector.
func (letterCollector) Describe(to chan<- *prometheus.Desc) {
	to <- lettersWaiting
	to <- lettersOldest
}

// Collect implements prometheus.Collector. What cannot be read is left out.
func (c letterCollector) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), outboxTime)
	defer cancel()
	w, err := c.queue.Waiting(ctx, letterLook)
	if err != nil {
		return
	}
	oldest := 0.0
	if !w.Oldest.IsZero() {
		oldest = max(0, c.now().Sub(w.Oldest)).Seconds()
	}
	to <- prometheus.MustNewConstMetric(lettersWaiting, prometheus.GaugeValue, float64(w.Letters))
	to <- prometheus.MustNewConstMetric(lettersOldest, prometheus.GaugeValue, oldest)
}
