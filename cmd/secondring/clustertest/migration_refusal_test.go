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

	"secondring/cmd/secondring/datastore"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/connstring"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/move"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store/mongo"
)

func isSetting(err error, name string) bool {
	setting := (*settings.Error)(nil)
	return errors.As(err, &setting) && setting.Setting == name && setting.Fix != ""
}

// raw opens the database with the driver.
func raw(t *testing.T, uri string) *driver.Database {
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

// dump returns all documents of a database except the count of its openings.
func dump(t *testing.T, uri string) map[string]string {
	t.Helper()
	db, all := raw(t, uri), map[string]string{}
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

// leftChunks counts chunks of images that do not exist.
func (m *migration) leftChunks(t *testing.T, s *mongo.Store) (left int) {
	t.Helper()
	there := map[string]bool{}
	for key := range dump(t, m.uri) {
		if id, ok := strings.CutPrefix(key, "images.files"); ok {
			there[id] = true
		}
	}
	cursor, err := raw(t, m.uri).Collection("images.chunks").Find(t.Context(), bson.D{})
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
		if !there[chunk.File.String()] {
			left++
		}
	}
	return left
}

// Refusals come before anything is written, and say what to do.
func TestMigrationRefusals(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	wants := func(what, setting string) {
		t.Helper()
		if _, err := m.migrate(nil); !isSetting(err, setting) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := os.Stat(filepath.Join(m.dir, datastore.MigrationFile)); err == nil {
			t.Errorf("%s: the old store has a note of a migration", what)
		}
	}
	old := start(t, m.old)
	wants("a server runs on the old store", "DATA_DIR")
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
	wants("an older program's server runs, which locks no more than this", "DATA_DIR")
	if err := older.Close(); err != nil {
		t.Fatal(err)
	}
	tools, err := app.OpenAdmin(t.Context(), m.old)
	if err != nil {
		t.Fatal(err)
	}
	wants("a command has the old store open", "DATA_DIR")
	if err := tools.Close(); err != nil {
		t.Fatal(err)
	}
	if names := slices.Collect(maps.Keys(dump(t, m.uri))); len(names) > 0 {
		t.Errorf("written: %v", names)
	}

	another := settingsFor(t, map[string]string{
		"MONGODB_URI": m.uri, "REDIS_URL": "none", "TOKEN_SECRET": strings.Repeat("s", 32),
	})
	if err := start(t, another).stop(); err != nil {
		t.Fatal(err)
	}
	before := dump(t, m.uri)
	wants("the database holds a market", "MONGODB_URI")
	if after := dump(t, m.uri); !maps.Equal(before, after) || len(after) < 10 {
		t.Errorf("%d documents have become %d, or others", len(before), len(after))
	}

	m.dir = t.TempDir()
	wants("there is no market in the folder", "DATA_DIR")
	if files, err := os.ReadDir(m.dir); err != nil || len(files) > 0 {
		t.Errorf("files were made: %v %v", files, err)
	}
}

// A database with a complete or incomplete market takes no other market.
func TestMigrationRefusesUsedDatabase(t *testing.T) {
	t.Parallel()
	first, second := newMigration(t), newMigration(t)
	second.uri = first.uri
	for _, state := range []string{"half-moved", "moved"} {
		ctx, stop := context.WithCancel(t.Context())
		_, err := first.migrateWhile(ctx, func(s move.Step) {
			if state == "half-moved" && s.Kind == market.KindUsers {
				stop()
			}
		})
		stop()
		if (err == nil) != (state == "moved") {
			t.Fatalf("%s: %v", state, err)
		}
		before := dump(t, first.uri)
		if _, err := second.migrate(nil); !isSetting(err, "MONGODB_URI") {
			t.Errorf("%s: %v", state, err)
		}
		if after := dump(t, first.uri); !maps.Equal(before, after) {
			t.Errorf("%s: it was written to", state)
		}
	}
}

// Servers and commands are refused on both stores during a migration, and afterwards on
// the old one.
func TestStoresAreLockedDuringMigration(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	looked := false
	_, err := m.migrate(func(s move.Step) {
		if looked || s.Kind != market.KindProducts {
			return
		}
		looked = true
		if err := tryStart(t, m.old); !isSetting(err, "DATA_DIR") {
			t.Errorf("a server on the old store: %v", err)
		}
		if err := tryStart(t, m.next); !isSetting(err, "MONGODB_URI") {
			t.Errorf("a node on the new store: %v", err)
		}
		for name, s := range map[string]settings.Settings{"DATA_DIR": m.old, "MONGODB_URI": m.next} {
			if _, err := app.OpenAdmin(t.Context(), s); !isSetting(err, name) {
				t.Errorf("a command, %s: %v", name, err)
			}
		}
		if _, err := m.migrate(nil); !isSetting(err, "DATA_DIR") {
			t.Errorf("another move of the same market: %v", err)
		}
	})
	if err != nil || !looked {
		t.Fatal(looked, err)
	}
	if err := tryStart(t, m.old); !isSetting(err, "DATA_DIR") || !strings.Contains(err.Error(), datastore.MigrationFile) {
		t.Errorf("a server on the old store afterwards: %v", err)
	}
	if done, err := m.migrate(nil); err != nil || done.Kinds != nil {
		t.Errorf("once more: %v %v", done, err)
	}
	elsewhere := m.uri
	m.uri = database(t)
	if _, err := m.migrate(nil); !isSetting(err, "DATA_DIR") {
		t.Errorf("into another database: %v", err)
	}
	m.uri = elsewhere

	// The migration can be reverted while nothing new was written.
	if err := os.Remove(filepath.Join(m.dir, datastore.MigrationFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.migrate(nil); !isSetting(err, "MONGODB_URI") {
		t.Errorf("into the database in which it is, without knowing it: %v", err)
	}
	start(t, m.old).login(buyer).advertised()
}

// Single documents are changed between copying and verifying.
func TestMigrationDetectsDamage(t *testing.T) {
	t.Parallel()
	m := newMigration(t)
	old := start(t, m.old)
	image := strings.TrimPrefix(uploadPhoto(t, old), "/images/")
	if err := old.stop(); err != nil {
		t.Fatal(err)
	}
	db := raw(t, m.uri)
	damaged := false
	damage := func(collection string, filter, change bson.D) {
		done, err := db.Collection(collection).UpdateOne(t.Context(), filter, change)
		if err != nil || done.ModifiedCount != 1 {
			t.Errorf("%s: %v, %v", collection, done, err)
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
	wantDifferent(t, err, market.KindAccounts, market.KindProducts)
	if err := tryStart(t, m.next); !isSetting(err, "MONGODB_URI") {
		t.Errorf("a node on the damaged store: %v", err)
	}
	if err := start(t, m.old).stop(); err != nil { // the old one is there for everybody still
		t.Fatal(err)
	}

	damaged = false
	_, err = m.migrate(func(s move.Step) { // which corrects the products and accounts
		if s.Phase != move.Copying || s.Kind != market.KindSettings || damaged { // the last before verifying
			return
		}
		damaged = true
		damage("images.chunks", bson.D{{Key: "files_id", Value: image}},
			bson.D{{Key: "$set", Value: bson.D{{Key: "data", Value: bson.Binary{Data: make([]byte, 9)}}}}})
		damage("sessions", bson.D{}, bson.D{{Key: "$set", Value: bson.D{{Key: "entity.uid", Value: "another"}}}})
	})
	wantDifferent(t, err, move.Images, market.KindSessions)
	done, err := m.migrate(nil)
	if err != nil || len(done.Kinds) != 16 {
		t.Errorf("once more: %v %v", done, err)
	}
	if status := start(t, m.next).status("/images/" + image); status != http.StatusOK {
		t.Errorf("the image that was corrected: %d", status)
	}
}

// wantDifferent fails the test unless the error names exactly these kinds.
func wantDifferent(t *testing.T, err error, want ...market.Kind) {
	t.Helper()
	different := (*move.Different)(nil)
	if !errors.As(err, &different) {
		t.Fatalf("%v", err)
	}
	var kinds []market.Kind
	for _, d := range different.Kinds {
		kinds = append(kinds, d.Kind)
		if !strings.Contains(err.Error(), string(d.Kind)) {
			t.Errorf("%s is not named: %v", d.Kind, err)
		}
	}
	if slices.Sort(kinds); !slices.Equal(kinds, want) {
		t.Errorf("%v differ, want %v", kinds, want)
	}
}
