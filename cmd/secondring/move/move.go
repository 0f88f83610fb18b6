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

// workers is the number of batches that are written into the target concurrently.
const workers = 4

// Move copies a market from a store into another.
type Move struct {
	From market.Source
	To   market.Target
	// Images are the image buckets; nil if no images are moved.
	Images *ImageBuckets
	// IsTargetSetting returns whether a setting belongs to the target and not to the market.
	// Nil means that none does.
	IsTargetSetting func(name string) bool
	// Resume means that the target may have a part of the data already.
	Resume bool
	// Progress is called with each step, unless it is nil. Calls do not overlap.
	Progress func(Step)
}

// Result is the number and checksum of the copied entities of one kind.
type Result struct {
	Kind market.Kind
	Sum
}

// MismatchError means that the target differs from the source after the move.
type MismatchError struct{ Kinds []Mismatch }

// Mismatch is a kind whose entities differ.
type Mismatch struct {
	Kind     market.Kind
	From, To Sum
}

// Error lists the kinds with the count and checksum of both stores.
func (d *MismatchError) Error() string {
	var all []string
	for _, k := range d.Kinds {
		all = append(all, fmt.Sprintf("%s (%d with checksum %s, but in the new store %d with %s)",
			k.Kind, k.From.Count, k.From, k.To.Count, k.To))
	}
	return "the new store is not like the old one: " + strings.Join(all, ", ")
}

// Run copies everything and returns the number and checksum of each kind. It returns a
// *MismatchError if the target differs from the source afterwards.
func (m *Move) Run(ctx context.Context) ([]Result, error) {
	parts, err := m.parts(ctx)
	if err != nil {
		return nil, err
	}
	p := newProgress(parts, m.Resume, m.Progress)
	for _, part := range parts {
		if m.Resume {
			if err := part.prune(ctx, p.start(Pruning, part.kind)); err != nil {
				return nil, err
			}
			p.finish(part)
		}
		if err := part.copyMissing(ctx, p.start(Copying, part.kind)); err != nil {
			return nil, err
		}
		p.finish(part)
	}
	return verify(ctx, parts, p)
}

// part is all entities of one kind. Parts are moved one after another.
type part struct {
	kind  market.Kind
	count int
	// prune deletes the entities of the target that the source does not have, or that differ
	// from the source's. It calls done with the number of entities that it has compared.
	prune func(ctx context.Context, done func(n int)) error
	// copyMissing copies the entities that the target does not have.
	copyMissing func(ctx context.Context, done func(n int)) error
	// from and to return the sums of the source and the target. They read all entities.
	from, to func(ctx context.Context, done func(n int)) (Sum, error)
}

func (m *Move) parts(ctx context.Context) ([]part, error) {
	var all []part
	if m.Images != nil {
		pictures, err := m.Images.part(ctx)
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
			prune:       func(ctx context.Context, done func(int)) error { return m.prune(ctx, kind, done) },
			copyMissing: func(ctx context.Context, done func(int)) error { return m.copyMissing(ctx, kind, done) },
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
	return m.To.Each(ctx, kind, func(batch []market.Item) error {
		batch = m.withoutTargetSettings(batch)
		matching, err := m.From.Existing(ctx, kind, batch)
		if err != nil {
			return err
		}
		expected := map[digest]bool{}
		for _, item := range matching {
			d, err := digestOf(item)
			if err != nil {
				return err
			}
			expected[d] = true
		}
		var obsolete []market.Item
		for _, item := range batch {
			d, err := digestOf(item)
			if err != nil {
				return err
			}
			if !expected[d] {
				obsolete = append(obsolete, item)
			}
		}
		done(len(batch))
		return m.To.DeleteItems(ctx, kind, obsolete)
	})
}

func (m *Move) copyMissing(ctx context.Context, kind market.Kind, done func(int)) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	err := m.From.Each(ctx, kind, func(batch []market.Item) error {
		group.Go(func() error {
			if err := m.To.Put(ctx, kind, batch); err != nil {
				return err
			}
			done(len(batch))
			return nil
		})
		return ctx.Err()
	})
	if groupErr := group.Wait(); groupErr != nil { // the cause; err is only that the reading was stopped
		return groupErr
	}
	return err
}

// withoutTargetSettings returns a batch without the settings of the target itself.
func (m *Move) withoutTargetSettings(batch []market.Item) (rest []market.Item) {
	for _, item := range batch {
		if s, ok := item.(market.Setting); !ok || m.IsTargetSetting == nil || !m.IsTargetSetting(s.Name) {
			rest = append(rest, item)
		}
	}
	return rest
}

// eachFunc is the type of Source.Each and Target.Each.
type eachFunc func(ctx context.Context, kind market.Kind, do func([]market.Item) error) error

func (m *Move) sum(ctx context.Context, kind market.Kind, each eachFunc, done func(int)) (sum Sum, err error) {
	err = each(ctx, kind, func(batch []market.Item) error {
		for _, item := range m.withoutTargetSettings(batch) {
			d, err := digestOf(item)
			if err != nil {
				return err
			}
			sum.add(d)
		}
		done(len(batch))
		return nil
	})
	return sum, err
}

// verify reads both stores concurrently and compares their sums. It returns a
// *MismatchError if a kind differs.
func verify(ctx context.Context, parts []part, p *progress) (all []Result, err error) {
	var mismatch MismatchError
	for _, part := range parts {
		var from, to Sum
		both, ctx := errgroup.WithContext(ctx)
		both.Go(func() (err error) {
			from, err = part.from(ctx, func(int) {})
			return err
		})
		both.Go(func() (err error) {
			to, err = part.to(ctx, p.start(Verifying, part.kind))
			return err
		})
		if err := both.Wait(); err != nil {
			return nil, err
		}
		p.finish(part)
		if from != to {
			mismatch.Kinds = append(mismatch.Kinds, Mismatch{part.kind, from, to})
		}
		all = append(all, Result{part.kind, from})
	}
	if mismatch.Kinds != nil {
		return all, &mismatch
	}
	return all, nil
}

// IsEmpty returns whether the target has no data of a market.
func (m *Move) IsEmpty(ctx context.Context) (bool, error) {
	for _, kind := range market.Kinds() {
		err := m.To.Each(ctx, kind, func(batch []market.Item) error {
			if len(m.withoutTargetSettings(batch)) > 0 {
				return errNotEmpty
			}
			return nil
		})
		if err != nil {
			return false, ignore(err, errNotEmpty)
		}
	}
	if m.Images == nil {
		return true, nil
	}
	return m.Images.isEmpty(ctx)
}

// errNotEmpty stops the iteration at the first item.
var errNotEmpty = errors.New("not empty")

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
