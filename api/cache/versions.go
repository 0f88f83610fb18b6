package cache

import (
	"context"
	"encoding/json"
	"hash/maphash"
	"sync/atomic"

	"secondring/market"
)

// Subjects beside the topics of events.
const (
	Brands = "brands" // all brands
	Phones = "phones" // all phones
)

// Person is the subject of a person's user, account and sessions.
func Person(uid string) string { return "person:" + uid }

// Session is the subject of one session.
func Session(id string) string { return "session:" + id }

// numCounters limits the memory of Versions. Subjects that share a counter only invalidate
// each other's entries.
const numCounters = 4096

// Versions counts the changes of subjects. It is safe for concurrent use.
type Versions struct {
	seed     maphash.Seed
	counters [numCounters]atomic.Uint64
}

// NewVersions returns Versions without any changes.
func NewVersions() *Versions { return &Versions{seed: maphash.MakeSeed()} }

// Changed counts a change of each subject.
func (v *Versions) Changed(subjects ...string) {
	for _, subject := range subjects {
		v.counter(subject).Add(1)
	}
}

// AllChanged counts a change of every subject. It is for changes whose subjects are
// unknown.
func (v *Versions) AllChanged() {
	for i := range v.counters {
		v.counters[i].Add(1)
	}
}

// Happened counts the subjects of an event: its topic, and the person whose access a
// control event changes.
func (v *Versions) Happened(e market.Event) {
	v.Changed(e.Topic)
	if e.Topic != market.TopicControl {
		return
	}
	var control market.Control
	if err := json.Unmarshal(e.Data, &control); err != nil {
		v.AllChanged()
		return
	}
	v.Changed(Person(control.UID))
}

// AccessChanged counts a change of a person's access on another node; with "" it counts one of
// every subject.
func (v *Versions) AccessChanged(uid string) {
	if uid == "" {
		v.AllChanged()
		return
	}
	v.Changed(Person(uid))
}

// Published counts events that are about to be published. Another process that writes to
// the same store may have caused them.
func (v *Versions) Published(events []market.Event) {
	for _, e := range events {
		v.Happened(e)
	}
	if len(events) > 0 {
		v.Changed(Phones)
	}
}

// StoreHook counts the subjects of each write, also of a failed one, because it may have
// been carried out.
func (v *Versions) StoreHook(_ context.Context, call market.StoreCall, do func() error) error {
	if call.Op != market.OpRead {
		defer v.written(call)
	}
	return do()
}

func (v *Versions) written(call market.StoreCall) {
	for _, e := range market.EventsOf(call.Effects) {
		v.Happened(e)
	}
	switch entity := call.Entity.(type) {
	case market.User:
		v.Changed(Person(entity.UID))
	case market.Account:
		v.Changed(Person(entity.UID))
	case market.Session:
		if call.Op == market.OpRemove {
			v.Changed(Session(entity.ID))
		}
	case market.Brand:
		v.Changed(Brands)
	case market.Product:
		v.Changed(Phones)
	}
}

func (v *Versions) counter(subject string) *atomic.Uint64 {
	return &v.counters[maphash.String(v.seed, subject)%numCounters]
}

// of returns the current versions of subjects.
func (v *Versions) of(subjects []string) snapshot {
	s := make(snapshot, 0, len(subjects))
	for _, subject := range subjects {
		counter := v.counter(subject)
		s = append(s, subjectVersion{counter, counter.Load()})
	}
	return s
}

// snapshot has the versions of some subjects at a moment.
type snapshot []subjectVersion

type subjectVersion struct {
	counter *atomic.Uint64
	version uint64
}

// current returns whether the versions are still the same.
func (s snapshot) current() bool {
	for _, subject := range s {
		if subject.counter.Load() != subject.version {
			return false
		}
	}
	return true
}
