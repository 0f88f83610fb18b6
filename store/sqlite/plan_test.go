package sqlite_test

import (
	"database/sql"
	"regexp"
	"strings"
	"testing"

	"secondring/store/sqlite"
)

// grows finds what takes longer in a bigger market: a table that is read from
// end to end without an index that ends the walk early, or a sort.
var grows = regexp.MustCompile(`USE TEMP B-TREE|SCAN`)

// walks are statements that follow an index from its beginning and stop at
// their limit, or read no table at all.
var walks = map[string]bool{
	"SCAN brands USING INDEX brands_free": true, // the top n
	"SCAN outbox":                         true, // the oldest n by its primary key
	"SCAN CONSTANT ROW":                   true,
	"SCAN (subquery-1)":                   true, // count of at most maxHeld rows
	"SCAN (subquery-2)":                   true,
	"SCAN users USING INDEX users_sweep":  true, // all of the index is to be swept
}

func TestNoStatementScansOrSorts(t *testing.T) {
	path := file(t)
	open(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	seen := map[string]bool{}
	for _, text := range sqlite.Statements() {
		for _, step := range plan(t, db, text) {
			if !grows.MatchString(step) {
				continue
			}
			if !walks[step] || strings.HasPrefix(step, "SCAN outbox") && !strings.Contains(text, "LIMIT") {
				t.Errorf("%s\n%s", text, step)
			}
			seen[step] = true
		}
	}
	t.Log(seen)
	if len(sqlite.Statements()) < 50 {
		t.Errorf("only %d statements were looked at", len(sqlite.Statements()))
	}
}

func plan(t *testing.T, db *sql.DB, text string) (steps []string) {
	t.Helper()
	nulls := make([]any, strings.Count(text, "?"))
	rows, err := db.Query("EXPLAIN QUERY PLAN "+text, nulls...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}
