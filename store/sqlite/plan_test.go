package sqlite_test

import (
	"database/sql"
	"regexp"
	"strings"
	"testing"

	"secondring/store/sqlite"
)

// scanOrSort matches steps of a plan that read a whole table or index, or sort rows.
var scanOrSort = regexp.MustCompile(`USE TEMP B-TREE|SCAN`)

// allowedScans maps the allowed steps to a text that the statement must contain. These scans stop
// at a limit, or read no table.
var allowedScans = map[string]string{
	"SCAN brands USING INDEX brands_available": "LIMIT", // the top n
	"SCAN outbox":       "ORDER BY seq LIMIT", // the oldest n, by the primary key
	"SCAN (subquery-1)": "LIMIT",              // at most maxHeld rows
	"SCAN CONSTANT ROW": "SELECT 1",

	// The rows that are not in the search index yet. There are few.
	"SCAN search_stale": "LIMIT 1",
	"SCAN l":            "FROM search_stale AS l LEFT JOIN",

	// The brands and storages of a query, whose number market.Search limits, and counting up to a limit.
	"SCAN json_each VIRTUAL TABLE INDEX 1:": "IN (SELECT value FROM json_each(?))",
	"SCAN (subquery-2)":                     "LIMIT",
	"SCAN (subquery-3)":                     "LIMIT",
	// The first word that is not less than another.
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
	path := newPath(t)
	open(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	used := map[string]bool{}
	for _, text := range sqlite.Statements() {
		for _, step := range plan(t, db, text) {
			if !scanOrSort.MatchString(step) {
				continue
			}
			used[step] = true
			if required, ok := allowedScans[step]; !ok || !strings.Contains(text, required) {
				t.Errorf("statement\n%s\nhas the step %s", text, step)
			}
		}
	}
	for step := range allowedScans {
		if !used[step] {
			t.Errorf("no statement has the step %q, remove it from allowedScans", step)
		}
	}
	if len(sqlite.Statements()) < 50 {
		t.Errorf("the store has %d statements, want at least 50", len(sqlite.Statements()))
	}
}

// Plans do not include the statements of triggers. Each must find its row by a whole primary
// key.
func TestNoTriggerScans(t *testing.T) {
	path := newPath(t)
	open(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	steps := 0
	for _, text := range queryTexts(t, path, `SELECT sql FROM sqlite_schema WHERE type = 'trigger'`) {
		_, body, _ := strings.Cut(text, "BEGIN")
		body, _, _ = strings.Cut(body, ";")
		for _, step := range plan(t, db, rowReference.ReplaceAllString(body, "?")) {
			if scanOrSort.MatchString(step) && !boundedScan.MatchString(step) {
				t.Errorf("trigger statement\n%s\nhas the step %s", body, step)
			}
			steps++
		}
	}
	if steps < 10 {
		t.Errorf("the triggers have %d steps, want at least 10", steps)
	}
}

// boundedScan matches scans whose length does not depend on the size of the market: those of one
// phone's photographs, and those that read no table.
var boundedScan = regexp.MustCompile(`^SCAN (json_each VIRTUAL TABLE INDEX 1:|CONSTANT ROW)$`)

// rowReference matches a column of the row of a trigger.
var rowReference = regexp.MustCompile(`\b(OLD|NEW)\.\w+`)

// plan returns the steps of SQLite's plan of a statement.
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
