package move

import (
	"sync"

	"secondring/market"
)

// Phase names a phase of a move, as progress reports show it.
type Phase string

// The phases of a kind, in order. Only a resumed move has the phase Pruning.
const (
	Pruning   Phase = "looking at"
	Copying   Phase = "copying"
	Verifying Phase = "verifying"
)

// Step is a progress report of a move.
type Step struct {
	Phase Phase
	Kind  market.Kind
	// Done is the number of entities of this kind that have completed the phase, and Total
	// the number of all of them.
	Done, Total int
	// WorkDone and WorkTotal are the same numbers for the whole move, in units of work: an
	// image counts more than a session, see weight.
	WorkDone, WorkTotal int
}

// weight returns the approximate work of one entity of a kind. It is 1 for most kinds.
func weight(kind market.Kind) int {
	switch kind {
	case Images:
		return 20 // an image is written in pieces
	case market.KindProducts:
		return 4 // a product is in many indexes
	default:
		return 1
	}
}

// progress counts and reports the work of all goroutines of a move.
type progress struct {
	mu        sync.Mutex
	report    func(Step)
	counts    map[market.Kind]int
	completed int // work of the completed phases, in the unit of WorkDone
	step      Step
}

func newProgress(parts []part, resume bool, report func(Step)) *progress {
	p := &progress{report: report, counts: map[market.Kind]int{}}
	phases := 2
	if resume {
		phases = 3
	}
	for _, part := range parts {
		p.counts[part.kind] = part.count
		p.step.WorkTotal += phases * part.count * weight(part.kind)
	}
	return p
}

// start starts a phase of a kind. It returns a function that adds n entities to those that
// have completed the phase.
func (p *progress) start(phase Phase, kind market.Kind) func(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step.Phase, p.step.Kind, p.step.Done, p.step.Total = phase, kind, 0, p.counts[kind]
	return func(n int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.step.Done = min(p.step.Done+n, p.step.Total)
		p.step.WorkDone = p.completed + p.step.Done*weight(kind)
		p.notify()
	}
}

// finish reports that the phase has finished a part.
func (p *progress) finish(done part) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.completed += done.count * weight(done.kind)
	p.step.Done, p.step.WorkDone = done.count, p.completed
	if done.count > 0 {
		p.notify()
	}
}

func (p *progress) notify() {
	if p.report != nil {
		p.report(p.step)
	}
}
