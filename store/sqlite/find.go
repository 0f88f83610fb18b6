package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"secondring/store"
)

// Get returns the documents that exist of these IDs.
func (e *Engine) Get(ctx context.Context, kind *store.Info, ids ...string) (docs []store.Doc, err error) {
	text, arg := "SELECT id, version, body FROM "+quote(kind.Name)+" WHERE id IN (SELECT value FROM json_each(?))", list(ids)
	if len(ids) == 1 {
		text, arg = "SELECT id, version, body FROM "+quote(kind.Name)+" WHERE id = ?", ids[0]
	}
	err = e.read(ctx, func(c *conn) (err error) {
		docs, err = c.docs(text, arg)
		return err
	})
	return docs, err
}

// list returns values as a JSON array, for json_each.
func list[T string | int | int64](values []T) string {
	encoded, _ := json.Marshal(values) // they can always be encoded
	return string(encoded)
}

// docs returns the documents that a statement finds.
func (c *conn) docs(text string, args ...any) (docs []store.Doc, err error) {
	err = c.each(text, args, func(scan func(...any) error) error {
		var doc store.Doc
		var body string
		err := scan(&doc.ID, &doc.Version, &body)
		doc.Body = []byte(body)
		docs = append(docs, doc)
		return err
	})
	return docs, err
}

// selection is the FROM and WHERE of a list.
type selection struct {
	from  string
	where []string
	args  []any
	id    string // the column in the index of the list by which it is ordered
}

// orderOf returns the column by which lists of a kind are ordered.
func orderOf(kind *store.Info) string { return quote(cmp.Or(kind.Order, "id")) }

func selectionOf(kind *store.Info, where store.Keys) selection {
	s := selection{from: quote(kind.Name) + " AS d", id: "d." + orderOf(kind)}
	for _, key := range slices.Sorted(maps.Keys(where)) {
		column := "d." + quote(key)
		texts, several := where[key].([]string)
		if slices.Contains(kind.Many, key) && several { // a document may have two of them
			s.where = append(s.where, "d.id IN (SELECT id FROM "+manyTable(kind)+" WHERE key = ? AND value IN (SELECT value FROM json_each(?)))")
			s.args = append(s.args, key, list(texts))
			continue
		}
		if slices.Contains(kind.Many, key) {
			s.from = manyTable(kind) + " AS m CROSS JOIN " + quote(kind.Name) + " AS d ON d.id = m.id"
			s.id, column = "m.id", "m.value"
			s.where, s.args = append(s.where, "m.key = ?"), append(s.args, key)
		}
		if several {
			s.where, s.args = append(s.where, column+" IN (SELECT value FROM json_each(?))"), append(s.args, list(texts))
		} else {
			s.where, s.args = append(s.where, column+" = ?"), append(s.args, where[key])
		}
	}
	return s
}

func (s selection) text(what string, more ...string) string {
	text := "SELECT " + what + " FROM " + s.from
	if all := slices.Concat(s.where, more); len(all) > 0 {
		text += " WHERE " + strings.Join(all, " AND ")
	}
	return text
}

// Find returns a page of a list and its total, as of one moment.
func (e *Engine) Find(ctx context.Context, kind *store.Info, f store.Find) (found store.Found, err error) {
	s := selectionOf(kind, f.Where)
	err = e.read(ctx, func(c *conn) error {
		found = store.Found{}
		if f.Limit > 0 {
			if err := c.page(&found, s, f); err != nil || f.CountTo == 0 {
				return err
			}
		}
		found.Total, err = c.total(kind, s, f)
		return err
	})
	return found, err
}

// page reads the documents of a page, and one more to find out whether more follow.
func (c *conn) page(found *store.Found, s selection, f store.Find) (err error) {
	order, after := "DESC", " < ?"
	if f.Ascending {
		order, after = "ASC", " > ?"
	}
	var more []string
	args := slices.Clone(s.args)
	if f.After != "" {
		more, args = []string{s.id + after}, append(args, f.After)
	}
	text := s.text("d.id, d.version, d.body", more...) + fmt.Sprintf(" ORDER BY %s %s LIMIT ?", s.id, order)
	found.Docs, err = c.docs(text, append(args, f.Limit+1)...)
	if len(found.Docs) > f.Limit {
		found.Docs, found.More = found.Docs[:f.Limit], true
	}
	return err
}

// total returns the number of documents in a list: a count that triggers keep, or counted to
// f.CountTo.
func (c *conn) total(kind *store.Info, s selection, f store.Find) (n int, err error) {
	if list, value, ok := countedList(kind, f.Where); ok && f.CountTo == store.CountAll {
		err = c.each("SELECT n FROM counts WHERE list = ? AND value = ?", []any{list, value}, func(scan func(...any) error) error { return scan(&n) })
		return n, err
	}
	err = c.row("SELECT count(*) FROM ("+s.text("1")+" LIMIT ?)", []any{&n}, append(slices.Clone(s.args), f.CountTo)...)
	return n, err
}

// countedList returns the name and value in counts of a list that is counted.
func countedList(kind *store.Info, where store.Keys) (list string, value any, ok bool) {
	if len(where) == 0 {
		return listName(kind, ""), "", slices.Contains(kind.Counted, "")
	}
	for key, value := range where {
		if _, many := value.([]string); len(where) == 1 && !many && slices.Contains(kind.Counted, key) {
			return listName(kind, key), value, true
		}
	}
	return "", nil, false
}

// Due returns the documents of a queue that are due in a time.
func (e *Engine) Due(ctx context.Context, kind *store.Info, queue string, from, until time.Time, limit int) (docs []store.Doc, err error) {
	text := "SELECT id, version, body FROM " + quote(kind.Name) + " WHERE queue = ? AND due BETWEEN ? AND ? ORDER BY due, id LIMIT ?"
	err = e.read(ctx, func(c *conn) (err error) {
		docs, err = c.docs(text, queue, from.UnixMilli(), until.UnixMilli(), limit)
		return err
	})
	return docs, err
}

// Sums returns the number of documents for each value of kind.SumBy, and their least kind.Least.
func (e *Engine) Sums(ctx context.Context, kind *store.Info) (sums []store.Sum, err error) {
	text := fmt.Sprintf("SELECT value, n, (SELECT min(%s) FROM %s WHERE %s = value) FROM counts WHERE list = ? AND n > 0",
		quote(kind.Least), quote(kind.Name), quote(kind.SumBy))
	err = e.read(ctx, func(c *conn) error {
		sums = nil
		return c.each(text, []any{listName(kind, kind.SumBy)}, func(scan func(...any) error) error {
			var sum store.Sum
			err := scan(&sum.Value, &sum.Count, &sum.Least)
			sums = append(sums, sum)
			return err
		})
	})
	return sums, err
}

// Totals adds up keys of the documents of a list, for each value of the key by.
func (e *Engine) Totals(ctx context.Context, kind *store.Info, where store.Keys, by string, of ...string) (totals map[string][]int64, err error) {
	what, present := "d."+quote(by), []string{"d." + quote(by) + " IS NOT NULL"}
	for _, key := range of {
		what, present = what+", sum(d."+quote(key)+")", append(present, "d."+quote(key)+" IS NOT NULL")
	}
	s := selectionOf(kind, where)
	err = e.read(ctx, func(c *conn) error {
		totals = map[string][]int64{}
		return c.each(s.text(what, present...)+" GROUP BY 1", s.args, func(scan func(...any) error) error {
			var value string
			sums := make([]int64, len(of))
			columns := []any{&value}
			for i := range sums {
				columns = append(columns, &sums[i])
			}
			err := scan(columns...)
			totals[value] = sums
			return err
		})
	})
	return totals, err
}

// eachBatch is how many documents Each passes at once.
const eachBatch = 500

// Each passes every document to do, as of one moment.
func (e *Engine) Each(ctx context.Context, do func(kind *store.Info, docs []store.Doc) error) error {
	return e.call(ctx, func() (err error) {
		tx, err := e.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, tx.Rollback()) }()
		c := &conn{statements: e.reads.statements, ctx: ctx, tx: tx}
		return store.EachBatch(do, func(kind *store.Info, after string) ([]store.Doc, error) {
			return c.docs("SELECT id, version, body FROM "+quote(kind.Name)+" WHERE id > ? ORDER BY id LIMIT ?", after, eachBatch)
		})
	})
}
