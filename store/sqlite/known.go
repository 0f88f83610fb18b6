package sqlite

import (
	"slices"
	"sync"

	"secondring/market"
)

// known remembers phones as they were read. To make a row of thirty columns into
// a phone costs ten times what it costs to find it, and most phones of a list
// that is read again are the same. A phone is what its ID and version say: so
// the version that the reader's own moment has of it tells whether what is
// remembered is that phone, whoever has changed it meanwhile.
//
// The recent ones are in two generations: when the younger is full, the older
// goes.
type known struct {
	mu         sync.Mutex
	young, old map[string]*market.Product
}

// knownMost are in each generation: about a kilobyte each.
const knownMost = 1500

// of returns the phone at that version, if it is remembered.
func (k *known) of(id string, version int64) (market.Product, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p := k.young[id]
	if p == nil {
		if p = k.old[id]; p != nil && p.Version == version {
			k.put(p)
		}
	}
	if p == nil || p.Version != version {
		return market.Product{}, false
	}
	return apart(*p), true
}

// keep remembers a phone that was read.
func (k *known) keep(p market.Product) {
	p = apart(p)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.put(&p)
}

func (k *known) put(p *market.Product) {
	if len(k.young) >= knownMost || k.young == nil {
		k.old, k.young = k.young, make(map[string]*market.Product)
	}
	k.young[p.ID] = p
}

// apart is a phone whose hold nobody else has, and whose photographs nobody can
// add to.
func apart(p market.Product) market.Product {
	if p.Hold != nil {
		hold := *p.Hold
		p.Hold = &hold
	}
	p.Photos = slices.Clip(p.Photos)
	return p
}

// readMost is how many phones that are not remembered are read one by one; more
// of them, and the whole page is read.
const readMost = 8

// readProduct reads one phone.
func readProduct(c *conn, id string) (p market.Product, err error) {
	var version int64
	if err := c.row(qVersion, []any{&version}, id); err != nil {
		return p, err
	}
	if p, ok := c.known.of(id, version); ok {
		return p, nil
	}
	return c.meet(id)
}

// meet reads a phone that is not remembered.
func (c *conn) meet(id string) (market.Product, error) {
	p, err := one(c, qProduct, productFields, id)
	if err == nil {
		c.known.keep(p)
	}
	return p, err
}

// productPage reads pages of phones through what is remembered of them. Inside a
// transaction, all that it reads is of one moment.
func productPage(where string) func(c *conn, args ...any) ([]market.Product, error) {
	names, whole := productTable.names(where), productTable.page(where)
	return func(c *conn, args ...any) ([]market.Product, error) {
		all, missing, err := c.recall(names, args)
		if err != nil {
			return nil, err
		}
		if len(missing) > readMost {
			return c.meetAll(whole, args)
		}
		for _, i := range missing {
			if all[i], err = c.meet(all[i].ID); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
}

// meetAll reads a whole page.
func (c *conn) meetAll(page *statement, args []any) ([]market.Product, error) {
	all, err := many(c, page, productFields, args...)
	for _, p := range all {
		c.known.keep(p)
	}
	return all, err
}

// recall finds who is on a page, and the places of those who are not remembered.
func (c *conn) recall(names *statement, args []any) (all []market.Product, missing []int, err error) {
	rows, err := c.query(names, args...)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = rows.Close() }() // reading is over: rows.Err has told
	for rows.Next() {
		var id string
		var version int64
		if err := rows.Scan(&id, &version); err != nil {
			return nil, nil, err
		}
		p, ok := c.known.of(id, version)
		if !ok {
			p.ID = id
			missing = append(missing, len(all))
		}
		all = append(all, p)
	}
	return all, missing, rows.Err()
}
