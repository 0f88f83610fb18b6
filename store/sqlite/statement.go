package sqlite

import (
	"fmt"
	"slices"
	"strings"
)

// statement is an SQL statement. Its index in statements is also its index in the prepared
// statements of each connection.
type statement struct {
	index int
	text  string
}

// statements has all statements that run while the store is open. It is filled when the
// package is initialized and not changed afterwards.
var statements []*statement

// query returns a new statement. Call it only to initialize package variables.
//
// A limit is written LIMIT 0 + ?, because SQLite plans a bare LIMIT ? by its
// value, and compiles the statement again each time it is used.
func query(text string) *statement {
	q := &statement{index: len(statements), text: text}
	statements = append(statements, q)
	return q
}

// table builds the statements that write an entity from the names of its columns. The first
// column is the key. Extra columns are written and never read.
type table struct {
	name    string
	columns []string
	extra   []string
}

func newTable(name, columns string, extra ...string) table {
	return table{name: name, columns: strings.Split(columns, ", "), extra: extra}
}

// list returns the names of the columns with the alias of the table before each.
func (t table) list(alias string) string {
	return alias + "." + strings.Join(t.columns, ", "+alias+".")
}

// insert returns a statement whose parameters are the fields, then the extra columns.
func (t table) insert() *statement {
	all := slices.Concat(t.columns, t.extra)
	return query(fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)",
		t.name, strings.Join(all, ", "), marks(len(all))))
}

// update returns a statement whose parameters are the fields without the key, the extra
// columns, the key, and the version that the row must have.
func (t table) update() *statement {
	all := slices.Concat(t.columns[1:], t.extra)
	return query(fmt.Sprintf("UPDATE %s SET (%s) = (%s) WHERE %s = ? AND version = ?",
		t.name, strings.Join(all, ", "), marks(len(all)), t.columns[0]))
}

// delete returns a statement whose parameters are the key and the version that the row must
// have.
func (t table) delete() *statement {
	return query(fmt.Sprintf("DELETE FROM %s WHERE %s = ? AND version = ?", t.name, t.columns[0]))
}

// exists returns a statement whose parameter is the key.
func (t table) exists() *statement {
	return query(fmt.Sprintf("SELECT 1 FROM %s WHERE %s = ?", t.name, t.columns[0]))
}

func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }
