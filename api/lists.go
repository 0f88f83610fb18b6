package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"secondring/api/rest"
	"secondring/market"
)

// topic is a live topic with its names in the broker and in the protocol.
type topic struct{ broker, wire string }

func topicMe(uid string) topic { return topic{market.TopicMe(uid), "me"} }

func topicNamed(name string) topic { return topic{name, name} }

// listing describes one list: how its pages are read and encoded.
type listing[E any] struct {
	topic   topic // empty if the reader may not subscribe to one
	read    func(ctx context.Context, page market.Page) (market.List[E], error)
	encode  func(*market.Market, []E) ([]byte, error) // encodes the items as this kind of reader sees them
	id      func(E) string                            // the Page.After of the page that begins after the item
	cursors rest.Cursors                              // rest.ByID if empty
	headers func(http.Header)                         // sets further headers after read; nil for none
	// The list is cached if its content for this kind of reader depends on these subjects
	// only. nil for a list that is not cached.
	subjects []string
	reader   string
}

// viewed returns an encoder of the views of a list.
func viewed[E, V any](view func(E) V) func(*market.Market, []E) ([]byte, error) {
	return func(m *market.Market, all []E) ([]byte, error) {
		views := make([]V, 0, len(all))
		for _, item := range all {
			views = append(views, market.Absolute(m, view(item)))
		}
		return json.Marshal(views)
	}
}

// serve sends one page.
func (l listing[E]) serve(h handlers, w http.ResponseWriter, r *http.Request) error {
	if l.cursors.Valid == nil {
		l.cursors = rest.ByID
	}
	page, err := l.cursors.ReadPage(h.cursorKey, r)
	if err != nil {
		return err
	}
	read := func(ctx context.Context) (*rest.Response, error) { return l.response(ctx, h, page, r) }
	var response *rest.Response
	if l.subjects == nil {
		response, err = read(r.Context())
	} else {
		response, err = h.cached(r, l.reader, l.subjects, read)
	}
	if err == nil {
		response.Send(w, r)
	}
	return err
}

// response reads one page. The live position is read before the page, so that a client
// that subscribes from it misses no event.
func (l listing[E]) response(ctx context.Context, h handlers, page market.Page, r *http.Request) (*rest.Response, error) {
	var position string
	if l.topic.broker != "" {
		var err error
		if position, err = h.positions.Position(ctx, l.topic.broker); err != nil {
			return nil, err
		}
	}
	list, err := l.read(ctx, page)
	if err != nil {
		return nil, err
	}
	body, err := l.encode(h.market, list.Items)
	if err != nil {
		return nil, err
	}
	response := rest.NewResponse(readerKind(r), body)
	response.Header.Set("X-Total-Count", strconv.Itoa(list.Total))
	if list.More {
		last := l.id(list.Items[len(list.Items)-1])
		response.Header.Set("Link", l.cursors.Next(h.cursorKey, r, page, last))
	}
	if l.headers != nil {
		l.headers(response.Header)
	}
	if l.topic.broker != "" {
		response.Header.Set("Live-Position", l.topic.wire+"="+position)
	}
	return response, nil
}

// readLive sends one view with the live position of its topic. The position is read before
// the view, as for a page of a list.
func readLive[T any](h handlers, w http.ResponseWriter, r *http.Request, t topic, read func(ctx context.Context) (T, error)) error {
	position, err := h.positions.Position(r.Context(), t.broker)
	if err != nil {
		return err
	}
	view, err := read(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Live-Position", t.wire+"="+position)
	return rest.SendJSON(w, r, readerKind(r), market.Absolute(h.market, view))
}

// Kinds of readers. Each kind gets other fields of the same list.
const (
	kindSignedIn = "signed in"
	kindVisitor  = "visitor"
)

// readerKind returns the kind of reader that makes the request.
func readerKind(r *http.Request) string {
	if _, signedIn := rest.Actor(r.Context()); signedIn {
		return kindSignedIn
	}
	return kindVisitor
}

// productView returns the function that makes the caller's view of a phone.
func (h handlers) productView(r *http.Request) func(market.Product) market.ProductView {
	if readerKind(r) == kindVisitor {
		return market.Product.ViewForVisitor
	}
	return h.market.ViewForBuyers
}

// topicOfBrand returns the topic of a brand's phones that the caller may subscribe to.
func topicOfBrand(r *http.Request, brandID string) topic {
	if readerKind(r) == kindVisitor {
		return topic{market.TopicBrandForVisitors(brandID), market.TopicBrand(brandID)}
	}
	return topicNamed(market.TopicBrand(brandID))
}

// topicAdmin returns the admins' topic that the caller may subscribe to.
func topicAdmin(r *http.Request) topic { return topic{actor(r).User.AdminTopic(), market.TopicAdmin} }

// actor returns the user who makes the request. The route must require a bearer.
func actor(r *http.Request) market.Actor {
	who, _ := rest.Actor(r.Context())
	return who
}

func isOwn(who market.Actor, email string) bool {
	return market.NormalEmail(email) == market.NormalEmail(who.User.Email)
}
