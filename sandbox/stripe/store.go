package stripe

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"secondring/market"
)

// documentLifetime is how long an intent or an account is kept after its last change. It is longer
// than any hold.
const documentLifetime = 180 * 24 * time.Hour

// document is the content of a record: an intent or an account.
type document interface {
	kind() string   // of the record
	due() time.Time // when Step must process it; zero for never
}

// load reads a document and its version. It returns market.ErrNotFound if there is none.
func load[D document](ctx context.Context, s *Sandbox, id string) (*D, int64, error) {
	var d D
	record, err := s.config.Records.Record(ctx, d.kind(), id)
	if err == nil {
		err = json.Unmarshal(record.Data, &d)
	}
	return &d, record.Version, err
}

// create stores a new document and returns it. If an earlier run of the call has stored one,
// create returns that.
func create[D document](ctx context.Context, s *Sandbox, id string, d *D) (*D, error) {
	err := save(ctx, s, id, d, 1)
	if errors.Is(err, market.ErrExists) {
		d, _, err = load[D](ctx, s, id)
	}
	return d, err
}

// errUnchanged is the result of a step that leaves the document as it is.
var errUnchanged = errors.New("unchanged")

// change applies a step to a document, and repeats it after a concurrent write. A step that returns
// an error changes nothing, except for a declined payment, which is stored as well. change returns
// the document with the error of the step.
func change[D document](ctx context.Context, s *Sandbox, id string, step func(*D) error) (*D, error) {
	for {
		d, version, err := load[D](ctx, s, id)
		if err != nil {
			return nil, err
		}
		result := step(d)
		var f *failure
		switch isDeclined := errors.As(result, &f) && f.Type == cardError; {
		case errors.Is(result, errUnchanged):
			return d, nil
		case result != nil && !isDeclined:
			return d, result
		}
		err = save(ctx, s, id, d, version+1)
		if errors.Is(err, market.ErrConflict) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return d, result
	}
}

func save[D document](ctx context.Context, s *Sandbox, id string, d *D, version int64) error {
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return s.write(ctx, market.Record{
		Kind: (*d).kind(), ID: id, Data: data, Version: version, Due: (*d).due(), Expires: s.now().Add(documentLifetime),
	})
}

// write stores a record, which is new if its version is 1. It returns market.ErrExists or
// market.ErrConflict if another process has written first.
func (s *Sandbox) write(ctx context.Context, r market.Record) error {
	if r.Version == 1 {
		return s.config.Records.AddRecord(ctx, r, nil)
	}
	return s.config.Records.SaveRecord(ctx, r)
}

// scanPage is how many documents are read at once.
const scanPage = 100

// all yields the documents of a kind in the order of their IDs, descending, after one of them.
func all[D document](ctx context.Context, s *Sandbox, after string) iter.Seq2[*D, error] {
	return func(yield func(*D, error) bool) {
		var kind D
		page := market.Page{Limit: scanPage, After: after}
		for isMore := true; isMore; {
			records, err := s.config.Records.RecordsOf(ctx, kind.kind(), page)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, record := range records {
				d := new(D)
				if err := json.Unmarshal(record.Data, d); !yield(d, err) {
					return
				}
				page.After = record.ID
			}
			isMore = len(records) == page.Limit
		}
	}
}

// list returns a list of what find returns for each document after one of them, up to the limit of
// the call. Stripe lists the newest first, and not by ID.
func list[D document](ctx context.Context, s *Sandbox, c *call, after string, find func(*D) []object) (object, error) {
	limit := int64(10)
	if c.text("limit") != "" {
		var err error
		if limit, err = c.cents("limit"); err != nil {
			return nil, err
		}
	}
	found := []object{}
	for d, err := range all[D](ctx, s, after) {
		if err != nil {
			return nil, err
		}
		if found = append(found, find(d)...); int64(len(found)) > limit {
			return listObject(found[:limit], true), nil
		}
	}
	return listObject(found, false), nil
}

func listObject(found []object, isMore bool) object {
	return object{"object": "list", "data": found, "has_more": isMore}
}
