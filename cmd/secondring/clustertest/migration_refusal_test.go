package clustertest_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/connstring"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/move"
	"secondring/cmd/secondring/nodetest"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store/mongo"
)

// isSettingError tells whether the error names the setting and a fix.
func isSettingError(err error, name string) bool {
	setting := (*settings.Error)(nil)
	return errors.As(err, &setting) && setting.Setting == name && setting.Fix != ""
}

// wantSettingError fails the test unless the error names the setting and a fix.
func wantSettingError(t *testing.T, what, setting string, err error) {
	t.Helper()
	if !isSettingError(err, setting) {
		t.Errorf("%s: the error is %v, want one about %s", what, err, setting)
	}
}

// openDatabase opens the database with the driver.
func openDatabase(t *testing.T, uri string) *driver.Database {
	t.Helper()
	address, err := connstring.ParseAndValidate(uri)
	if err != nil {
		t.Fatal(err)
	}
	client, err := driver.Connect(options.Client().ApplyURI(uri))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Disconnect(t.Context()) })
	return client.Database(address.Database)
}

// dumpDatabase returns all documents of a database, except the collection "state", which
// counts how often the store was opened.
func dumpDatabase(t *testing.T, uri string) map[string]string {
	t.Helper()
	db, all := openDatabase(t, uri), map[string]string{}
	names, err := db.ListCollectionNames(t.Context(), bson.D{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if name == "state" {
			continue
		}
		cursor, err := db.Collection(name).Find(t.Context(), bson.D{})
		if err != nil {
			t.Fatal(err)
		}
		var docs []bson.Raw
		if err := cursor.All(t.Context(), &docs); err != nil {
			t.Fatal(err)
		}
		for _, doc := range docs {
			all[fmt.Sprint(name, doc.Lookup("_id"))] = doc.String()
		}
	}
	return all
}

// orphanChunks counts chunks of images that do not exist.
func (m *migration) orphanChunks(t *testing.T, s *mongo.Store) (orphans int) {
	t.Helper()
	files := map[string]bool{}
	for key := range dumpDatabase(t, m.uri) {
		if id, ok := strings.CutPrefix(key, "images.files"); ok {
			files[id] = true
		}
	}
	cursor, err := openDatabase(t, m.uri).Collection("images.chunks").Find(t.Context(), bson.D{})
	if err != nil {
		t.Fatal(err)
	}
	var chunks []struct {
		File bson.RawValue `bson:"files_id"`
	}
	if err := cursor.All(t.Context(), &chunks); err != nil || len(chunks) == 0 {
		t.Fatal(len(chunks), err)
	}
	for _, chunk := range chunks {
		if !files[chunk.File.String()] {
			orphans++
		}
	}
	return orphans
}

// A migration is refused before it writes anything. The error names the setting and the fix.
func TestMigrationRefusals(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	wantRefusal := func(what, setting string) {
		t.Helper()
		wantSettingError(t, what, setting, m.migrationError())
		if _, err := os.Stat(filepath.Join(m.dir, datastore.MigrationFile)); err == nil {
			t.Errorf("%s: the refused migration wrote its file to the old store", what)
		}
	}
	old := startNode(t, m.old)
	wantRefusal("a server runs on the old store", "DATA_DIR")
	if err := old.stop(); err != nil {
		t.Fatal(err)
	}
	older, err := os.OpenFile(filepath.Join(m.dir, "server.lock"), os.O_RDWR, 0)
	if err == nil {
		err = syscall.Flock(int(older.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	wantRefusal("a server of an older version runs, which locks only server.lock", "DATA_DIR")
	if err := older.Close(); err != nil {
		t.Fatal(err)
	}
	tools, err := app.OpenAdmin(t.Context(), m.old)
	if err != nil {
		t.Fatal(err)
	}
	wantRefusal("a command has the old store open", "DATA_DIR")
	if err := tools.Close(); err != nil {
		t.Fatal(err)
	}
	if names := slices.Collect(maps.Keys(dumpDatabase(t, m.uri))); len(names) > 0 {
		t.Errorf("refused migrations wrote %v", names)
	}

	otherMarket := nodetest.Settings(t, map[string]string{
		"MONGODB_URI": m.uri, "REDIS_URL": "none", "TOKEN_SECRET": strings.Repeat("s", 32),
	})
	if err := startNode(t, otherMarket).stop(); err != nil {
		t.Fatal(err)
	}
	before := dumpDatabase(t, m.uri)
	wantRefusal("the database holds a market", "MONGODB_URI")
	if after := dumpDatabase(t, m.uri); !maps.Equal(before, after) || len(after) < 10 {
		t.Errorf("the documents of the other market changed: %d before, %d after", len(before), len(after))
	}

	m.dir = t.TempDir()
	wantRefusal("there is no market in the folder", "DATA_DIR")
	if files, err := os.ReadDir(m.dir); err != nil || len(files) > 0 {
		t.Errorf("the refused migration created files: %v %v", files, err)
	}
}

// A market is not migrated to a database that has another market, even an incomplete one.
func TestMigrationRefusesUsedDatabase(t *testing.T) {
	t.Parallel()
	first, second := newMigration(t), newMigration(t)
	second.uri = first.uri
	for _, state := range []string{"incomplete", "complete"} {
		ctx, stop := context.WithCancel(t.Context())
		_, err := first.migrateWhile(ctx, func(s move.Step) {
			if state == "incomplete" && s.Kind == market.KindUsers {
				stop()
			}
		})
		stop()
		if (err == nil) != (state == "complete") {
			t.Fatalf("the migration to be %s: %v", state, err)
		}
		before := dumpDatabase(t, first.uri)
		wantSettingError(t, state, "MONGODB_URI", second.migrationError())
		if after := dumpDatabase(t, first.uri); !maps.Equal(before, after) {
			t.Errorf("%s: the refused migration changed the database", state)
		}
	}
}

// Servers and commands are refused on both stores during a migration, and afterwards on
// the old one.
func TestStoresAreLockedDuringMigration(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	checked := false
	_, err := m.migrate(func(s move.Step) {
		if checked || s.Kind != market.KindProducts {
			return
		}
		checked = true
		wantSettingError(t, "a server on the old store", "DATA_DIR", startError(t, m.old))
		wantSettingError(t, "a node on the new store", "MONGODB_URI", startError(t, m.next))
		for name, s := range map[string]settings.Settings{"DATA_DIR": m.old, "MONGODB_URI": m.next} {
			_, err := app.OpenAdmin(t.Context(), s)
			wantSettingError(t, "a command on the store of "+name, name, err)
		}
		wantSettingError(t, "a second migration of the same market", "DATA_DIR", m.migrationError())
	})
	if err != nil || !checked {
		t.Fatalf("the migration: %v; reached the products: %v", err, checked)
	}
	if err := startError(t, m.old); !isSettingError(err, "DATA_DIR") || !strings.Contains(err.Error(), datastore.MigrationFile) {
		t.Errorf("a server on the old store after the migration: %v, want an error that names the file", err)
	}
	if done, err := m.migrate(nil); err != nil || done.Kinds != nil {
		t.Errorf("the completed migration again: %v %v, want no work", done, err)
	}
	firstURI := m.uri
	m.uri = database(t)
	wantSettingError(t, "a migrated market to another database", "DATA_DIR", m.migrationError())
	m.uri = firstURI

	// The migration can be reverted while nothing new was written.
	if err := os.Remove(filepath.Join(m.dir, datastore.MigrationFile)); err != nil {
		t.Fatal(err)
	}
	wantSettingError(t, "a reverted market to the database that has it already", "MONGODB_URI", m.migrationError())
	startNode(t, m.old).login(buyer).advertised()
}

// The migration detects documents that changed between copying and verifying, and corrects
// them when it is repeated.
func TestMigrationDetectsDamage(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	old := startNode(t, m.old)
	image := strings.TrimPrefix(uploadPhoto(t, old), "/images/")
	if err := old.stop(); err != nil {
		t.Fatal(err)
	}
	db := openDatabase(t, m.uri)
	damaged := false
	damage := func(collection string, filter, change bson.D) {
		done, err := db.Collection(collection).UpdateOne(t.Context(), filter, change)
		if err != nil || done.ModifiedCount != 1 {
			t.Errorf("changing a document of %s: %v, %v", collection, done, err)
		}
	}
	_, err := m.migrate(func(s move.Step) {
		if s.Phase != move.Copying || s.Kind != market.KindSettings || damaged { // the last before verifying
			return
		}
		damaged = true
		damage("products", bson.D{}, bson.D{{Key: "$inc", Value: bson.D{{Key: "entity.resaleprice", Value: 1}}}})
		if _, err := db.Collection("accounts").DeleteOne(t.Context(), bson.D{}); err != nil {
			t.Error(err)
		}
	})
	wantDifference(t, err, market.KindAccounts, market.KindProducts)
	wantSettingError(t, "a node on the damaged store", "MONGODB_URI", startError(t, m.next))
	if err := startNode(t, m.old).stop(); err != nil { // the old store remains usable
		t.Fatal(err)
	}

	damaged = false
	_, err = m.migrate(func(s move.Step) { // this run corrects the products and accounts
		if s.Phase != move.Copying || s.Kind != market.KindSettings || damaged { // the last before verifying
			return
		}
		damaged = true
		damage("images.chunks", bson.D{{Key: "files_id", Value: image}},
			bson.D{{Key: "$set", Value: bson.D{{Key: "data", Value: bson.Binary{Data: make([]byte, 9)}}}}})
		damage("sessions", bson.D{}, bson.D{{Key: "$set", Value: bson.D{{Key: "entity.uid", Value: "another"}}}})
	})
	wantDifference(t, err, move.Images, market.KindSessions)
	done, err := m.migrate(nil)
	if err != nil || len(done.Kinds) != 16 {
		t.Errorf("the last run: %v %v, want 16 kinds", done, err)
	}
	if status := startNode(t, m.next).status("/images/" + image); status != http.StatusOK {
		t.Errorf("the corrected image: %d, want 200", status)
	}
}

// wantDifference fails the test unless the error names exactly these kinds.
func wantDifference(t *testing.T, err error, want ...market.Kind) {
	t.Helper()
	different := (*move.MismatchError)(nil)
	if !errors.As(err, &different) {
		t.Fatalf("the error is %v, want a difference", err)
	}
	var kinds []market.Kind
	for _, d := range different.Kinds {
		kinds = append(kinds, d.Kind)
		if !strings.Contains(err.Error(), string(d.Kind)) {
			t.Errorf("the error does not name %s: %v", d.Kind, err)
		}
	}
	if slices.Sort(kinds); !slices.Equal(kinds, want) {
		t.Errorf("%v differ, want %v", kinds, want)
	}
}
