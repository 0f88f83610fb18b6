package app

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"secondring/api/emails"
	"secondring/api/payment"
	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/settings"
	"secondring/hub"
	"secondring/market"
)

// metrics has the market's metrics for Prometheus; package server has those of its calls. Each
// node has the metrics of its own work. Labels have only the values listed here.
type metrics struct {
	registry *prometheus.Registry

	bookings    *prometheus.CounterVec // by status
	payments    prometheus.Counter
	dollars     prometheus.Counter
	refunds     prometheus.Counter
	problems    *prometheus.CounterVec // with payments, by kind
	storeErrors *prometheus.CounterVec // of the store, by operation
	published   prometheus.Histogram
	sent        prometheus.Histogram
	emails      *prometheus.CounterVec // by outcome
	jobs        *prometheus.CounterVec // by kind and outcome
}

// Values of the label op: the kinds of failed operations of the store.
const (
	opRead  = "read"
	opWrite = "write"
)

// delays are the histogram buckets of the delay of an event, in seconds.
var delays = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

func newMetrics(version string) *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "secondring_" + name, Help: help})
	}
	counters := func(name, help, label string, values ...string) *prometheus.CounterVec {
		v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "secondring_" + name, Help: help}, []string{label})
		for _, value := range values {
			v.WithLabelValues(value) // it starts at zero, as a rate needs it
		}
		return v
	}
	histogram := func(name, help string) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Name: "secondring_" + name, Help: help, Buckets: delays})
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		bookings: counters("bookings_total", "Bookings by status: held counts new bookings, expired counts those that were not paid in time.", "status",
			string(market.BookingHeld), string(market.BookingPaid), string(market.BookingExpired), string(market.BookingCancelled), string(market.BookingRefunded)),
		payments: counter("payments_total", "Payments that succeeded at the card provider and were recorded."),
		dollars:  counter("payments_dollars_total", "The sum of these payments, in US dollars."),
		refunds:  counter("refunds_total", "Payments whose money was returned to the buyer."),
		problems: counters("payment_problems_total", "Charges without a booking, refunds that failed after the provider had accepted them, and transfers that could not be reversed.", "problem",
			payment.ProblemUnknownBooking, payment.ProblemRefundFailed, payment.ProblemShort),
		storeErrors: counters("store_errors_total", "Operations of the store that failed. Refusals by the market's rules are not counted.", "op", opRead, opWrite),
		published:   histogram("event_publish_delay_seconds", "Time from a change until the broker had its event."),
		sent:        histogram("event_sent_delay_seconds", "Time from a change until its event was written to the topic's readers. Of a frame, the oldest event counts."),
	}
	m.emails = counters("emails_total", "Attempts to send an email, by result. A failed attempt is repeated for a day; a refused or given_up one is not.", "outcome",
		string(emails.Sent), string(emails.Failed), string(emails.Refused), string(emails.GivenUp), string(emails.Obsolete))
	m.jobs = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "secondring_jobs_total", Help: "Runs of background jobs, by result. A failed job is tried again; a dead one is not.",
	}, []string{"kind", "outcome"})
	build := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "secondring_build_info", Help: "Always 1.", ConstLabels: prometheus.Labels{"version": version},
	}, func() float64 { return 1 })
	m.registry.MustRegister(m.bookings, m.payments, m.dollars, m.refunds, m.problems, m.storeErrors, m.published, m.sent, m.emails, m.jobs, build)
	return m
}

// expectJobs makes the counters of jobs start at zero.
func (m *metrics) expectJobs(kinds []string) {
	for _, kind := range kinds {
		for _, outcome := range market.JobOutcomes() {
			m.jobs.WithLabelValues(kind, outcome)
		}
	}
}

// countJob counts a job by its kind and outcome.
func (m *metrics) countJob(kind, outcome string) { m.jobs.WithLabelValues(kind, outcome).Inc() }

// countPaymentProblem counts a problem with a payment, by its name.
func (m *metrics) countPaymentProblem(name string) { m.problems.WithLabelValues(name).Inc() }

func (m *metrics) observeSent(delay time.Duration) { m.sent.Observe(delay.Seconds()) }

// watchHub reads the statistics of the hub at each scrape.
func (m *metrics) watchHub(h *hub.Hub) { m.registry.MustRegister(hubCollector{h}) }

type hubCollector struct{ hub *hub.Hub }

var (
	hubSockets       = hubDesc("sockets", "Sockets that are open.")
	hubPeople        = hubDesc("people", "Different signed-in people with a socket.")
	hubTopics        = hubDesc("topics", "Topics with subscribed sockets.")
	hubSubscriptions = hubDesc("subscriptions", "Subscriptions of all sockets.")
	hubOpened        = hubDesc("sockets_opened_total", "Sockets that were opened.")
	hubRefused       = hubDesc("handshakes_refused_total", "Handshakes refused for their token.")
	hubDeliveries    = hubDesc("deliveries_total", "Events times the sockets that they were written to.")
	hubResyncs       = hubDesc("resyncs_total", "Subscriptions for which the history was too short.")
	hubOverflows     = hubDesc("queue_drops_total", "Times that the queue of a topic was too long and was dropped. Its readers fetch the list again.")
	hubCut           = hubDesc("sockets_cut_total", "Sockets that this side has closed, by reason.", "reason")
)

func hubDesc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("secondring_live_"+name, help, labels, nil)
}

// Describe implements prometheus.Collector.
func (m hubCollector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, to) }

// Collect implements prometheus.Collector.
func (m hubCollector) Collect(to chan<- prometheus.Metric) {
	s := m.hub.Stats()
	gauge := func(d *prometheus.Desc, n int) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n))
	}
	count := func(d *prometheus.Desc, n int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
	}
	gauge(hubSockets, s.Sockets)
	gauge(hubPeople, s.People)
	gauge(hubTopics, s.Topics)
	gauge(hubSubscriptions, s.Subscriptions)
	count(hubOpened, s.Opened)
	count(hubRefused, s.Refused)
	count(hubDeliveries, s.Deliveries)
	count(hubResyncs, s.Resyncs)
	count(hubOverflows, s.Overflows)
	for _, reason := range hub.DropReasons() {
		count(hubCut, s.Drops[reason], reason)
	}
}

// Limits of counting the outbox at a scrape.
const (
	maxEventsCounted = 1000 // maximum number of events that are counted
	outboxTimeout    = time.Second
)

// watchStore reads the backlog of the outbox at each scrape, and the time of the last backup
// if dir is not "".
func (m *metrics) watchStore(s market.Store, clock market.Clock, dir string) {
	m.registry.MustRegister(storeCollector{s, clock, dir})
}

// storeFolder returns DATA_DIR if the store is in it, else "".
func storeFolder(s settings.Settings) string {
	if s.MongoURI != "" {
		return ""
	}
	return s.DataDir
}

type storeCollector struct {
	store market.Store
	clock market.Clock
	dir   string // "" if the store is in MongoDB
}

var (
	outboxWaiting = prometheus.NewDesc("secondring_outbox_waiting", "Events that are stored and not published, counted up to a thousand.", nil, nil)
	outboxOldest  = prometheus.NewDesc("secondring_outbox_oldest_seconds", "How long the first of them has waited.", nil, nil)
	lastBackup    = prometheus.NewDesc("secondring_backup_last_timestamp_seconds", "When the last backup of DATA_DIR was done; 0 for never.", nil, nil)
)

// Describe implements prometheus.Collector.
func (storeCollector) Describe(to chan<- *prometheus.Desc) {
	to <- outboxWaiting
	to <- outboxOldest
	to <- lastBackup
}

// Collect implements prometheus.Collector. It omits metrics that cannot be read.
func (m storeCollector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64) { to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v) }
	ctx, cancel := context.WithTimeout(context.Background(), outboxTimeout)
	defer cancel()
	if backlog, err := m.store.Backlog(ctx, maxEventsCounted); err == nil {
		gauge(outboxWaiting, float64(backlog.Events))
		oldest := 0.0
		if !backlog.Oldest.IsZero() {
			oldest = max(0, m.clock.Now().Sub(backlog.Oldest)).Seconds()
		}
		gauge(outboxOldest, oldest)
	}
	if m.dir == "" {
		return
	}
	backupTime := 0.0
	if info, err := os.Stat(filepath.Join(m.dir, datastore.LastBackupFile)); err == nil {
		backupTime = float64(info.ModTime().Unix())
	}
	gauge(lastBackup, backupTime)
}
