package sqlite_test

import (
	"database/sql"
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
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT type, sql FROM sqlite_schema
		WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'sqlite_%' AND tbl_name <> 'goose_db_version'
			AND tbl_name NOT IN ('search_config', 'search_data', 'search_idx')
		ORDER BY tbl_name, type = 'trigger', type = 'index', name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	schema := &strings.Builder{}
	schema.WriteString("-- The tables after all migrations. \"make generate\" writes this file.\n")
	before := ""
	for rows.Next() {
		var kind, statement string
		if err := rows.Scan(&kind, &statement); err != nil {
			t.Fatal(err)
		}
		if kind != "index" || before == "trigger" {
			schema.WriteString("\n")
		}
		schema.WriteString(statement + ";\n")
		before = kind
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return schema.String()
}
