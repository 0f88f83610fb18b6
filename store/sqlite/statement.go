package sqlite

import (
	"fmt"
	"slices"
	"strings"
)

// statement is one SQL statement of the engine. Its place in statements is its place among
// the prepared statements of each connection.
type statement struct {
	index int
	text  string
}

// statements has all the SQL that runs while the store is open. It is filled when the
// package starts and then only read.
var statements []*statement

// query makes a statement. Call it from package variables only.
//
// A limit is written LIMIT 0 + ?, because SQLite plans a bare LIMIT ? by its
// value, and compiles the statement again each time it is used.
func query(text string) *statement {
	q := &statement{index: len(statements), text: text}
	statements = append(statements, q)
	return q
}

// table has the writing statements of one entity, made from its columns. The key is the
// first column. Extra columns are written and never read.
type table struct {
	name    string
	columns []string
	extra   []string
}

func newTable(name, columns string, extra ...string) table {
	return table{name: name, columns: strings.Split(columns, ", "), extra: extra}
}

// list names the columns of the table under an alias.
func (t table) list(alias string) string {
	return alias + "." + strings.Join(t.columns, ", "+alias+".")
}

// insert takes the fields, then the extra columns.
func (t table) insert() *statement {
	all := slices.Concat(t.columns, t.extra)
	return query(fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)",
		t.name, strings.Join(all, ", "), marks(len(all))))
}

// update takes the fields without the key, the extra columns, then the key and the version
// that the row must have.
func (t table) update() *statement {
	all := slices.Concat(t.columns[1:], t.extra)
	return query(fmt.Sprintf("UPDATE %s SET (%s) = (%s) WHERE %s = ? AND version = ?",
		t.name, strings.Join(all, ", "), marks(len(all)), t.columns[0]))
}

// delete takes the key and the version that the row must have.
func (t table) delete() *statement {
	return query(fmt.Sprintf("DELETE FROM %s WHERE %s = ? AND version = ?", t.name, t.columns[0]))
}

// exists takes the key.
func (t table) exists() *statement {
	return query(fmt.Sprintf("SELECT 1 FROM %s WHERE %s = ?", t.name, t.columns[0]))
}

func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }
