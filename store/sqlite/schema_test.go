package sqlite_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var updateSchema = flag.Bool("update", false, "write the schema to schema.sql")

// schema.sql is the result of all migrations, for readers. The program does not use it. "make
// generate" runs this test with -update.
func TestSchemaFileIsCurrent(t *testing.T) {
	schema := schemaOf(t)
	if *updateSchema {
		if err := os.WriteFile("schema.sql", []byte(schema), 0o644); err != nil { //nolint:gosec // a source file
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile("schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(file), schema); diff != "" {
		t.Errorf("schema.sql differs from the migrations; run make generate (-file +migrations)\n%s", diff)
	}
}

// schemaOf returns the statements that create the tables of a new file, each table followed by its
// indexes and triggers. It omits the tables of goose and the internal ones of SQLite and FTS5.
func schemaOf(t *testing.T) string {
	t.Helper()
	path := newPath(t)
	open(t, path)
	statements := queryTexts(t, path, `SELECT iif(type = 'index', '', char(10)) || sql || ';' FROM sqlite_schema
		WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'sqlite_%' AND tbl_name <> 'goose_db_version'
			AND tbl_name NOT IN ('search_config', 'search_data', 'search_idx')
		ORDER BY tbl_name, type = 'trigger', type = 'index', name`)
	return "-- The tables after all migrations. \"make generate\" writes this file.\n" + strings.Join(statements, "\n") + "\n"
}
