package store

import (
	"context"
	"fmt"
	"time"
)

// Each passes every document of the store to do, kind by kind, as of one moment.
func (s *Store) Each(ctx context.Context, do func(kind string, doc Doc) error) error {
	return s.engine.Each(ctx, func(kind *Info, docs []Doc) error {
		for _, doc := range docs {
			if err := do(kind.Name, doc); err != nil {
				return err
			}
		}
		return nil
	})
}

// EachBatch passes every document to do. read returns the next documents of a kind after an ID, in the
// order of the IDs.
func EachBatch(do func(kind *Info, docs []Doc) error, read func(kind *Info, after string) ([]Doc, error)) error {
	for _, kind := range Kinds() {
		for after := ""; ; {
			docs, err := read(kind, after)
			if err != nil {
				return err
			}
			if len(docs) == 0 {
				break
			}
			if err := do(kind, docs); err != nil {
				return err
			}
			after = docs[len(docs)-1].ID
		}
	}
	return nil
}

// MinRaise is the least by which a version is raised. No entity changes that often between an
// export and its import.
const MinRaise = 1_000_000

// Raised returns the version of a restored or imported document: it is above all versions that a
// client may have, because open screens ignore older ones. JavaScript represents it exactly.
func Raised(version int64, now time.Time) int64 { return max(version+MinRaise, now.UnixMilli()) }

// Import adds documents of another store. It returns ErrExists if one exists.
func (s *Store) Import(ctx context.Context, name string, docs []Doc, now time.Time) error {
	for _, kind := range Kinds() {
		if kind.Name == name {
			return atOnce(ctx, docs, func(ctx context.Context, doc Doc) error { return s.importDoc(ctx, kind, doc, now) })
		}
	}
	return fmt.Errorf("there is no kind %q", name)
}

func (s *Store) importDoc(ctx context.Context, kind *Info, doc Doc, now time.Time) error {
	if kind.Raised {
		doc.Version = Raised(doc.Version, now)
	}
	w, err := kind.rebuild(doc)
	if err == nil {
		w.Body = doc.Body
		err = s.engine.Write(ctx, w)
	}
	if err != nil {
		return fmt.Errorf("import %s %s: %w", kind.Name, doc.ID, err)
	}
	return nil
}
