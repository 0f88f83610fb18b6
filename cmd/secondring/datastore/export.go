package datastore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"gocloud.dev/blob"

	"secondring/cmd/secondring/marketfile"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store"
	"secondring/store/mongo"
	"secondring/store/sqlite"
)

// removalsKind is the kind of the removals of DATA_DIR in an export.
const removalsKind = "removals"

// Transferred is the result of an export or an import.
type Transferred struct {
	File   string
	Kinds  map[string]marketfile.Sum
	Images int
	// SecretFiles are the files of DATA_DIR with secrets that the other market needs too.
	SecretFiles []string
}

// Progress gets the number of documents and images so far.
type Progress func(documents, images int)

// Export writes the market that the settings name into a new file, as of one moment. A server may
// run, unless the store is MongoDB and its server has no snapshots. The file appears complete or
// not at all.
func Export(ctx context.Context, s settings.Settings, program, file string, report Progress) (result Transferred, err error) {
	if result.File, err = filepath.Abs(file); err != nil {
		return result, err
	}
	if err := requireNew(result.File); err != nil {
		return result, err
	}
	source, err := openSource(ctx, s)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	temp, err := os.MkdirTemp(filepath.Dir(result.File), ".export-*")
	if err != nil {
		return result, notWritable(file, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	archive := filepath.Join(temp, "market.tar")
	if err := source.export(ctx, temp, archive, program, &result, report); err != nil {
		return result, err
	}
	for _, name := range []string{secretFile, factorKeyFile} {
		if _, err := os.Stat(filepath.Join(s.DataDir, name)); err == nil && s.MongoURI == "" {
			result.SecretFiles = append(result.SecretFiles, filepath.Join(s.DataDir, name))
		}
	}
	return result, publish(archive, result.File)
}

// transferred is a store that is exported or imported.
type transferred struct {
	*store.Store
	settings settings.Settings
	images   *blob.Bucket // nil if there are none
	close    []func() error
}

func (t *transferred) Close() error {
	err := t.Store.Close()
	for _, close := range t.close {
		err = errors.Join(err, close())
	}
	return err
}

// openSource opens the store that the settings name, which must have a market.
func openSource(ctx context.Context, s settings.Settings) (*transferred, error) {
	if s.MongoURI != "" {
		return openTransferredMongo(ctx, s)
	}
	if err := requireMarket(s.DataDir); err != nil {
		return nil, err
	}
	if err := checkRestored(s.DataDir); err != nil {
		return nil, err
	}
	lock, err := lockShared(s.DataDir)
	if err != nil {
		return nil, err
	}
	t := &transferred{settings: s, close: []func() error{lock.Close}}
	engine, err := sqlite.Open(ctx, filepath.Join(s.DataDir, storeFile))
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	t.Store = store.New(engine)
	if t.images, err = openImageBucket(s); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	if t.images != nil {
		t.close = append(t.close, t.images.Close)
	}
	return t, nil
}

func openTransferredMongo(ctx context.Context, s settings.Settings) (*transferred, error) {
	engine, err := mongo.Open(ctx, s.MongoURI)
	if err != nil {
		return nil, fmt.Errorf("open the store that MONGODB_URI names: %w", err)
	}
	images := engine.Images()
	return &transferred{Store: store.New(engine), settings: s, images: images, close: []func() error{images.Close}}, nil
}

func (t *transferred) export(ctx context.Context, temp, archive, program string, result *Transferred, report Progress) (err error) {
	lines, err := os.OpenFile(filepath.Join(temp, "lines"), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	header := marketfile.Header{Format: store.Format, Version: program, Made: market.SystemClock{}.Now()}
	w, err := marketfile.NewWriter(lines, header)
	if err != nil {
		return err
	}
	documents := 0
	add := func(line marketfile.Line) error {
		documents++
		report(documents, 0)
		return w.Add(line)
	}
	if err := t.exportDocuments(ctx, add); err != nil {
		return err
	}
	if err := t.exportRemovals(ctx, add); err != nil {
		return err
	}
	file, err := os.OpenFile(archive, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	footer, count, err := w.Finish(ctx, file, header.Made, t.images, func(images int) { report(documents, images) })
	result.Kinds, result.Images = footer.Kinds, count
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// exportDocuments passes all documents. A store without snapshots must not be written to meanwhile.
func (t *transferred) exportDocuments(ctx context.Context, add func(marketfile.Line) error) error {
	if _, err := t.PendingEvents(ctx, math.MaxInt32); err != nil { // stores what a killed process has not stored yet
		return err
	}
	runs, err := nodeRuns(ctx, t.Store)
	if err != nil {
		return err
	}
	err = t.Each(ctx, func(kind string, doc store.Doc) error {
		if isTransferSetting(kind, doc.ID) || kind == "records" && isNode(doc) {
			return nil
		}
		return add(marketfile.Line{Kind: kind, ID: doc.ID, Version: doc.Version, Body: doc.Body})
	})
	if errors.Is(err, store.ErrNoSnapshot) && runs {
		return &settings.Error{
			Setting: "MONGODB_URI", Problem: "names a server without snapshots, on which a node runs", Fix: "stop all nodes, wait 30 seconds, and export again",
		}
	}
	if errors.Is(err, store.ErrNoSnapshot) {
		return nil
	}
	return err
}

// isNode returns whether a document is the record of a running node.
func isNode(doc store.Doc) bool {
	var r market.Record
	return json.Unmarshal(doc.Body, &r) == nil && r.Kind == nodeKind
}

func (t *transferred) exportRemovals(ctx context.Context, add func(marketfile.Line) error) error {
	if t.settings.MongoURI != "" {
		return nil
	}
	removals, err := openRemovals(ctx, t.settings.DataDir)
	if err != nil {
		return err
	}
	all, err := removals.Since(ctx, market.SystemClock{}.Now().Add(-market.RemovalRetention))
	if err := errors.Join(err, removals.Close()); err != nil {
		return err
	}
	for _, r := range all {
		body, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if err := add(marketfile.Line{Kind: removalsKind, ID: string(r.Kind) + "/" + r.ID, Version: 1, Body: body}); err != nil {
			return err
		}
	}
	return nil
}
