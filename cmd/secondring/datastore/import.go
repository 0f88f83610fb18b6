package datastore

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gocloud.dev/blob"

	"secondring/api/images"
	"secondring/cmd/secondring/marketfile"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store"
	"secondring/store/sqlite"
)

// Settings of a store that is filled by an import. Servers refuse the store between the two.
const (
	metaImportBegan = "import.began"
	metaImportDone  = "import.done"
)

// isTransferSetting returns whether a document is one of these settings, which belong to the store
// and not to the market.
func isTransferSetting(kind, id string) bool {
	return kind == "settings" && (id == metaImportBegan || id == metaImportDone)
}

// checkImported returns a settings error if an import into the store was not finished.
func checkImported(ctx context.Context, s settings.Settings, db market.Store) error {
	began, err := db.Meta(ctx, metaImportBegan)
	if err != nil || began == "" {
		return err
	}
	if done, err := db.Meta(ctx, metaImportDone); err != nil || done != "" {
		return err
	}
	return errUnfinishedImport(s)
}

func errUnfinishedImport(s settings.Settings) error {
	name, description := s.Store()
	return &settings.Error{
		Setting: name, Problem: "is for " + description + ", into which an import runs or was interrupted", Fix: "empty it and import again",
	}
}

// importBatch is how many documents are imported at once.
const importBatch = 1000

// Import fills the empty store that the settings name with the market of an export. It compares
// what is stored then with the file. An import that was interrupted cannot be continued: the store
// must be emptied.
func Import(ctx context.Context, s settings.Settings, file string, report Progress) (result Transferred, err error) {
	result.File = file
	from, err := os.Open(file)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	target, err := openTarget(ctx, s)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	i := importer{transferred: target, report: report, now: market.SystemClock{}.Now(), sums: map[string]digest{}}
	err = marketfile.Read(from, marketfile.Handler{
		Header: func(h marketfile.Header) error {
			i.made = h.Made
			return target.SetMeta(ctx, metaImportBegan, i.now.Format(time.RFC3339))
		},
		Line:  func(line marketfile.Line) error { return i.line(ctx, line) },
		End:   func(f marketfile.Footer) error { result.Kinds = f.Kinds; return i.flush(ctx) },
		Image: func(name string, content []byte) error { return i.image(ctx, name, content) },
	})
	if err != nil {
		return result, err
	}
	result.Images = i.images
	return result, i.finish(ctx)
}

// importer is the state of an import.
type importer struct {
	*transferred
	report            Progress
	now, made         time.Time
	kind              string      // of the batch
	batch             []store.Doc // not imported yet
	documents, images int
	sums              map[string]digest // of the documents in the file, by kind
	removals          []market.Removal
}

// digest is a checksum of a set of documents: their hashes, each XORed with the others.
type digest [sha256.Size]byte

func (d digest) with(doc store.Doc) digest {
	sum := sha256.Sum256(append([]byte(doc.ID+"\n"), doc.Body...))
	for i := range d {
		d[i] ^= sum[i]
	}
	return d
}

// openTarget opens the store that the settings name, which must be empty.
func openTarget(ctx context.Context, s settings.Settings) (t *transferred, err error) {
	if s.MongoURI != "" {
		t, err = openTransferredMongo(ctx, s)
	} else {
		t, err = openTargetFile(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	if err := t.requireEmpty(ctx); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

func openTargetFile(ctx context.Context, s settings.Settings) (*transferred, error) {
	if err := makeDataDir(s.DataDir); err != nil {
		return nil, err
	}
	lock, err := lockExclusive(s.DataDir)
	if err != nil {
		return nil, err
	}
	t := &transferred{settings: s, close: []func() error{lock.Close}}
	engine, err := sqlite.Open(ctx, filepath.Join(s.DataDir, storeFile))
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	t.Store = store.New(engine)
	folder, err := ImagesFolder(s)
	if err == nil {
		t.images, err = images.OpenFolder(folder)
	}
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	t.close = append(t.close, t.images.Close)
	return t, nil
}

// errNotEmpty ends a search for documents.
var errNotEmpty = errors.New("the store is not empty")

// requireEmpty returns a settings error if the store has documents.
func (t *transferred) requireEmpty(ctx context.Context) error {
	if err := checkImported(ctx, t.settings, t.Store); err != nil {
		return err
	}
	err := t.Each(ctx, func(string, store.Doc) error { return errNotEmpty })
	if errors.Is(err, errNotEmpty) {
		name, description := t.settings.Store()
		return &settings.Error{Setting: name, Problem: "is for " + description + ", which holds a market already", Fix: "name an empty one"}
	}
	if errors.Is(err, store.ErrNoSnapshot) {
		return nil
	}
	return err
}

func (i *importer) line(ctx context.Context, line marketfile.Line) error {
	if line.Kind == removalsKind {
		var r market.Removal
		err := json.Unmarshal(line.Body, &r)
		i.removals = append(i.removals, r)
		return err
	}
	if line.Kind != i.kind || len(i.batch) == importBatch {
		if err := i.flush(ctx); err != nil {
			return err
		}
		i.kind = line.Kind
	}
	doc := store.Doc{ID: line.ID, Version: line.Version, Body: line.Body}
	i.batch, i.sums[line.Kind] = append(i.batch, doc), i.sums[line.Kind].with(doc)
	return nil
}

// flush imports the documents of the batch.
func (i *importer) flush(ctx context.Context) error {
	if len(i.batch) == 0 {
		return nil
	}
	if err := i.Import(ctx, i.kind, i.batch, i.now); err != nil {
		return err
	}
	i.documents += len(i.batch)
	i.report(i.documents, i.images)
	i.batch = nil
	return nil
}

func (i *importer) image(ctx context.Context, name string, content []byte) error {
	media, _ := images.Media(name)
	if err := i.transferred.images.WriteAll(ctx, name, content, &blob.WriterOptions{ContentType: media}); err != nil {
		return fmt.Errorf("store the image %s: %w", name, err)
	}
	i.images++
	i.report(i.documents, i.images)
	return nil
}

// finish compares what is stored with the file, and makes the changes again that DATA_DIR has
// recorded since the export. Then servers may use the store.
func (i *importer) finish(ctx context.Context) error {
	stored := map[string]digest{}
	err := i.Each(ctx, func(kind string, doc store.Doc) error {
		if !isTransferSetting(kind, doc.ID) {
			stored[kind] = stored[kind].with(doc)
		}
		return nil
	})
	if err != nil && !errors.Is(err, store.ErrNoSnapshot) {
		return err
	}
	for kind, sum := range i.sums {
		if stored[kind] != sum {
			return fmt.Errorf("what was stored differs from the file in the %s: empty the store and import again", kind)
		}
	}
	if err := i.reapply(ctx); err != nil {
		return err
	}
	return i.SetMeta(ctx, metaImportDone, market.SystemClock{}.Now().Format(time.RFC3339))
}

// reapply records the removals of the file in DATA_DIR, and makes those again that were recorded
// there since the export.
func (i *importer) reapply(ctx context.Context) error {
	if i.settings.MongoURI != "" {
		return nil
	}
	removals, err := openRemovals(ctx, i.settings.DataDir)
	if err != nil {
		return err
	}
	newer, err := removals.Since(ctx, i.made)
	for _, r := range i.removals {
		if err == nil {
			err = removals.Record(ctx, r)
		}
	}
	if err := errors.Join(err, removals.Close()); err != nil {
		return err
	}
	_, err = repeatRemovals(ctx, i.Store, newer)
	return err
}
