package move

import (
	"sync"

	"secondring/market"
)

// Phase is what is being done.
type Phase string

// The phases. Looking is there only where a move is begun again.
const (
	Looking   Phase = "looking at"
	Copying   Phase = "copying"
	Verifying Phase = "verifying"
)

// Step tells how far a move is.
type Step struct {
	Phase Phase
	Kind  market.Kind
	// Done of Of entities of this kind have completed the phase.
	Done, Of int
	// All of AllOf is the same of the whole move, in units of work: an image is
	// more of it than a session.
	All, AllOf int
}

// weight is about how much work one of a kind is, beside one of most others.
func weight(kind market.Kind) int {
	switch kind {
	case Images:
		return 20 // it is written in pieces
	case market.KindProducts:
		return 4 // it is in many indexes
	default:
		return 1
	}
}

// progress counts, for all goroutines of a move.
type progress struct {
	mu     sync.Mutex
	tell   func(Step)
	counts map[market.Kind]int
	before int // of the whole move, what is through
	now    Step
}

func newProgress(parts []part, again bool, tell func(Step)) *progress {
	p := &progress{tell: tell, counts: map[market.Kind]int{}}
	phases := 2
	if again {
		phases = 3
	}
	for _, part := range parts {
		p.counts[part.kind] = part.count
		p.now.AllOf += phases * part.count * weight(part.kind)
	}
	return p
}

// of counts what a phase has done of a kind.
func (p *progress) of(phase Phase, kind market.Kind) func(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Phase, p.now.Kind, p.now.Done, p.now.Of = phase, kind, 0, p.counts[kind]
	return func(n int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.now.Done = min(p.now.Done+n, p.now.Of)
		p.now.All = p.before + p.now.Done*weight(kind)
		p.say()
	}
}

// finish reports that the phase has finished a part.
func (p *progress) finish(done part) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before += done.count * weight(done.kind)
	p.now.Done, p.now.All = done.count, p.before
	if done.count > 0 {
		p.say()
	}
}

func (p *progress) say() {
	if p.tell != nil {
		p.tell(p.now)
	}
}
