package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"secondring/market"
)

// Kind declares the entities of one type: how they become documents, and by what they are found.
type Kind[T any] struct {
	Info
	singular string // for errors
	id       func(T) string
	version  func(*T) *int64 // nil if only the document has a version
	keys     func(T) Keys
	due      func(T) (queue string, at time.Time)
	expires  func(T) time.Time
	search   func(T) SearchEntry
}

// stored is an entity with the version of its document.
type stored[T any] struct {
	value   T
	version int64
}

// write returns the write of an entity that has changed.
func (k *Kind[T]) write(op Op, v T, version int64, effects []market.Effect) (Write, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return Write{}, err
	}
	w := Write{
		Op: op, Kind: &k.Info, Doc: Doc{ID: k.id(v), Version: version, Body: body}, Keys: k.keys(v),
		Events: market.EventsOf(effects), entity: entityOf(v), effects: effects,
	}
	if k.due != nil {
		w.Queue, w.Due = k.due(v)
	}
	if k.expires != nil {
		w.Expires = k.expires(v)
	}
	w.Follow, err = following(effects)
	return w, err
}

// info returns what an engine knows of the kind.
func (k *Kind[T]) info() *Info {
	k.Info.rebuild, k.Info.search = k.rebuild, k.searchEntry
	return &k.Info
}

// rebuild returns the write that adds a document of another store, with the keys that this program
// computes.
func (k *Kind[T]) rebuild(doc Doc) (Write, error) {
	v, err := k.decode(doc)
	if err != nil {
		return Write{}, err
	}
	return k.write(Add, v, doc.Version, nil)
}

func (k *Kind[T]) searchEntry(doc Doc) (SearchEntry, error) {
	v, err := k.decode(doc)
	if err != nil {
		return SearchEntry{}, err
	}
	return k.search(v), nil
}

func (k *Kind[T]) versionOf(v T) int64 {
	if k.version == nil {
		return 1
	}
	return *k.version(&v)
}

// add stores a new entity. It returns ErrExists if its ID or another unique key is taken.
func (k *Kind[T]) add(ctx context.Context, s *Store, v T, effects []market.Effect) error {
	w, err := k.write(Add, v, k.versionOf(v), effects)
	return s.write(ctx, "add "+k.singular, w, err)
}

// save replaces the entity with the same ID, whose version must be one below.
func (k *Kind[T]) save(ctx context.Context, s *Store, v T, effects []market.Effect) error {
	w, err := k.write(Replace, v, k.versionOf(v), effects)
	return s.write(ctx, "save "+k.singular, w, err)
}

// remove removes the entity with the same ID, whose version must be one below.
func (k *Kind[T]) remove(ctx context.Context, s *Store, v T, effects []market.Effect) error {
	w, err := k.write(Remove, v, k.versionOf(v), effects)
	return s.write(ctx, "remove "+k.singular, w, err)
}

// drop removes the entity with the same ID, whatever its version is. It stores the effects even if
// there is none.
func (k *Kind[T]) drop(ctx context.Context, s *Store, v T, effects []market.Effect) error {
	w, err := k.write(Drop, v, 0, effects)
	return s.write(ctx, "remove "+k.singular, w, err)
}

// change changes the entity with an ID. It reads it again if somebody else has changed it in
// between. do returns false to change nothing.
func (k *Kind[T]) change(ctx context.Context, s *Store, id string, do func(*T) bool) error {
	for {
		all, err := k.docs(ctx, s, id)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return fmt.Errorf("%s: %w", k.singular, market.ErrNotFound)
		}
		v := all[0]
		if !do(&v.value) {
			return nil
		}
		version := v.version + 1
		if k.version != nil {
			*k.version(&v.value) = version
		}
		w, err := k.write(Replace, v.value, version, nil)
		if err = s.write(ctx, "change "+k.singular, w, err); !errors.Is(err, market.ErrConflict) {
			return err
		}
	}
}

// docs returns the entities that exist of these IDs, with the versions of their documents.
func (k *Kind[T]) docs(ctx context.Context, s *Store, ids ...string) ([]stored[T], error) {
	docs, err := s.engine.Get(ctx, &k.Info, ids...)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", k.Name, err)
	}
	all := make([]stored[T], len(docs))
	for i, doc := range docs {
		if all[i].value, err = k.decode(doc); err != nil {
			return nil, err
		}
		all[i].version = doc.Version
	}
	return all, nil
}

func (k *Kind[T]) decode(doc Doc) (v T, err error) {
	if err := json.Unmarshal(doc.Body, &v); err != nil {
		return v, fmt.Errorf("read %s %s: %w", k.singular, doc.ID, err)
	}
	if k.version != nil {
		*k.version(&v) = doc.Version // a restore raises only the version of the document
	}
	return v, nil
}

func (k *Kind[T]) decodeAll(docs []Doc, err error) ([]T, error) {
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", k.Name, err)
	}
	all := make([]T, len(docs))
	for i, doc := range docs {
		if all[i], err = k.decode(doc); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// get returns the entity with an ID, or ErrNotFound.
func (k *Kind[T]) get(ctx context.Context, s *Store, id string) (T, error) {
	return k.only(k.several(ctx, s, id))
}

// several returns the entities that exist of these IDs, in any order.
func (k *Kind[T]) several(ctx context.Context, s *Store, ids ...string) ([]T, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	docs, err := s.engine.Get(ctx, &k.Info, ids...)
	return k.decodeAll(docs, err)
}

// newest returns the newest entity with these keys, or ErrNotFound.
func (k *Kind[T]) newest(ctx context.Context, s *Store, where Keys) (T, error) {
	return k.only(k.find(ctx, s, Find{Where: where, Limit: 1}))
}

func (k *Kind[T]) only(all []T, err error) (T, error) {
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s: %w", k.singular, market.ErrNotFound)
	}
	if err != nil {
		var none T
		return none, err
	}
	return all[0], nil
}

// find returns the entities of a page.
func (k *Kind[T]) find(ctx context.Context, s *Store, f Find) ([]T, error) {
	found, err := s.engine.Find(ctx, &k.Info, f)
	return k.decodeAll(found.Docs, err)
}

// page returns a page without its total.
func (k *Kind[T]) page(ctx context.Context, s *Store, where Keys, p market.Page) ([]T, error) {
	return k.find(ctx, s, Find{Where: where, After: p.After, Limit: max(p.Limit, 1)})
}

// upwards is page in the ascending order.
func (k *Kind[T]) upwards(ctx context.Context, s *Store, where Keys, p market.Page) ([]T, error) {
	return k.find(ctx, s, Find{Where: where, After: p.After, Limit: max(p.Limit, 1), Ascending: true})
}

// list returns a page with its total, which is counted to countTo.
func (k *Kind[T]) list(ctx context.Context, s *Store, where Keys, p market.Page, countTo int) (market.List[T], error) {
	found, err := s.engine.Find(ctx, &k.Info, Find{Where: where, After: p.After, Limit: max(p.Limit, 1), CountTo: countTo})
	items, err := k.decodeAll(found.Docs, err)
	return market.List[T]{Items: items, Total: found.Total, More: found.More}, err
}

// count returns the number of entities in a list.
func (k *Kind[T]) count(ctx context.Context, s *Store, where Keys) (int, error) {
	found, err := s.engine.Find(ctx, &k.Info, Find{Where: where, CountTo: CountAll})
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", k.Name, err)
	}
	return found.Total, nil
}

// all returns a whole list, the newest first.
func (k *Kind[T]) all(ctx context.Context, s *Store, where Keys) ([]T, error) {
	return k.find(ctx, s, Find{Where: where, Limit: noLimit})
}

// until returns what is due at a time.
func (k *Kind[T]) until(ctx context.Context, s *Store, queue string, now time.Time, limit int) ([]T, error) {
	return k.between(ctx, s, queue, time.UnixMilli(math.MinInt32), now, limit)
}

func (k *Kind[T]) between(ctx context.Context, s *Store, queue string, from, to time.Time, limit int) ([]T, error) {
	docs, err := s.engine.Due(ctx, &k.Info, queue, from, to, limit)
	return k.decodeAll(docs, err)
}

func (k *Kind[T]) purge(ctx context.Context, s *Store, before time.Time, limit int) (int, error) {
	n, err := s.engine.Purge(ctx, &k.Info, before, limit)
	if err != nil {
		return 0, fmt.Errorf("purge %s: %w", k.Name, err)
	}
	return n, nil
}

// following returns the writes that add the documents of effects.
func following(effects []market.Effect) (all []Write, err error) {
	for _, effect := range effects {
		var w Write
		switch e := effect.(type) {
		case market.Event:
			continue
		case market.Notification:
			w, err = notifications.write(Add, e, e.Version, nil)
		case market.AuditEntry:
			w, err = auditEntries.write(Add, e, auditEntries.versionOf(e), nil)
		case market.LedgerEntry:
			w, err = ledger.write(Add, e, ledger.versionOf(e), nil)
		case market.Message:
			w, err = messages.write(Add, e, e.Version, nil)
		case market.Offer:
			w, err = offers.write(Add, e, e.Version, nil)
		case market.Report:
			w, err = reports.write(Add, e, e.Version, nil)
		case market.HiddenPhone:
			w, err = hiddenPhones.write(Add, e, 1, nil)
		case market.Record:
			w, err = records.write(Add, e, e.Version, nil)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

// noLimit is a Find.Limit that no list reaches.
const noLimit = math.MaxInt32
