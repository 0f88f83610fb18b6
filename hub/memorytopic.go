package hub

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"secondring/market"
)

// memoryTopic is one topic of a MemoryBroker.
type memoryTopic struct {
	mu              sync.Mutex
	at              Position // of the last event published
	entries         []storedEntry
	size            int           // bytes of data in entries
	total           *atomic.Int64 // of all topics; belongs to the broker
	listeners       []Listener
	lastUnsubscribe time.Time // zero before the first
	versions        versionMemory
	lastUsed        time.Time
	removed         bool // removed from the broker: look it up again
}

type storedEntry struct {
	Entry
	publishedAt time.Time // when this broker received it, which may be long after the change
}

func (t *memoryTopic) publish(e market.Event, limits HistoryLimits) {
	if e.Entity != "" && e.Version > 0 && !t.versions.raise(e.Entity, e.Version, limits.Size) {
		return
	}
	t.at = t.at.Next()
	entry := Entry{Position: t.at, Event: e}
	t.entries = append(t.entries, storedEntry{Entry: entry, publishedAt: t.lastUsed})
	t.grow(len(e.Data))
	t.trim(t.lastUsed, limits)
	for _, l := range t.listeners {
		l.Event(entry)
	}
}

// trim drops events beyond the limits of age, number and bytes.
func (t *memoryTopic) trim(now time.Time, limits HistoryLimits) {
	n := max(0, len(t.entries)-limits.Size)
	for n < len(t.entries) && now.Sub(t.entries[n].publishedAt) >= limits.Age {
		n++
	}
	t.drop(n)
	for t.size > limits.Bytes {
		t.drop(1)
	}
}

// drop drops the n oldest events.
func (t *memoryTopic) drop(n int) {
	for _, k := range t.entries[:n] {
		t.grow(-len(k.Event.Data))
	}
	clear(t.entries[:n])
	t.entries = t.entries[n:]
	if len(t.entries) == 0 {
		t.entries = nil
	}
}

// grow adds bytes to the counts; it may be negative.
func (t *memoryTopic) grow(bytes int) {
	t.size += bytes
	t.total.Add(int64(bytes))
}

func (t *memoryTopic) history(since Position, limits HistoryLimits) History {
	t.trim(t.lastUsed, limits)
	h := History{Top: t.at}
	if !t.at.Covers(since) {
		return h // another epoch, or an offset beyond the last event
	}
	missed := t.at.Offset - since.Offset
	if missed > uint64(len(t.entries)) {
		return h
	}
	h.Complete = true
	for _, k := range t.entries[uint64(len(t.entries))-missed:] {
		h.Entries = append(h.Entries, k.Entry)
	}
	return h
}

func (t *memoryTopic) unsubscribe(l Listener) {
	if i := slices.Index(t.listeners, l); i >= 0 {
		t.listeners = slices.Delete(t.listeners, i, i+1)
		t.lastUnsubscribe = time.Now()
	}
}

// versionMemory keeps the last published version of each entity, in two generations.
// When the younger is full, the older is dropped. Entities published within the last
// generation are always known.
type versionMemory struct {
	young, old map[string]int64
}

// minVersions is the least number of entities remembered per topic.
const minVersions = 4096

// raise stores the version and reports whether it is above the last known one.
func (m *versionMemory) raise(entity string, version int64, historySize int) bool {
	last, known := m.young[entity]
	if !known {
		last, known = m.old[entity]
	}
	if known && version <= last {
		return false
	}
	if len(m.young) >= max(minVersions, historySize) {
		m.old, m.young = m.young, nil
	}
	if m.young == nil {
		m.young = map[string]int64{}
	}
	m.young[entity] = version
	return true
}
