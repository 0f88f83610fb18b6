// Package store implements market.Store once, over an Engine that stores documents.
//
//	engine.go   what an engine does, and what it knows of a kind
//	kinds.go    the declaration of each kind: its keys, its queues, when it expires
//	kind.go     how an entity becomes a document, and is read again
//	people.go, products.go, bookings.go, …  the typed reads and writes of market.Store
//
// An engine knows no entity. To add a field to an entity, change market only. To add a kind,
// declare it in kinds.go and write its methods. docs/adr/0035-documents.md has the reasons.
package store

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"secondring/market"
)

// Store is a market.Store. It is safe for concurrent use.
type Store struct {
	engine Engine
	hook   market.StoreHook // the outermost
}

var _ market.Store = (*Store)(nil)

// New returns the store over an engine.
func New(engine Engine) *Store {
	return &Store{engine, func(_ context.Context, _ market.StoreCall, do func() error) error { return do() }}
}

// Hooked returns the same store with a hook around its writes and the reads of the outbox.
func (s *Store) Hooked(hook market.StoreHook) market.Store {
	return &Store{s.engine, func(ctx context.Context, call market.StoreCall, do func() error) error {
		return hook(ctx, call, func() error { return s.hook(ctx, call, do) })
	}}
}

// write makes a write whose preparation has returned err.
func (s *Store) write(ctx context.Context, operation string, w Write, err error) error {
	if err == nil {
		call := market.StoreCall{Op: hookOps[w.Op], Entity: w.entity, Effects: w.effects, Due: w.due()}
		err = s.hook(ctx, call, func() error { return s.engine.Write(ctx, w) })
	}
	if err != nil {
		return fmt.Errorf("%s: %w", operation, err)
	}
	return s.trimNotifications(ctx, w.Follow)
}

// due returns when the documents of a write are due.
func (w *Write) due() (all []market.Due) {
	if len(w.Events) > 0 {
		all = append(all, market.Due{Queue: market.EventsQueue})
	}
	add := func(one *Write) {
		if one.Queue != "" && !one.Due.IsZero() && one.Op <= Replace {
			all = append(all, market.Due{Queue: one.Queue, At: one.Due})
		}
	}
	add(w)
	for i := range w.Follow {
		add(&w.Follow[i])
	}
	return all
}

// hookOps are the operations that hooks get.
var hookOps = map[Op]market.StoreOp{Add: market.OpAdd, Replace: market.OpSave, Remove: market.OpRemove, Drop: market.OpRemove}

// atOnce makes a write for each of several items, up to maxAtOnce at the same time. So SQLite commits
// several of them together, and the round trips to MongoDB overlap.
func atOnce[T any](ctx context.Context, items []T, do func(ctx context.Context, item T) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxAtOnce)
	for _, item := range items {
		group.Go(func() error { return do(ctx, item) })
	}
	return group.Wait()
}

const maxAtOnce = 64

func ignoreNotFound(err error) error {
	if errors.Is(err, market.ErrNotFound) {
		return nil
	}
	return err
}

// Meta returns a named setting of the store itself; "" if it is not set.
func (s *Store) Meta(ctx context.Context, name string) (string, error) {
	all, err := settings.several(ctx, s, name)
	if err != nil || len(all) == 0 {
		return "", err
	}
	return all[0].Value, nil
}

// SetMeta sets a setting. It returns ErrExists if it is set already.
func (s *Store) SetMeta(ctx context.Context, name, value string) error {
	return settings.add(ctx, s, setting{name, value}, nil)
}

// Ping returns an error if the engine does not answer.
func (s *Store) Ping(ctx context.Context) error { return s.engine.Ping(ctx) }

// Close closes the engine. Calls after it fail.
func (s *Store) Close() error { return s.engine.Close() }

// PendingEvents returns the oldest unpublished events.
func (s *Store) PendingEvents(ctx context.Context, limit int) (events []market.Event, err error) {
	err = s.hook(ctx, market.StoreCall{Op: market.OpRead}, func() error {
		events, err = s.engine.PendingEvents(ctx, limit)
		return err
	})
	return events, err
}

// EventsPublished deletes published events.
func (s *Store) EventsPublished(ctx context.Context, events []market.Event) error {
	return s.engine.EventsPublished(ctx, events)
}

// Backlog counts the unpublished events, up to limit.
func (s *Store) Backlog(ctx context.Context, limit int) (backlog market.Backlog, err error) {
	err = s.hook(ctx, market.StoreCall{Op: market.OpRead}, func() error {
		backlog, err = s.engine.Backlog(ctx, limit)
		return err
	})
	return backlog, err
}
