package api

import (
	"bytes"
	"encoding/json"
	"sync"

	"secondring/market"
)

// productView is a way to see a phone; its name tells it from the others.
type productView struct {
	name string
	of   func(market.Product) market.ProductView
}

var (
	forVisitors = productView{kindVisitor, market.Product.ViewForVisitor}
	forSignedIn = productView{kindSignedIn, market.Product.View}
	forSeller   = productView{"seller", market.Product.ViewForSeller}
)

// pieces remembers how phones are encoded, so that a list that is made anew
// because of one phone takes the others as they were. What a phone's views show
// is its version's alone: nothing else needs to be looked at, on any number of
// nodes.
//
// The recent ones are in two generations: when the younger is full, the older
// goes.
type pieces struct {
	mu         sync.Mutex
	young, old map[pieceOf][]byte
	bytes      int // of the younger
}

type pieceOf struct {
	view, id string
	version  int64
}

// pieceBytes are in each generation at most, with what it takes to find them.
const (
	pieceBytes  = 1 << 20
	pieceWeight = 150
)

// phones encodes lists of phones as a view shows them.
func (m resources) phones(view productView) func([]market.Product) ([]byte, error) {
	return func(all []market.Product) ([]byte, error) { return m.pieces.list(view, all) }
}

// list encodes a list as json.Marshal does, of which it is made.
func (p *pieces) list(view productView, all []market.Product) ([]byte, error) {
	parts := make([][]byte, len(all))
	for i, product := range all {
		key := pieceOf{view.name, product.ID, product.Version}
		if parts[i] = p.find(key); parts[i] != nil {
			continue
		}
		piece, err := json.Marshal(view.of(product))
		if err != nil {
			return nil, err
		}
		p.keep(key, piece)
		parts[i] = piece
	}
	size := len("[]") + len(parts)
	for _, part := range parts {
		size += len(part)
	}
	body := bytes.NewBuffer(make([]byte, 0, size))
	body.WriteByte('[')
	for i, part := range parts {
		if i > 0 {
			body.WriteByte(',')
		}
		body.Write(part)
	}
	body.WriteByte(']')
	return body.Bytes(), nil
}

// find returns a piece, nil where it is not remembered.
func (p *pieces) find(key pieceOf) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if piece := p.young[key]; piece != nil {
		return piece
	}
	piece := p.old[key]
	if piece != nil {
		p.put(key, piece)
	}
	return piece
}

func (p *pieces) keep(key pieceOf, piece []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.put(key, piece)
}

func (p *pieces) put(key pieceOf, piece []byte) {
	if p.young == nil || p.bytes >= pieceBytes {
		p.old, p.young, p.bytes = p.young, map[pieceOf][]byte{}, 0
	}
	p.young[key] = piece
	p.bytes += len(piece) + pieceWeight
}
