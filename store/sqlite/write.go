package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"secondring/market"
	"secondring/store"
)

// Write makes a change of one document, durably.
func (e *Engine) Write(ctx context.Context, w store.Write) error {
	return e.write(ctx, func(c *conn) error { return c.apply(w) })
}

// apply makes a change in a transaction.
func (c *conn) apply(w store.Write) error {
	if err := c.checkNeeds(w.Needs); err != nil {
		return err
	}
	if err := c.put(w); err != nil {
		return err
	}
	if err := c.putMany(w); err != nil {
		return err
	}
	if err := c.markStale(w); err != nil {
		return err
	}
	for _, event := range w.Events {
		if err := c.addEvent(event); err != nil {
			return err
		}
	}
	for _, follower := range w.Follow {
		err := c.apply(follower)
		if err != nil && !errors.Is(err, market.ErrExists) {
			return err
		}
	}
	return nil
}

// checkNeeds returns ErrNotFound if the document that a write needs is not there.
func (c *conn) checkNeeds(need *store.Ref) error {
	if need == nil {
		return nil
	}
	text := fmt.Sprintf("SELECT 1 FROM %s WHERE id = ? AND ifnull(%s < ?, 1)", quote(need.Kind.Name), quote(need.Key))
	return c.row(text, []any{new(int)}, need.ID, need.Below)
}

// put adds, replaces or removes the row of a document.
func (c *conn) put(w store.Write) error {
	switch w.Op {
	case store.Drop:
		_, err := c.exec("DELETE FROM "+quote(w.Kind.Name)+" WHERE id = ?", w.ID)
		return err
	case store.Remove:
		changed, err := c.exec("DELETE FROM "+quote(w.Kind.Name)+" WHERE id = ? AND version = ?", w.ID, w.Version-1)
		return c.checkChanged(w, changed, err)
	case store.Add:
		names, marks, values := row(w)
		changed, err := c.exec(fmt.Sprintf("INSERT INTO %s (id, %s) VALUES (?, %s) ON CONFLICT DO NOTHING",
			quote(w.Kind.Name), strings.Join(names, ", "), strings.Join(marks, ", ")), append([]any{w.ID}, values...)...)
		if err != nil || changed > 0 {
			return err
		}
		return c.takenError(w)
	default:
		names, _, values := row(w)
		changed, err := c.exec(fmt.Sprintf("UPDATE OR IGNORE %s SET %s = ? WHERE id = ? AND version = ?",
			quote(w.Kind.Name), strings.Join(names, " = ?, ")), append(values, w.ID, w.Version-1)...)
		return c.checkChanged(w, changed, err)
	}
}

// row returns the columns of a document, except the ID, and their values.
func row(w store.Write) (names, marks []string, values []any) {
	add := func(name string, value any) {
		names, marks, values = append(names, name), append(marks, "?"), append(values, value)
	}
	add("version", w.Version)
	add("body", string(w.Body))
	add("queue", nullable(w.Queue, w.Queue != "" && !w.Due.IsZero()))
	add("due", nullable(w.Due.UnixMilli(), !w.Due.IsZero()))
	add("expires", nullable(w.Expires.UnixMilli(), !w.Expires.IsZero()))
	for _, key := range w.Kind.Fields() {
		value := w.Keys[key]
		add(quote(key), nullable(value, value != ""))
	}
	return names, marks, values
}

func nullable(value any, present bool) any {
	if !present {
		return nil
	}
	return value
}

// checkChanged returns why a compare-and-set changed nothing.
func (c *conn) checkChanged(w store.Write, changed int64, err error) error {
	if err != nil || changed > 0 {
		return err
	}
	var version int64
	if err := c.row("SELECT version FROM "+quote(w.Kind.Name)+" WHERE id = ?", []any{&version}, w.ID); err != nil {
		return err
	}
	if version != w.Version-1 {
		return market.ErrConflict
	}
	return c.takenError(w)
}

// takenError returns the error of a document whose ID or unique key another one has.
func (c *conn) takenError(w store.Write) error {
	table := quote(w.Kind.Name)
	if found, err := c.has("SELECT 1 FROM "+table+" WHERE id = ?", w.ID); err != nil || found && w.Op == store.Add {
		return errors.Join(err, market.ErrExists)
	}
	for _, keys := range w.Kind.Unique {
		text, args := "SELECT 1 FROM "+table+" WHERE id <> ?", []any{w.ID}
		for _, key := range keys {
			text, args = text+" AND "+quote(key)+" = ?", append(args, w.Keys[key])
		}
		if found, err := c.has(text, args...); err != nil || found {
			return errors.Join(err, &store.TakenError{Unique: keys})
		}
	}
	return market.ErrExists
}

// putMany stores the values of the keys that have several.
func (c *conn) putMany(w store.Write) error {
	if len(w.Kind.Many) == 0 {
		return nil
	}
	table := manyTable(w.Kind)
	before := map[[2]string]bool{}
	if w.Op != store.Add {
		err := c.each("SELECT key, value FROM "+table+" WHERE id = ?", []any{w.ID}, func(scan func(...any) error) error {
			var key, value string
			err := scan(&key, &value)
			before[[2]string{key, value}] = true
			return err
		})
		if err != nil {
			return err
		}
	}
	if w.Op == store.Add || w.Op == store.Replace {
		for _, key := range w.Kind.Many {
			values, _ := w.Keys[key].([]string)
			for _, value := range values {
				pair := [2]string{key, value}
				if before[pair] {
					delete(before, pair)
					continue
				}
				if _, err := c.exec("INSERT OR IGNORE INTO "+table+" VALUES (?, ?, ?)", key, value, w.ID); err != nil {
					return err
				}
			}
		}
	}
	for pair := range before {
		if _, err := c.exec("DELETE FROM "+table+" WHERE key = ? AND value = ? AND id = ?", pair[0], pair[1], w.ID); err != nil {
			return err
		}
	}
	return nil
}

// Purge removes up to limit documents that expired before that time, the oldest first.
func (e *Engine) Purge(ctx context.Context, kind *store.Info, before time.Time, limit int) (purged int, err error) {
	err = e.write(ctx, func(c *conn) error {
		var ids []string
		err := c.each("SELECT id FROM "+quote(kind.Name)+" WHERE expires < ? ORDER BY expires LIMIT ?", []any{before.UnixMilli(), limit},
			func(scan func(...any) error) error {
				var id string
				err := scan(&id)
				ids = append(ids, id)
				return err
			})
		if err != nil {
			return err
		}
		purged = len(ids)
		for _, id := range ids {
			if err := c.apply(store.Write{Op: store.Drop, Kind: kind, Doc: store.Doc{ID: id}}); err != nil {
				return err
			}
		}
		return nil
	})
	return purged, err
}

func (c *conn) addEvent(e market.Event) error {
	_, err := c.exec("INSERT INTO outbox (topic, type, entity, version, at, data) VALUES (?, ?, ?, ?, ?, ?)",
		e.Topic, e.Type, e.Entity, e.Version, e.At.UnixMilli(), string(e.Data))
	return err
}

// PendingEvents returns the oldest events that are not published, in the order of their commits.
func (e *Engine) PendingEvents(ctx context.Context, limit int) (all []market.Event, err error) {
	err = e.read(ctx, func(c *conn) error {
		all = nil
		return c.each("SELECT seq, topic, type, entity, version, at, data FROM outbox ORDER BY seq LIMIT ?", []any{limit}, func(scan func(...any) error) error {
			var v market.Event
			var at int64
			var data string
			err := scan(&v.Seq, &v.Topic, &v.Type, &v.Entity, &v.Version, &at, &data)
			v.At = time.UnixMilli(at).UTC()
			if data != "" {
				v.Data = json.RawMessage(data)
			}
			all = append(all, v)
			return err
		})
	})
	return all, err
}

// EventsPublished deletes published events, by their Seq.
func (e *Engine) EventsPublished(ctx context.Context, events []market.Event) error {
	if len(events) == 0 {
		return nil
	}
	var seqs []int64
	for _, event := range events {
		seqs = append(seqs, event.Seq)
	}
	return e.write(ctx, func(c *conn) error {
		_, err := c.exec("DELETE FROM outbox WHERE seq IN (SELECT value FROM json_each(?))", list(seqs))
		return err
	})
}

// Backlog counts the events that are not published, up to limit.
func (e *Engine) Backlog(ctx context.Context, limit int) (market.Backlog, error) {
	events, err := e.PendingEvents(ctx, limit)
	if err != nil || len(events) == 0 {
		return market.Backlog{}, err
	}
	oldest := slices.MinFunc(events, func(a, b market.Event) int { return a.At.Compare(b.At) })
	return market.Backlog{Events: len(events), Oldest: oldest.At}, nil
}
