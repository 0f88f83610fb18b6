package fresh

import (
	"encoding/json"
	"hash/maphash"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"secondring/market"
)

// What is counted beside the topics of events: all phones, all brands, one
// phone, one person's record and sessions, one session.
const (
	Phones = "phones"
	Brands = "brands"
)

// Person is everything about one person's access: their record and sessions.
func Person(uid string) string { return "person:" + uid }

// phone is one phone alone.
func phone(id string) string { return "phone:" + id }

// session is one session alone.
func session(id string) string { return "session:" + id }

const (
	counters = 4096 // two subjects that share one only make an answer be read again too early
	maxTold  = 4096 // acknowledged events that wait to be published
)

// Watch counts the changes of each subject: a topic, or one of those above.
// It is safe for concurrent use.
type Watch struct {
	seed   maphash.Seed
	counts [counters]atomic.Uint64
	sure   atomic.Int64 // of market.Uptime; see Sure

	mu sync.Mutex
	// told are the events of acknowledged writes, which have been counted and are
	// not published yet. Where one is missing, its subject is counted once more
	// than is needed.
	told map[told]struct{}
}

// told names an event: which entity's version, to whom.
type told struct {
	topic, entity string
	version       int64
}

// New returns a Watch that has seen nothing.
func New() *Watch {
	w := &Watch{seed: maphash.MakeSeed(), told: map[told]struct{}{}}
	w.Sure(math.MinInt64) // of nothing yet
	return w
}

// maxSubjects is how many subjects an answer may depend on.
const maxSubjects = 2

// Mark is how far a Watch had counted some subjects. The zero Mark never holds.
type Mark struct {
	counts [maxSubjects]*atomic.Uint64
	at     [maxSubjects]uint64
}

// Mark notes one or two subjects. Take it before reading what depends on them.
func (w *Watch) Mark(first string, more ...string) Mark {
	var m Mark
	for i := range m.counts {
		subject := first // once more where there is no second
		if i > 0 && len(more) >= i {
			subject = more[i-1]
		}
		m.counts[i] = w.count(subject)
		m.at[i] = m.counts[i].Load()
	}
	return m
}

// Session marks all that one session's access depends on.
func (w *Watch) Session(uid, id string) Mark { return w.Mark(Person(uid), session(id)) }

// Holds tells whether nothing of the subjects has changed since the mark, as
// far as anybody was told: a write counts when it returns to its caller, or
// when its events go out, whichever comes first.
func (m Mark) Holds() bool {
	for i, count := range m.counts {
		if count == nil || count.Load() != m.at[i] {
			return false
		}
	}
	return true
}

// Heard counts what an event from elsewhere is about.
func (w *Watch) Heard(e market.Event) {
	w.changed(e.Topic)
	if e.Topic != market.TopicControl {
		return
	}
	var c market.Control
	if err := json.Unmarshal(e.Data, &c); err != nil {
		w.Lost() // whose access it is about nobody knows
		return
	}
	w.changed(Person(c.UID))
}

// Lost counts everything: what has changed meanwhile nobody knows.
func (w *Watch) Lost() {
	for i := range w.counts {
		w.counts[i].Add(1)
	}
}

// Sure says that whatever was changed before a moment of market.Uptime has been
// counted, by whomever.
func (w *Watch) Sure(at time.Duration) { w.sure.Store(int64(at)) }

// Age is how long ago something was known to be true whose mark holds, and that
// was true when it was asked for: moments of market.Uptime, both.
func (w *Watch) Age(asked time.Duration) time.Duration {
	return market.Monotonic() - max(asked, time.Duration(w.sure.Load()))
}

func (w *Watch) count(subject string) *atomic.Uint64 {
	return &w.counts[maphash.String(w.seed, subject)%counters]
}

func (w *Watch) changed(subject string) { w.count(subject).Add(1) }

// wrote counts a write that is about to return to its caller, with whatever
// error: one that failed may have been carried out all the same, and then its
// events are counted once more when they go out.
func (w *Watch) wrote(err *error, events []market.Event, subjects ...string) {
	for _, e := range events {
		w.Heard(e)
	}
	for _, subject := range subjects {
		w.changed(subject)
	}
	if *err != nil || len(events) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.told) > maxTold {
		clear(w.told) // nothing is published just now: a second count does no harm
	}
	for _, e := range events {
		if e.Entity != "" {
			w.told[told{e.Topic, e.Entity, e.Version}] = struct{}{}
		}
	}
}

// publishing counts the events that are about to go out and were not counted
// yet: those of other processes, and of writes that have not returned.
func (w *Watch) publishing(events []market.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range events {
		name := told{e.Topic, e.Entity, e.Version}
		if _, counted := w.told[name]; counted {
			delete(w.told, name)
			continue
		}
		w.Heard(e)
		if e.Topic != market.TopicControl {
			w.changed(Phones)
			w.changed(phone(e.Entity)) // whatever it is the ID of
		}
	}
}
