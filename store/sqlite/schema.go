package sqlite

import (
	"fmt"
	"strings"

	"secondring/store"
)

// Each kind has a table. A document is a row: its ID, version and body, its queue, the times when
// it is due and expires, and a column for each key with one value. The values of the other keys
// are in a second table. Indexes and the triggers that count lists are made from the declaration.

// quote returns the name of a column or table.
func quote(name string) string { return `"` + name + `"` }

// manyTable is the table of the keys with several values.
func manyTable(kind *store.Info) string { return quote(kind.Name + "_many") }

// schema returns the statements that make the tables of the kinds.
func schema(kinds []*store.Info) []string {
	all := []string{
		`CREATE TABLE outbox (
			seq INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, type TEXT NOT NULL, entity TEXT NOT NULL,
			version INTEGER NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL
		) STRICT`,
		`CREATE TABLE counts (list TEXT NOT NULL, value TEXT NOT NULL, n INTEGER NOT NULL CHECK (n >= 0), PRIMARY KEY (list, value)) STRICT, WITHOUT ROWID`,
	}
	all = append(all, searchSchema...)
	for _, kind := range kinds {
		all = append(all, tables(kind)...)
		for _, key := range kind.Counted {
			all = append(all, triggers(kind, key)...)
		}
	}
	return all
}

func tables(kind *store.Info) []string {
	names := []string{"id TEXT NOT NULL PRIMARY KEY", "version INTEGER NOT NULL", "body TEXT NOT NULL", "queue TEXT", "due INTEGER", "expires INTEGER"}
	for _, key := range kind.Fields() {
		names = append(names, quote(key)+" ANY")
	}
	all := []string{fmt.Sprintf("CREATE TABLE %s (%s) STRICT", quote(kind.Name), strings.Join(names, ", "))}
	index := func(unique, name string, keys []string, more ...string) {
		var parts, present []string
		for _, key := range keys {
			parts, present = append(parts, quote(key)), append(present, quote(key)+" IS NOT NULL")
		}
		all = append(all, fmt.Sprintf("CREATE %sINDEX %s ON %s (%s) WHERE %s", unique, quote(kind.Name+"_"+name), quote(kind.Name),
			strings.Join(append(parts, more...), ", "), strings.Join(present, " AND ")))
	}
	for _, keys := range kind.Unique {
		index("UNIQUE ", "one_"+strings.Join(keys, "_"), keys)
	}
	for _, keys := range kind.Lists {
		index("", "by_"+strings.Join(keys, "_"), keys, orderOf(kind))
	}
	index("", "due", []string{"queue"}, "due", "id")
	index("", "expires", []string{"expires"})
	if len(kind.Many) > 0 {
		all = append(all,
			fmt.Sprintf("CREATE TABLE %s (key TEXT NOT NULL, value TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (key, value, id)) STRICT, WITHOUT ROWID", manyTable(kind)),
			fmt.Sprintf("CREATE INDEX %s ON %s (id)", quote(kind.Name+"_many_by_id"), manyTable(kind)))
	}
	return all
}

// listName is the name of a counted list in counts.
func listName(kind *store.Info, key string) string { return kind.Name + "." + key }

// triggers returns the triggers that count the lists of a key.
func triggers(kind *store.Info, key string) []string {
	trigger := func(name, when, condition, value, action string) string {
		return fmt.Sprintf("CREATE TRIGGER %s AFTER %s ON %s WHEN %s BEGIN %s; END",
			quote(kind.Name+"_"+name+"_"+key), when, quote(kind.Name), condition, fmt.Sprintf(action, listName(kind, key), value))
	}
	const (
		enter = `INSERT INTO counts VALUES ('%s', %s, 1) ON CONFLICT DO UPDATE SET n = n + 1`
		leave = `UPDATE counts SET n = n - 1 WHERE list = '%s' AND value = %s`
	)
	if key == "" {
		return []string{trigger("enter", "INSERT", "1", "''", enter), trigger("leave", "DELETE", "1", "''", leave)}
	}
	column := quote(key)
	changed := fmt.Sprintf("OLD.%s IS NOT NEW.%s", column, column)
	return []string{
		trigger("enter", "INSERT", "NEW."+column+" IS NOT NULL", "NEW."+column, enter),
		trigger("leave", "DELETE", "OLD."+column+" IS NOT NULL", "OLD."+column, leave),
		trigger("come", "UPDATE OF "+column, changed+" AND NEW."+column+" IS NOT NULL", "NEW."+column, enter),
		trigger("go", "UPDATE OF "+column, changed+" AND OLD."+column+" IS NOT NULL", "OLD."+column, leave),
	}
}
