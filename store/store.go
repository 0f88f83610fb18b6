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
	"fmt"

	"secondring/market"
)

// Store is a market.Store. It is safe for concurrent use.
type Store struct{ engine Engine }

var _ market.Store = (*Store)(nil)

// New returns the store over an engine.
func New(engine Engine) *Store { return &Store{engine} }

// write makes a write whose preparation has returned err.
func (s *Store) write(ctx context.Context, operation string, w Write, err error) error {
	if err == nil {
		err = s.engine.Write(ctx, w)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", operation, err)
	}
	return s.trimNotifications(ctx, w.Follow)
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
func (s *Store) PendingEvents(ctx context.Context, limit int) ([]market.Event, error) {
	return s.engine.PendingEvents(ctx, limit)
}

// EventsPublished deletes published events.
func (s *Store) EventsPublished(ctx context.Context, events []market.Event) error {
	return s.engine.EventsPublished(ctx, events)
}

// Backlog counts the unpublished events, up to limit.
func (s *Store) Backlog(ctx context.Context, limit int) (market.Backlog, error) {
	return s.engine.Backlog(ctx, limit)
}
