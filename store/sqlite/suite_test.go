package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"

	"secondring/market"
	"secondring/market/search"
	"secondring/store"
	"secondring/store/enginetest"
	"secondring/store/sqlite"
	"secondring/store/storetest"
)

func reopen(ctx context.Context, path string) (market.Store, error) {
	e, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return store.New(e), nil
}

func TestMain(m *testing.M) { storetest.Main(m, reopen) }

// TestSuite runs the suite, and then checks the plans of its statements.
func TestSuite(t *testing.T) {
	var mu sync.Mutex
	statements := map[string]bool{}
	storetest.Run(t, func(t *testing.T) market.Store {
		s := open(t, newPath(t))
		t.Cleanup(func() { // before the file is closed
			mu.Lock()
			defer mu.Unlock()
			for _, text := range s.engine.Statements() {
				statements[text] = true
			}
		})
		return s.Store
	})
	t.Run("Plans", func(t *testing.T) { checkPlans(t, statements) })
}

func TestEngine(t *testing.T) {
	enginetest.Run(t, func(t *testing.T) store.Engine { return open(t, newPath(t)).engine })
}

// Each query with words scans an index, as in a market where many phones have the words. One test
// scans the whole index, and the other one at most three phones.
func TestSearchLikeInLargeMarket(t *testing.T) {
	for name, scanned := range map[string]int{"whole index": 1000, "three phones": 3} {
		t.Run(name, func(t *testing.T) {
			storetest.Search(t, func(t *testing.T) market.Store {
				s := open(t, newPath(t))
				s.engine.LimitSearch(0, scanned)
				return s.Store
			})
		})
	}
}

func TestLeaving(t *testing.T) {
	storetest.Leaving(t, func(t *testing.T) market.Store { return open(t, newPath(t)).Store })
}

func TestAccountDeletion(t *testing.T) {
	storetest.AccountDeletion(t, func(t *testing.T) market.Store { return open(t, newPath(t)).Store })
}

func TestCrash(t *testing.T) {
	path := newPath(t)
	storetest.Crash(t, reopen, path, func(t *testing.T) { checkFile(t, path) })
}

// checkFile fails the test unless the file passes SQLite's checks, and its counts, its keys with
// several values and its search index are correct.
func checkFile(t *testing.T, path string) {
	t.Helper()
	s := open(t, path)
	_, err := s.SearchProducts(t.Context(), search.Query{}, market.Page{Limit: 1}, 1) // updates the search index
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	checks := map[string]string{
		`PRAGMA integrity_check`:            "ok",
		`SELECT count(*) FROM search_stale`: "0",
		`SELECT (SELECT count(*) FROM search_entries) - (SELECT count(*) FROM products)`:    "0",
		`SELECT (SELECT count(*) FROM search_text) - (SELECT count(*) FROM search_entries)`: "0",
	}
	for _, kind := range store.Kinds() {
		for _, key := range kind.Counted {
			value := `""`
			if key != "" {
				value = `"` + key + `"`
			}
			value = strings.ReplaceAll(value, `""`, `''`)
			checks[`SELECT count(*) FROM counts c WHERE list = '`+kind.Name+`.`+key+`' AND n <> (SELECT count(*) FROM `+
				kind.Name+` WHERE `+value+` = c.value)`] = "0"
		}
		if len(kind.Many) > 0 {
			checks[`SELECT count(*) FROM `+kind.Name+`_many WHERE id NOT IN (SELECT id FROM `+kind.Name+`)`] = "0"
		}
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for query, want := range checks {
		var got string
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s\nreturns %q (%v), want %q", query, got, err, want)
		}
	}
	// This checks that the full-text index has exactly the words of the phones.
	if _, err := db.Exec(`INSERT INTO search (search, rank) VALUES ('integrity-check', 1)`); err != nil {
		t.Error(err)
	}
}

// scanOrSort matches steps of a plan that read a whole table or index, or sort rows.
var scanOrSort = regexp.MustCompile(`USE TEMP B-TREE|SCAN`)

// The list of all documents is read along the primary key, up to a limit.
var (
	wholeTable = regexp.MustCompile(`^SCAN d USING (COVERING )?INDEX sqlite_autoindex_\w+_1$`)
	wholeList  = regexp.MustCompile(` AS d (ORDER BY d\.id (ASC|DESC) )?LIMIT \?`)
)

// allowedScans maps the allowed steps to a text that the statement must contain. These scans stop at
// a limit, or read no table.
var allowedScans = map[string]string{
	"SCAN outbox":       "ORDER BY seq LIMIT", // the oldest n, by the primary key
	"SCAN CONSTANT ROW": "SELECT 1",

	// The rows that are not in the search index yet. There are few.
	"SCAN search_stale": "search_stale",
	"SCAN l":            "FROM search_stale AS l LEFT JOIN",

	// The values of a list of arguments.
	"SCAN json_each VIRTUAL TABLE INDEX 1:": "IN (SELECT value FROM json_each(?))",
	// Documents with any of several values are sorted by their ID. Their callers bound the values.
	"USE TEMP B-TREE FOR ORDER BY": "",
	// Counting up to a limit.
	"SCAN (subquery-1)": "LIMIT",
	"SCAN (subquery-2)": "LIMIT",
	"SCAN (subquery-3)": "LIMIT",
	// The first word that is not less than another.
	"SCAN search_spellings VIRTUAL TABLE INDEX 513:": "LIMIT 1",
	// The full-text index reads the phones that have the words, which EXPLAIN calls a scan. They are
	// counted up to a limit. Only phones of one page are sorted.
	"SCAN f VIRTUAL TABLE INDEX 0:M1":  "LIMIT",
	"SCAN f VIRTUAL TABLE INDEX 0:M1>": "LIMIT",
	"SCAN s":                           ") AS s CROSS JOIN ", // the sorted page
}

// wholeKind is the step that reads a page of all documents of a kind, in the order of their IDs.
var wholeKind = regexp.MustCompile(`^SCAN d USING (COVERING )?INDEX sqlite_autoindex_\w+_1$`)

// checkPlans explains the statements. None scans a table or sorts, except those of allowedScans.
func checkPlans(t *testing.T, statements map[string]bool) {
	path := newPath(t)
	open(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for text := range statements {
		for _, step := range plan(t, db, text) {
			if !scanOrSort.MatchString(step) || wholeKind.MatchString(step) && strings.Contains(text, "LIMIT") {
				continue
			}
			if wholeTable.MatchString(step) && wholeList.MatchString(text) {
				continue
			}
			if required, ok := allowedScans[step]; !ok || !strings.Contains(text, required) {
				t.Errorf("statement\n%s\nhas the step %s", text, step)
			}
		}
	}
	if len(statements) < 50 {
		t.Errorf("the store ran %d statements, want at least 50", len(statements))
	}
}

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
