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

// Secret is the result of comparing TOKEN_SECRET with the secret of the old server.
type Secret int

// The results. The secret of the old server is the one in DATA_DIR, or TOKEN_SECRET was set
// for it.
const (
	SecretSame      Secret = iota // TOKEN_SECRET is the secret in DATA_DIR
	SecretInDataDir               // TOKEN_SECRET is not set: the new server needs the secret in DATA_DIR
	SecretDiffers                 // TOKEN_SECRET is set, but is not the secret in DATA_DIR
	SecretUnknown                 // DATA_DIR has no secret: the new server needs the TOKEN_SECRET of the old one
)

// MigrationResult is the result of `secondring migrate`.
type MigrationResult struct {
	Kinds   []move.Result // nil if an earlier run has completed the migration
	Secret  Secret
	DataDir string
}

// Migrate moves the market in DATA_DIR into the database that MONGODB_URI names, and
// reports its progress. It can be killed and run again. Meanwhile no other process may have
// the old store open or use the new one. The old store is not changed; at the end
// MigrationFile beside it records that its market was moved.
func Migrate(ctx context.Context, s settings.Settings, report func(move.Step)) (result MigrationResult, err error) {
	m := migration{dir: s.DataDir}
	defer func() { err = errors.Join(err, m.close()) }()
	result = MigrationResult{Secret: compareSecret(s), DataDir: s.DataDir}
	if err := m.openOld(ctx); err != nil {
		return result, err
	}
	if err := m.openNew(ctx, s); err != nil {
		return result, err
	}
	if err := m.openImages(s); err != nil {
		return result, err
	}
	m.move.Progress = report
	complete, err := m.claim(ctx)
	if err != nil {
		return result, err
	}
	if !complete {
		if result.Kinds, err = m.move.Run(ctx); err != nil {
			return result, err
		}
	}
	return result, m.finish(ctx)
}

// migration is the state of a migration.
type migration struct {
	dir     string
	state   migrationState // of MigrationFile
	to      *mongo.Store
	move    move.Move
	closers []io.Closer // in the order in which they were opened
}

func (m *migration) close() error {
	var errs []error
	for i := range m.closers {
		errs = append(errs, m.closers[len(m.closers)-1-i].Close())
	}
	return errors.Join(errs...)
}

// openOld locks the old store and opens it read-only.
func (m *migration) openOld(ctx context.Context) (err error) {
	path := filepath.Join(m.dir, storeFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return &settings.Error{
			Setting: "DATA_DIR", Problem: "is " + m.dir + ", where there is no market",
			Fix: "name the folder of the market to move",
		}
	}
	for _, lock := range []func(string) (io.Closer, error){lockServer, lockExclusive} {
		closer, err := lock(m.dir)
		if err != nil {
			return err
		}
		m.closers = append(m.closers, closer)
	}
	if m.state, err = readMigrationState(m.dir); err != nil {
		return err
	}
	from, err := sqlite.OpenReadOnly(ctx, path)
	if errors.Is(err, sqlite.ErrOlderSchema) {
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
			Setting: "DATA_DIR", Problem: "is " + m.dir + ", which has no market",
			Fix: "start the nodes with MONGODB_URI alone: there is nothing to move",
		}
	}
	return err
}

func (m *migration) openNew(ctx context.Context, s settings.Settings) (err error) {
	if m.to, err = mongo.OpenForMigration(ctx, s.MongoURI); err != nil {
		return fmt.Errorf("open the store that MONGODB_URI names: %w", err)
	}
	m.closers = append(m.closers, m.to)
	m.move.To, m.move.IsTargetSetting = m.to, isMigrationSetting
	return nil
}

func (m *migration) openImages(s settings.Settings) error {
	buckets := &move.ImageBuckets{To: m.to.Images(), Put: m.to.PutImage}
	m.closers = append(m.closers, buckets.To)
	m.move.Images = buckets
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
	if buckets.From, err = images.OpenFolder(folder); err != nil {
		return fmt.Errorf("open the images in %s: %w", folder, err)
	}
	m.closers = append(m.closers, buckets.From)
	return nil
}

// claim records in the new store that it is for this market, before anything is written
// into it. It returns whether an earlier run has completed the migration. It returns a
// settings error if the new store has another market.
//
// A node may initialize a market of its own in the new store at the same moment. It reads
// metaMigrateFrom after it has written metaBegun, and claim checks that the store is empty after
// it has written metaMigrateFrom. So at least one of the two sees the other and stops.
func (m *migration) claim(ctx context.Context) (complete bool, err error) {
	values := map[string]string{}
	for _, name := range []string{metaMigrateFrom, metaMigrateBegan, metaMigrateDone} {
		if values[name], err = m.to.Meta(ctx, name); err != nil {
			return false, err
		}
	}
	if from := values[metaMigrateFrom]; from != "" && from != m.state.ID {
		return false, errOtherMarket()
	}
	if values[metaMigrateDone] != "" {
		return true, nil
	}
	if values[metaMigrateBegan] != "" {
		m.move.Resume = true
		return false, nil
	}
	if values[metaMigrateFrom] == "" {
		if err := m.claimEmpty(ctx); err != nil {
			return false, err
		}
	}
	if err := m.requireEmpty(ctx); err != nil {
		return false, err
	}
	return false, m.to.SetMeta(ctx, metaMigrateBegan, now())
}

// claimEmpty writes metaMigrateFrom into an empty new store.
func (m *migration) claimEmpty(ctx context.Context) error {
	if err := m.requireEmpty(ctx); err != nil {
		return err
	}
	if !m.state.Done.IsZero() {
		return checkUsable(m.dir) // it was migrated to another store
	}
	if m.state.ID == "" {
		m.state.ID = rand.Text()
		if err := m.state.write(m.dir); err != nil {
			return fmt.Errorf("note the move in DATA_DIR %s: %w", m.dir, err)
		}
	}
	err := m.to.SetMeta(ctx, metaMigrateFrom, m.state.ID)
	if errors.Is(err, market.ErrExists) { // another migration was faster
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

// requireEmpty returns a settings error if the new store has a market.
func (m *migration) requireEmpty(ctx context.Context) error {
	empty, err := m.move.IsEmpty(ctx)
	if err == nil && !empty {
		err = &settings.Error{
			Setting: "MONGODB_URI", Problem: "names a database that holds a market already", Fix: "name an empty one",
		}
	}
	return err
}

// finish first records in DATA_DIR that servers must not use the old store, and then in the
// new store that they may use it, so that they can never use both.
func (m *migration) finish(ctx context.Context) error {
	if m.state.Done.IsZero() {
		m.state.Done = market.SystemClock{}.Now()
		if err := m.state.write(m.dir); err != nil {
			return fmt.Errorf("note the move in DATA_DIR %s: %w", m.dir, err)
		}
	}
	err := m.to.SetMeta(ctx, metaMigrateDone, now())
	if errors.Is(err, market.ErrExists) {
		return nil
	}
	return err
}

func now() string { return market.SystemClock{}.Now().Format(time.RFC3339) }

// compareSecret compares TOKEN_SECRET with the secret in DATA_DIR.
func compareSecret(s settings.Settings) Secret {
	text, err := os.ReadFile(filepath.Join(s.DataDir, secretFile))
	stored := []byte(strings.TrimSpace(string(text)))
	switch {
	case err != nil || len(stored) == 0:
		return SecretUnknown
	case s.TokenSecret == nil:
		return SecretInDataDir
	case subtle.ConstantTimeCompare(stored, s.TokenSecret) == 1:
		return SecretSame
	}
	return SecretDiffers
}
