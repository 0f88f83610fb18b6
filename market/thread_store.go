package market

import (
	"context"
	"time"
)

// ThreadStore stores conversations: threads, their messages and offers. A Message and a new Offer are
// Effects of the write of their thread.
type ThreadStore interface {
	// AddThread returns ErrExists if the ID exists, or the buyer has a thread about the phone.
	AddThread(ctx context.Context, t Thread, effects []Effect) error
	SaveThread(ctx context.Context, t Thread, effects []Effect) error
	// RemoveThread takes the thread with Version one above the stored one. Its messages and offers
	// stay: see RemoveMessages and RemoveOffers.
	RemoveThread(ctx context.Context, t Thread, effects []Effect) error
	Thread(ctx context.Context, id string) (Thread, error)
	// ThreadOf returns a buyer's thread about a phone.
	ThreadOf(ctx context.Context, productID, buyerUID string) (Thread, error)
	// ThreadsOf lists a person's threads on both sides, and only those about one phone if productID is
	// not "". They are in the order of their last messages, and Page.After is a Thread.Last.ID.
	ThreadsOf(ctx context.Context, uid, productID string, page Page) (List[Thread], error)
	// ThreadsOfPhone and ThreadsOfPair return a page of the threads about a phone, or with a
	// Thread.Pair, in the opposite order: a thread that gets a message in the meantime is on a later page.
	ThreadsOfPhone(ctx context.Context, productID string, page Page) ([]Thread, error)
	ThreadsOfPair(ctx context.Context, pair string, page Page) ([]Thread, error)
	// CountUnreadThreads counts a person's threads with unread messages.
	CountUnreadThreads(ctx context.Context, uid string) (int, error)
	// ThreadsDue returns threads whose Thread.Due is set and not after now, oldest first, up to limit.
	ThreadsDue(ctx context.Context, now time.Time, limit int) ([]Thread, error)

	// Messages lists the messages of a thread, newest first.
	Messages(ctx context.Context, threadID string, page Page) (List[Message], error)
	// MessageOfKey returns the message of a thread with a Key.
	MessageOfKey(ctx context.Context, threadID, key string) (Message, error)
	// RemoveMessages removes messages for good.
	RemoveMessages(ctx context.Context, ids []string) error

	SaveOffer(ctx context.Context, o Offer, effects []Effect) error
	Offer(ctx context.Context, id string) (Offer, error)
	// OffersByID returns the offers that exist, in any order.
	OffersByID(ctx context.Context, ids []string) ([]Offer, error)
	// OffersOfThread returns all offers of a thread, newest first.
	OffersOfThread(ctx context.Context, threadID string) ([]Offer, error)
	// OffersOf lists a person's offers on one side, newest first, and only those for one phone if
	// productID is not "".
	OffersOf(ctx context.Context, uid string, side OrderSide, productID string, page Page) (List[Offer], error)
	// OpenOffersFor returns a page of the open offers for a phone, newest first.
	OpenOffersFor(ctx context.Context, productID string, page Page) ([]Offer, error)
	// CountOpenOffers counts a buyer's open offers.
	CountOpenOffers(ctx context.Context, buyerUID string) (int, error)
	// OffersDue returns open offers that expire, oldest first, up to limit.
	OffersDue(ctx context.Context, now time.Time, limit int) ([]Offer, error)
	// RemoveOffers removes offers for good.
	RemoveOffers(ctx context.Context, ids []string) error
}
