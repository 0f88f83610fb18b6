package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"secondring/api/rest"
	"secondring/market"
)

// topic is a live topic as the broker knows it and as its readers call it.
type topic struct{ broker, wire string }

func topicMe(uid string) topic { return topic{market.TopicMe(uid), "me"} }

func topicNamed(name string) topic { return topic{name, name} }

// listing is one list: where its pages come from and how its readers see them.
type listing[E any] struct {
	topic   topic // none when its reader may not subscribe to one
	read    func(ctx context.Context, page market.Page) (market.List[E], error)
	encode  func([]E) ([]byte, error) // as its readers see them: viewed, or pieces
	id      func(E) string            // Page.After of the page that begins after it
	cursors rest.Cursors              // rest.ByID when left out
	// shared is where all readers of the topic share readings of this list; nil
	// where the list is somebody's own.
	shared *together
	// kept says how answers are kept, and for which kind of reader.
	kept keeping
}

// viewed encodes the views of a list.
func viewed[E, V any](view func(E) V) func([]E) ([]byte, error) {
	return func(all []E) ([]byte, error) {
		views := make([]V, 0, len(all))
		for _, item := range all {
			views = append(views, view(item))
		}
		return json.Marshal(views)
	}
}

// atOnce is a page with the position that it goes with.
type atOnce[E any] struct {
	position string
	list     market.List[E]
}

// serve answers one page. The live position is read before the page is, so that
// whoever subscribes from it misses nothing.
func (l listing[E]) serve(m resources, w http.ResponseWriter, r *http.Request) error {
	if l.cursors.Valid == nil {
		l.cursors = rest.ByID
	}
	page, err := l.cursors.ReadPage(m.seal, r)
	if err != nil {
		return err
	}
	l.kept.topic = l.topic
	got, err := l.kept.get(r.Context(), l.kept.key(r), func(ctx context.Context) (*answer, error) {
		return l.answer(ctx, m, page, r)
	})
	if err != nil {
		return err
	}
	got.serve(w, r)
	return nil
}

// answer makes the answer of one page.
func (l listing[E]) answer(ctx context.Context, m resources, page market.Page, r *http.Request) (*answer, error) {
	got, err := l.at(ctx, m.positions, page)
	if err != nil {
		return nil, err
	}
	body, err := l.encode(got.list.Items)
	if err != nil {
		return nil, err
	}
	head := []field{{"X-Total-Count", []string{strconv.Itoa(got.list.Total)}}}
	if got.list.More {
		last := l.id(got.list.Items[len(got.list.Items)-1])
		head = append(head, field{"Link", []string{l.cursors.Next(m.seal, r, page, last)}})
	}
	a := newAnswer(readerKind(r), body, head...)
	if l.topic.broker != "" {
		a.standing(l.topic, got.position)
	}
	return a, nil
}

// at reads the position and then the page: together with all who ask just then,
// where the list is the same for them.
func (l listing[E]) at(ctx context.Context, positions market.Positions, page market.Page) (got atOnce[E], err error) {
	read := func(ctx context.Context) (got atOnce[E], err error) {
		if l.topic.broker != "" {
			if got.position, err = positions.Position(ctx, l.topic.broker); err != nil {
				return got, err
			}
		}
		got.list, err = l.read(ctx, page)
		return got, err
	}
	if l.shared == nil {
		return read(ctx)
	}
	key := fmt.Sprintf("%s %d %s", l.topic.broker, page.Limit, page.After)
	value, err := l.shared.read(ctx, key, func(ctx context.Context) (any, error) { return read(ctx) })
	got, _ = value.(atOnce[E])
	return got, err
}

// Kinds of readers who see the same list differently.
const (
	kindSignedIn = "signed in"
	kindVisitor  = "visitor"
)

// readerKind tells apart readers who see the same list differently.
func readerKind(r *http.Request) string {
	if _, signedIn := rest.Actor(r.Context()); signedIn {
		return kindSignedIn
	}
	return kindVisitor
}

// actor is who makes a call that needs a bearer.
func actor(r *http.Request) market.Actor {
	who, _ := rest.Actor(r.Context())
	return who
}

func isOwn(who market.Actor, email string) bool {
	return market.NormalEmail(email) == market.NormalEmail(who.User.Email)
}
