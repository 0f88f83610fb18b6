package market

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// A block is a record with an ID of blockID. After a change it is due until the threads of the two have
// followed, so that they do after a crash, too.

const blockKind = "block"

func blockID(by, whom string) string { return by + " " + whom }

// block is the data of its record. One that has ended stays until the last thread of the two is deleted.
type block struct {
	At    time.Time // of the last change
	Ended bool
}

func blockOf(r Record) (b block, err error) {
	err = json.Unmarshal(r.Data, &b)
	return b, err
}

// notBlocked returns CodeBlocked if one of two people has blocked the other.
func (m *Market) notBlocked(ctx context.Context, uid, other string) error {
	blocked, err := m.blocks(ctx, []string{blockID(uid, other), blockID(other, uid)})
	switch {
	case err != nil:
		return err
	case blocked[blockID(uid, other)]:
		return refuse(CodeBlocked, "You have blocked this person. Unblock them to write")
	case len(blocked) > 0:
		return refuse(CodeBlocked, "You cannot write to this person")
	}
	return nil
}

// blocks returns which of these blocks there are.
func (m *Market) blocks(ctx context.Context, ids []string) (map[string]bool, error) {
	found, err := m.store.RecordsByID(ctx, blockKind, ids)
	blocked := map[string]bool{}
	for _, r := range found {
		b, failure := blockOf(r)
		if err = errors.Join(err, failure); !b.Ended {
			blocked[r.ID] = true
		}
	}
	return blocked, err
}

// Block blocks the other side of a thread, in all threads of the two, and ends the offers between them.
// It returns 0 if they are blocked already.
func (m *Market) Block(ctx context.Context, who Actor, id string) (int, error) {
	return m.setBlock(ctx, who, id, true)
}

// Unblock ends a block. It returns 0 if there is none.
func (m *Market) Unblock(ctx context.Context, who Actor, id string) (int, error) {
	return m.setBlock(ctx, who, id, false)
}

func (m *Market) setBlock(ctx context.Context, who Actor, id string, isBlocked bool) (changed int, err error) {
	t, err := m.ownThread(ctx, who, id)
	if err != nil {
		return 0, err
	}
	r, changed, err := m.saveBlock(ctx, blockID(who.User.UID, t.other(who.User.UID)), isBlocked)
	if err != nil || r.Due.IsZero() {
		return changed, err
	}
	return changed, m.followBlock(ctx, r)
}

// saveBlock stores a block or its end. It returns its record, and 0 if it was stored already.
func (m *Market) saveBlock(ctx context.Context, id string, isBlocked bool) (r Record, changed int, err error) {
	for {
		r, err = m.store.Record(ctx, blockKind, id)
		isNew := errors.Is(err, ErrNotFound)
		if ignoreNotFound(err) != nil {
			return r, 0, err
		}
		before := block{Ended: true}
		if !isNew {
			if before, err = blockOf(r); err != nil {
				return r, 0, err
			}
		}
		if before.Ended != isBlocked {
			return r, 0, nil
		}
		now := m.clock.Now()
		r = Record{Kind: blockKind, ID: id, Data: encode(block{At: now, Ended: !isBlocked}), Due: now, Version: r.Version + 1}
		if isNew {
			err = m.store.AddRecord(ctx, r, nil)
		} else {
			err = m.store.SaveRecord(ctx, r)
		}
		if !IsTaken(err) {
			return r, 1, err
		}
	}
}

// followBlock ends the offers between the two of a new block, and shows its person the block or its end.
func (m *Market) followBlock(ctx context.Context, r Record) error {
	b, err := blockOf(r)
	if err != nil {
		return err
	}
	uid, other, _ := strings.Cut(r.ID, " ")
	err = m.eachThreadOfPair(ctx, pairOf(uid, other), func(t Thread) error {
		// The thread first, so that no line or offer is added by a call that has not seen the block.
		err := m.changeThread(ctx, t.ID, func(*Thread) ([]string, error) { return []string{uid}, nil })
		if err != nil || b.Ended {
			return err
		}
		return m.endOffersOf(ctx, t)
	})
	if err != nil {
		return err
	}
	r.Due = time.Time{}
	r.Version++
	return ignoreConflict(m.store.SaveRecord(ctx, r))
}

func (m *Market) endOffersOf(ctx context.Context, t Thread) error {
	offers, err := m.store.OffersOfThread(ctx, t.ID)
	for _, o := range offers {
		err = errors.Join(err, m.endOffer(ctx, o.ID, OfferGone))
	}
	return err
}
