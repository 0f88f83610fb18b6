package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// MessageRequest is the payload of POST /threads and of POST /threads/{id}/messages.
type MessageRequest struct {
	ProductID string // of POST /threads
	Text      string
	Key       string // made with the text, so that a repeated call adds no second message; may be empty
	Confirm   bool   // the person sends it although it looks like contact data
	Wrong     Fields
}

// Limits of messages.
const (
	maxMessage      = 2000 // characters
	maxMessageBytes = 6 << 10
	maxLastText     = 120 // characters of LastMessage.Text
)

func (in MessageRequest) check() error {
	f := FieldsOf(in.Wrong)
	f.message("text", in.Text)
	f.optional("key", in.Key, MaxKey)
	return f.Err()
}

// message requires the text of a message.
func (f Fields) message(name, text string) {
	f.multiline(name, text, maxMessage)
	if len(text) > maxMessageBytes {
		f.Add(name, "is longer than 6 KB")
	}
}

// StartThread sends the first message about a phone to its seller. If there is a thread of this phone
// and person, the message is added to it. It returns CodeSold if the phone is sold, to anybody who has
// no thread about it.
func (m *Market) StartThread(ctx context.Context, who Actor, in MessageRequest) (Thread, error) {
	p, err := m.productOrNone(ctx, in.ProductID)
	if err != nil {
		return Thread{}, err
	}
	if err := m.mayAsk(ctx, who, p); err != nil {
		return Thread{}, err
	}
	f := FieldsOf(in.Wrong)
	f.text("productID", in.ProductID, maxShort)
	in.Wrong = f
	if err := in.check(); err != nil {
		return Thread{}, err
	}
	uid := who.User.UID
	t, _, err := m.addLine(ctx, who, func() (Thread, error) { return m.threadAbout(ctx, p, uid) }, lineOf(uid, in))
	return t, err
}

// mayAsk returns an error for a person who cannot write to the seller of a phone.
func (m *Market) mayAsk(ctx context.Context, who Actor, p Product) error {
	switch {
	case !who.User.MayBuy():
		return forbidden("Admins cannot write to sellers")
	case p.SellerUID == who.User.UID:
		return forbidden("This is your own phone")
	}
	return m.mayTrade(ctx, who)
}

// threadAbout returns a buyer's thread about a phone; a new one with Version 0 if there is none.
func (m *Market) threadAbout(ctx context.Context, p Product, buyerUID string) (Thread, error) {
	t, err := m.store.ThreadOf(ctx, p.ID, buyerUID)
	if !errors.Is(err, ErrNotFound) {
		return t, err
	}
	now := m.clock.Now()
	t = Thread{ID: NewID(now), ProductID: p.ID, BuyerUID: buyerUID, SellerUID: p.SellerUID, CreatedAt: now}
	t.Phone = ThreadPhone{Name: p.Name, Img: p.Img, Price: p.ResalePrice}
	if p.Sold && (p.Hold == nil || p.Hold.BuyerUID != buyerUID) {
		return t, refuse(CodeSold, "This phone has been sold")
	}
	return t, nil
}

// SendMessage adds a message to a thread, for both sides. It returns CodeBlocked if one side has
// blocked the other, CodeClosed for a closed thread, and CodeContact, CodeLink or CodeContactWarning for
// a text with contact data.
func (m *Market) SendMessage(ctx context.Context, who Actor, id string, in MessageRequest) (Message, error) {
	if _, err := m.ownThread(ctx, who, id); err != nil {
		return Message{}, err
	}
	if err := m.mustHaveConfirmedEmail(ctx, who); err != nil {
		return Message{}, err
	}
	if err := in.check(); err != nil {
		return Message{}, err
	}
	_, message, err := m.addLine(ctx, who, func() (Thread, error) { return m.thread(ctx, id) }, lineOf(who.User.UID, in))
	return message, err
}

// line is what a person adds to a thread.
type line struct {
	text, key string
	confirm   bool
	offer     *Offer       // to add; its ID and thread are set. nil for a text
	mayOffer  func() error // returns why the offer cannot be made; nil for a text
}

func lineOf(uid string, in MessageRequest) line {
	return line{text: in.Text, key: lineKey(uid, MessageText, in.Key), confirm: in.Confirm}
}

// lineKey returns the Message.Key of a request's key. The other side, and an offer beside a message, may
// have the same one.
func lineKey(uid string, kind MessageKind, key string) string {
	if key == "" {
		return ""
	}
	return uid + " " + string(kind) + " " + key
}

// addLine adds a line to the thread that read returns, in one compare-and-set of the thread. A thread
// with Version 0 is new. If the line's key is known, it returns the message that has it.
func (m *Market) addLine(ctx context.Context, who Actor, read func() (Thread, error), l line) (Thread, Message, error) {
	for isFirstTry := true; ; isFirstTry = false {
		t, err := read()
		if err != nil {
			return t, Message{}, err
		}
		if sent, err := m.messageOfKey(ctx, t, l.key); err != nil || sent.ID != "" {
			return t, sent, err
		}
		if l.offer != nil {
			if err := l.mayOffer(); err != nil {
				return t, Message{}, err
			}
		}
		isPaid, err := m.mayWrite(ctx, who.User.UID, t)
		if err == nil && !isPaid {
			err = m.mustNotBeSuspended(who.User)
		}
		if err == nil && isFirstTry { // a limit is counted once
			err = m.mayAdd(ctx, who, t, l, isPaid)
		}
		if err != nil {
			return t, Message{}, err
		}
		after, message := t.with(l, who.User.UID, m.clock.Now())
		err = m.saveLine(ctx, after, message, l.offer)
		if !errors.Is(err, ErrConflict) && !errors.Is(err, ErrExists) {
			return after, message, err
		}
	}
}

// messageOfKey returns the message of a thread that was sent with this key; the zero Message if there
// is none.
func (m *Market) messageOfKey(ctx context.Context, t Thread, key string) (Message, error) {
	if key == "" || t.Version == 0 {
		return Message{}, nil
	}
	for _, v := range t.Recent {
		if v.Key == key {
			return v, nil
		}
	}
	v, err := m.store.MessageOfKey(ctx, t.ID, key)
	return v, ignoreNotFound(err)
}

// with returns the thread with a new line. Its ID and time are after those of the line before.
func (t Thread) with(l line, uid string, now time.Time) (Thread, Message) {
	if earliest := t.Last.At.Add(time.Millisecond); now.Before(earliest) {
		now = earliest
	}
	v := Message{ID: NewID(now), ThreadID: t.ID, Kind: MessageText, ByUID: uid, Text: l.text, Key: l.key, At: now, Version: 1}
	t.Last = LastMessage{ID: v.ID, Text: cut(l.text, maxLastText), ByUID: uid, At: now, OfferID: t.Last.OfferID}
	if o := l.offer; o != nil {
		o.ID, o.ThreadID, o.CreatedAt = NewID(now), t.ID, now
		v.Kind, v.OfferID = MessageOffer, o.ID
		t.Last.OfferID, t.Last.Text = o.ID, cut(strings.TrimSpace(fmt.Sprintf("Offer: $%d. %s", o.Price, l.text)), maxLastText)
	}
	if l.key != "" {
		recent := v
		recent.Text = ""
		t.Recent = append(slices.Clone(t.Recent), recent)
		t.Recent = t.Recent[max(0, len(t.Recent)-keptRecent):]
	}
	unread := t.unreadOf(t.other(uid))
	unread.Count++
	if unread.First == "" {
		unread.First = v.ID
	}
	t.Version++
	return t, v
}

// cut returns the beginning of a text, in characters.
func cut(text string, max int) string {
	if utf8.RuneCountInString(text) <= max {
		return text
	}
	return string([]rune(text)[:max-1]) + "…"
}

// saveLine stores a thread with its newest message, and the offer that this makes.
func (m *Market) saveLine(ctx context.Context, t Thread, v Message, o *Offer) error {
	c, err := m.threadContext(ctx, "", t)
	if err != nil {
		return err
	}
	effects := []Effect{v}
	if o != nil {
		c.offers[o.ID] = *o
		effects = append(append(effects, *o), m.offerEvents(*o, t.Last.At)...)
	}
	effects = append(effects, m.messageEvents(v, o, t.BuyerUID, t.SellerUID)...)
	for _, uid := range []string{t.BuyerUID, t.SellerUID} {
		effects = append(effects, m.threadEvent(c, t, uid))
	}
	to := t.other(v.ByUID)
	if _, isHere := c.people[to]; isHere {
		if o != nil {
			effects = append(effects, o.notice(to, v.At))
		} else if unread := t.unreadOf(to); unread.Count == 1 {
			effects = append(effects, messageNotice(t, to, unread.First, v.At))
		}
	}
	if t.Version == 1 {
		return m.store.AddThread(ctx, t, effects)
	}
	return m.store.SaveThread(ctx, t, effects)
}

// messageEvents returns the events of a new message for people. o is the offer that it is about; nil
// if there is none.
func (m *Market) messageEvents(v Message, o *Offer, uids ...string) []Effect {
	var effects []Effect
	for _, uid := range uids {
		effects = append(effects, Event{
			Topic: TopicMe(uid), Type: TypeMessageAdded, At: v.At, Entity: v.ID, Version: v.Version,
			Data: encode(Absolute(m, v.viewFor(uid, o))),
		})
	}
	return effects
}

// threadEvent returns the event of a thread for one of its sides.
func (m *Market) threadEvent(c threadContext, t Thread, uid string) Event {
	now := m.clock.Now()
	return Event{
		Topic: TopicMe(uid), Type: TypeThreadChanged, At: now, Entity: t.ID, Version: t.Version,
		Data: encode(Absolute(m, c.view(t, uid, now))),
	}
}

// saveThread stores a changed thread, with events for the sides that are to know.
func (m *Market) saveThread(ctx context.Context, t Thread, uids ...string) error {
	c, err := m.threadContext(ctx, "", t)
	if err != nil {
		return err
	}
	t.Version++
	var effects []Effect
	for _, uid := range uids {
		effects = append(effects, m.threadEvent(c, t, uid))
	}
	return m.store.SaveThread(ctx, t, effects)
}

// changeThread applies a change to a thread. change returns the sides that are to know, none to change
// nothing. After a conflict it reads the thread and applies the change again.
func (m *Market) changeThread(ctx context.Context, id string, change func(*Thread) (uids []string, err error)) error {
	for {
		t, err := m.store.Thread(ctx, id)
		if err != nil {
			return ignoreNotFound(err)
		}
		uids, err := change(&t)
		if err != nil || len(uids) == 0 {
			return err
		}
		if err = m.saveThread(ctx, t, uids...); !errors.Is(err, ErrConflict) {
			return ignoreNotFound(err)
		}
	}
}
