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

// walks follow an index from its beginning and stop at their limit, or read no
// table at all.
var walks = map[string]string{
	"SCAN brands USING INDEX brands_free": "LIMIT",              // the top n
	"SCAN outbox":                         "ORDER BY seq LIMIT", // the oldest n, by the primary key
	"SCAN (subquery-1)":                   "LIMIT",              // at most maxHeld rows
	"SCAN CONSTANT ROW":                   "SELECT 1",

	// The search index: the rows that are not indexed yet. There are few.
	"SCAN shelf_late": "LIMIT 1",
	"SCAN l":          "FROM shelf_late AS l LEFT JOIN",

	// Searching. The brands that were asked for, which market.Search bounds; and
	// counting, which ends at its limit.
	"SCAN json_each VIRTUAL TABLE INDEX 1:": "IN (SELECT value FROM json_each(?))",
	"SCAN (subquery-2)":                     "LIMIT",
	// The first word that is not below another.
	"SCAN search_spellings VIRTUAL TABLE INDEX 513:": "LIMIT 1",
	// The full-text index reads the phones that have the words, which EXPLAIN calls a
	// scan. They are counted up to a limit. The rest of the phones of a common word that
	// pass the filters are counted up to a limit too. Only phones of one page are sorted.
	"SCAN f VIRTUAL TABLE INDEX 0:M1":  "LIMIT",
	"SCAN f VIRTUAL TABLE INDEX 0:M1>": "LIMIT",
	"USE TEMP B-TREE FOR ORDER BY":     "FROM search AS f",
	"SCAN s":                           ") AS s CROSS JOIN products AS p", // the sorted page
}

func TestNoStatementScansOrSorts(t *testing.T) {
	path := file(t)
	open(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	used := map[string]bool{}
	for _, text := range sqlite.Statements() {
		for _, step := range plan(t, db, text) {
			if !grows.MatchString(step) {
				continue
			}
			used[step] = true
			if ends, known := walks[step]; !known || !strings.Contains(text, ends) {
				t.Errorf("%s\n%s", text, step)
			}
		}
	}
	for step := range walks {
		if !used[step] {
			t.Errorf("no statement has the step %q any more", step)
		}
	}
	if len(sqlite.Statements()) < 50 {
		t.Errorf("only %d statements were looked at", len(sqlite.Statements()))
	}
}

// Plans leave out the statements inside triggers: each must find its row by a whole
// primary key.
func TestNoTriggerScans(t *testing.T) {
	path := file(t)
	open(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT sql FROM sqlite_schema WHERE type = 'trigger'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	seen := 0
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(text, "BEGIN")
		body, _, _ = strings.Cut(body, ";")
		for _, step := range plan(t, db, reference.ReplaceAllString(body, "?")) {
			if grows.MatchString(step) && !small.MatchString(step) {
				t.Errorf("%s\n%s", body, step)
			}
			seen++
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if seen < 10 {
		t.Errorf("only %d steps were looked at", seen)
	}
}

// small are walks that no market makes longer: through one phone's photographs, or
// through no table at all.
var small = regexp.MustCompile(`^SCAN (json_each VIRTUAL TABLE INDEX 1:|CONSTANT ROW)$`)

// reference is a column of the row that a trigger is about.
var reference = regexp.MustCompile(`\b(OLD|NEW)\.\w+`)

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
