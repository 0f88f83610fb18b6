package sqlite

import "context"

// Statements returns all SQL that runs once the store is open.
func Statements() (texts []string) {
	for _, q := range statements {
		texts = append(texts, q.text)
	}
	return texts
}

// Pragmas returns a pragma's value on the writing and on a reading connection.
func (s *Store) Pragmas(ctx context.Context, name string) (values [2]string, err error) {
	for i, pool := range []chan *conn{s.writers, s.readers} {
		c, err := s.take(ctx, pool)
		if err != nil {
			return values, err
		}
		err = c.raw.QueryRowContext(ctx, "PRAGMA "+name).Scan(&values[i])
		pool <- c
		if err != nil {
			return values, err
		}
	}
	return values, nil
}

// WalkMore has the store walk along its indexes where more than so many phones
// have a query's words, as if the market were a large one.
func (s *Store) WalkMore(than int) { s.few = than }

// MovedTables are those that market.Kinds are read from.
func MovedTables() (names []string) {
	for _, m := range movers {
		names = append(names, m.table())
	}
	return names
}
