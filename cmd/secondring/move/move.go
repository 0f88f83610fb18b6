package move

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"secondring/market"
)

// Images is the kind of images in progress reports, in addition to market.Kinds.
const Images market.Kind = "images"

// workers is how many batches are on their way to the target at once.
const workers = 4

// Move is one move.
type Move struct {
	From market.Source
	To   market.Target
	// Pictures are the images; nil where there are none.
	Pictures *Gallery
	// Mine tells whether a setting belongs to the target itself and not to the market.
	Mine func(name string) bool
	// Again says that the target may have a part of the data already.
	Again bool
	// Tell is called with each step. Calls do not overlap.
	Tell func(Step)
}

// Result is the number and checksum of the copied entities of one kind.
type Result struct {
	Kind market.Kind
	Sum
}

// Different is the error for a target that differs from the source at the end.
type Different struct{ Kinds []Difference }

// Difference is one kind that differs.
type Difference struct {
	Kind     market.Kind
	From, To Sum
}

// Error names the kinds.
func (d *Different) Error() string {
	var all []string
	for _, k := range d.Kinds {
		all = append(all, fmt.Sprintf("%s (%d with checksum %s, but in the new store %d with %s)",
			k.Kind, k.From.Count, k.From, k.To.Count, k.To))
	}
	return "the new store is not like the old one: " + strings.Join(all, ", ")
}

// Run copies everything and returns what; the error is a *Different if the target differs
// from the source afterwards.
func (m *Move) Run(ctx context.Context) ([]Result, error) {
	parts, err := m.parts(ctx)
	if err != nil {
		return nil, err
	}
	p := newProgress(parts, m.Again, m.Tell)
	for _, part := range parts {
		if m.Again {
			if err := part.prune(ctx, p.of(Looking, part.kind)); err != nil {
				return nil, err
			}
			p.finish(part)
		}
		if err := part.fill(ctx, p.of(Copying, part.kind)); err != nil {
			return nil, err
		}
		p.finish(part)
	}
	return verify(ctx, parts, p)
}

// part is everything of one kind. Parts are moved one by one.
type part struct {
	kind  market.Kind
	count int
	// prune forgets what the target has and the source has not, or has otherwise.
	prune func(ctx context.Context, done func(n int)) error
	// fill stores what the target has not.
	fill func(ctx context.Context, done func(n int)) error
	// sums read both from end to end.
	from, to func(ctx context.Context, done func(n int)) (Sum, error)
}

func (m *Move) parts(ctx context.Context) ([]part, error) {
	var all []part
	if m.Pictures != nil {
		pictures, err := m.Pictures.part(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, pictures)
	}
	for _, kind := range market.Kinds() {
		count, err := m.From.Count(ctx, kind)
		if err != nil {
			return nil, err
		}
		all = append(all, part{
			kind: kind, count: count,
			prune: func(ctx context.Context, done func(int)) error { return m.prune(ctx, kind, done) },
			fill:  func(ctx context.Context, done func(int)) error { return m.fill(ctx, kind, done) },
			from: func(ctx context.Context, done func(int)) (Sum, error) {
				return m.sum(ctx, kind, m.From.Each, done)
			},
			to: func(ctx context.Context, done func(int)) (Sum, error) {
				return m.sum(ctx, kind, m.To.Each, done)
			},
		})
	}
	return all, nil
}

func (m *Move) prune(ctx context.Context, kind market.Kind, done func(int)) error {
	return m.To.Each(ctx, kind, func(some []market.Item) error {
		some = m.ofMarket(some)
		wanted, err := m.From.Like(ctx, kind, some)
		if err != nil {
			return err
		}
		is := map[digest]bool{}
		for _, item := range wanted {
			d, err := digestOf(item)
			if err != nil {
				return err
			}
			is[d] = true
		}
		var others []market.Item
		for _, item := range some {
			d, err := digestOf(item)
			if err != nil {
				return err
			}
			if !is[d] {
				others = append(others, item)
			}
		}
		done(len(some))
		return m.To.Forget(ctx, kind, others)
	})
}

func (m *Move) fill(ctx context.Context, kind market.Kind, done func(int)) error {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(workers)
	err := m.From.Each(ctx, kind, func(some []market.Item) error {
		all.Go(func() error {
			if err := m.To.Put(ctx, kind, some); err != nil {
				return err
			}
			done(len(some))
			return nil
		})
		return ctx.Err()
	})
	if failed := all.Wait(); failed != nil { // the cause; the reading was only stopped by it
		return failed
	}
	return err
}

// ofMarket leaves out what belongs to the target itself.
func (m *Move) ofMarket(some []market.Item) (rest []market.Item) {
	for _, item := range some {
		if s, ok := item.(market.Setting); !ok || m.Mine == nil || !m.Mine(s.Name) {
			rest = append(rest, item)
		}
	}
	return rest
}

// each is Source.Each or Target.Each.
type each func(ctx context.Context, kind market.Kind, do func([]market.Item) error) error

func (m *Move) sum(ctx context.Context, kind market.Kind, from each, done func(int)) (sum Sum, err error) {
	err = from(ctx, kind, func(some []market.Item) error {
		for _, item := range m.ofMarket(some) {
			d, err := digestOf(item)
			if err != nil {
				return err
			}
			sum.add(d)
		}
		done(len(some))
		return nil
	})
	return sum, err
}

// verify reads both stores concurrently.
func verify(ctx context.Context, parts []part, p *progress) (all []Result, err error) {
	var different Different
	for _, part := range parts {
		var from, to Sum
		both, ctx := errgroup.WithContext(ctx)
		both.Go(func() (err error) {
			from, err = part.from(ctx, func(int) {})
			return err
		})
		both.Go(func() (err error) {
			to, err = part.to(ctx, p.of(Verifying, part.kind))
			return err
		})
		if err := both.Wait(); err != nil {
			return nil, err
		}
		p.finish(part)
		if from != to {
			different.Kinds = append(different.Kinds, Difference{part.kind, from, to})
		}
		all = append(all, Result{part.kind, from})
	}
	if different.Kinds != nil {
		return all, &different
	}
	return all, nil
}

// IsEmpty tells whether a target holds nothing of a market.
func (m *Move) IsEmpty(ctx context.Context) (bool, error) {
	for _, kind := range market.Kinds() {
		err := m.To.Each(ctx, kind, func(some []market.Item) error {
			if len(m.ofMarket(some)) > 0 {
				return errThere
			}
			return nil
		})
		if err != nil {
			return false, ignore(err, errThere)
		}
	}
	if m.Pictures == nil {
		return true, nil
	}
	return m.Pictures.isEmpty(ctx)
}

// errThere ends a look at what is there.
var errThere = errors.New("there is something")

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
