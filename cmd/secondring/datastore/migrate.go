package datastore

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"secondring/api/images"
	"secondring/cmd/secondring/move"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store/mongo"
	"secondring/store/sqlite"
)

// Secret says how TOKEN_SECRET compares with the old server's.
type Secret int

// The old server's secret may be that in DATA_DIR, or one that was set for it.
const (
	SecretSame      Secret = iota // it is set, and as in DATA_DIR
	SecretInDataDir               // it is not set: the one in DATA_DIR is to be
	SecretDiffers                 // it is set, but not as in DATA_DIR
	SecretUnknown                 // DATA_DIR has none: the old server's is to be set
)

// Migrated is the result of `secondring migrate`.
type Migrated struct {
	Kinds   []move.Result // nil if an earlier run had done everything
	Secret  Secret
	DataDir string
}

// Migrate moves the market in DATA_DIR into the database that MONGODB_URI names, and
// reports its progress. It can be killed and run again. No other process may have the
// old store open during it or use the new one. The old store is not changed; at the end
// a file beside it says where its market is.
func Migrate(ctx context.Context, s settings.Settings, tell func(move.Step)) (done Migrated, err error) {
	m := migration{dir: s.DataDir}
	defer func() { err = errors.Join(err, m.close()) }()
	done = Migrated{Secret: secretOf(s), DataDir: s.DataDir}
	if err := m.openOld(ctx); err != nil {
		return done, err
	}
	if err := m.openNew(ctx, s); err != nil {
		return done, err
	}
	if err := m.openImages(s); err != nil {
		return done, err
	}
	m.move.Progress = tell
	ready, err := m.claim(ctx)
	if err != nil {
		return done, err
	}
	if !ready {
		if done.Kinds, err = m.move.Run(ctx); err != nil {
			return done, err
		}
	}
	return done, m.finish(ctx)
}

// migration is a move with all that it keeps open.
type migration struct {
	dir     string
	moved   migrationState // as in DATA_DIR
	to      *mongo.Store
	move    move.Move
	closers []io.Closer // in the order of their opening
}

func (m *migration) close() error {
	var errs []error
	for i := range m.closers {
		errs = append(errs, m.closers[len(m.closers)-1-i].Close())
	}
	return errors.Join(errs...)
}

// openOld locks and opens the old store, and changes nothing there.
func (m *migration) openOld(ctx context.Context) (err error) {
	path := filepath.Join(m.dir, storeFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + m.dir + ", where there is no market",
			Fix: "name the folder of the market to move",
		}
	}
	for _, lock := range []func(string) (io.Closer, error){lockServer, lockForMove} {
		held, err := lock(m.dir)
		if err != nil {
			return err
		}
		m.closers = append(m.closers, held)
	}
	if m.moved, err = readMigrationState(m.dir); err != nil {
		return err
	}
	from, err := sqlite.OpenToRead(ctx, path)
	if errors.Is(err, sqlite.ErrOlder) {
		return &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + m.dir + ", which an older SecondRing has written",
			Fix: "start this one on it once, which brings it up to date, and stop it",
		}
	}
	if err != nil {
		return fmt.Errorf("open the store in DATA_DIR %s: %w", m.dir, err)
	}
	m.closers = append(m.closers, from)
	m.move.From = from
	begun, err := from.Meta(ctx, metaBegun)
	if err == nil && begun == "" {
		err = &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + m.dir + ", whose market was never begun",
			Fix: "start the nodes with MONGODB_URI alone: there is nothing to move",
		}
	}
	return err
}

func (m *migration) openNew(ctx context.Context, s settings.Settings) (err error) {
	if m.to, err = mongo.OpenToFill(ctx, s.MongoURI); err != nil {
		return fmt.Errorf("open the store that MONGODB_URI names: %w", err)
	}
	m.closers = append(m.closers, m.to)
	m.move.To, m.move.IsTargetSetting = m.to, isMoveMeta
	return nil
}

func (m *migration) openImages(s settings.Settings) error {
	gallery := &move.ImageBuckets{To: m.to.Images(), Put: m.to.PutImage}
	m.closers = append(m.closers, gallery.To)
	m.move.Images = gallery
	folder, err := ImagesFolder(s)
	if err != nil {
		return err
	}
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		if s.ImagesFolder != "" {
			return &settings.Error{Setting: "IMAGES_URL", Problem: "names a folder that is not there", Fix: "name the one that the old server had, or nothing"}
		}
		return nil // no image was ever uploaded
	}
	if gallery.From, err = images.OpenFolder(folder); err != nil {
		return fmt.Errorf("open the images in %s: %w", folder, err)
	}
	m.closers = append(m.closers, gallery.From)
	return nil
}

// claim makes the new store this market's, before anything is written into it.
// It tells whether the market is there already.
//
// A node may begin a market of its own there at the same moment. It reads metaMoveFrom
// after it has begun, and claim looks for a market after it has set that. So at least one
// of the two sees the other and stops.
func (m *migration) claim(ctx context.Context) (ready bool, err error) {
	marks := map[string]string{}
	for _, name := range []string{metaMoveFrom, metaMoveBegan, metaMoveDone} {
		if marks[name], err = m.to.Meta(ctx, name); err != nil {
			return false, err
		}
	}
	if from := marks[metaMoveFrom]; from != "" && from != m.moved.ID {
		return false, errOtherMarket()
	}
	if marks[metaMoveDone] != "" {
		return true, nil
	}
	if marks[metaMoveBegan] != "" {
		m.move.Resume = true
		return false, nil
	}
	if marks[metaMoveFrom] == "" {
		if err := m.firstClaim(ctx); err != nil {
			return false, err
		}
	}
	if err := m.mustBeEmpty(ctx); err != nil {
		return false, err
	}
	return false, m.to.SetMeta(ctx, metaMoveBegan, now())
}

func (m *migration) firstClaim(ctx context.Context) error {
	if err := m.mustBeEmpty(ctx); err != nil {
		return err
	}
	if !m.moved.Done.IsZero() {
		return mayUse(m.dir) // it was migrated to another store
	}
	if m.moved.ID == "" {
		m.moved.ID = rand.Text()
		if err := m.moved.write(m.dir); err != nil {
			return fmt.Errorf("note the move in DATA_DIR %s: %w", m.dir, err)
		}
	}
	err := m.to.SetMeta(ctx, metaMoveFrom, m.moved.ID)
	if errors.Is(err, market.ErrExists) { // another was faster
		return errOtherMarket()
	}
	return err
}

func errOtherMarket() error {
	return &settings.Error{
		Setting: "MONGODB_URI", Problem: "names a database that has, or is being given, the market of another DATA_DIR",
		Fix: "name an empty database, or that DATA_DIR",
	}
}

func (m *migration) mustBeEmpty(ctx context.Context) error {
	empty, err := m.move.IsEmpty(ctx)
	if err == nil && !empty {
		err = &settings.Error{
			Setting: "MONGODB_URI", Problem: "names a database that holds a market already", Fix: "name an empty one",
		}
	}
	return err
}

// finish closes the old store to servers before it opens the new one, so that at no moment
// both accept servers.
func (m *migration) finish(ctx context.Context) error {
	if m.moved.Done.IsZero() {
		m.moved.Done = market.SystemClock{}.Now()
		if err := m.moved.write(m.dir); err != nil {
			return fmt.Errorf("note the move in DATA_DIR %s: %w", m.dir, err)
		}
	}
	err := m.to.SetMeta(ctx, metaMoveDone, now())
	if errors.Is(err, market.ErrExists) {
		return nil
	}
	return err
}

func now() string { return market.SystemClock{}.Now().Format(time.RFC3339) }

// secretOf compares TOKEN_SECRET with what the old server has signed with.
func secretOf(s settings.Settings) Secret {
	text, err := os.ReadFile(filepath.Join(s.DataDir, secretFile))
	kept := []byte(strings.TrimSpace(string(text)))
	switch {
	case err != nil || len(kept) == 0:
		return SecretUnknown
	case s.TokenSecret == nil:
		return SecretInDataDir
	case subtle.ConstantTimeCompare(kept, s.TokenSecret) == 1:
		return SecretSame
	}
	return SecretDiffers
}
