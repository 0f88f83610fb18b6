package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"secondring/market"
)

// AddThread stores a new thread. It returns ErrExists if the buyer has one about the phone.
func (s *Store) AddThread(ctx context.Context, t market.Thread, effects []market.Effect) error {
	return threads.add(ctx, s, t, effects)
}

// SaveThread replaces a thread.
func (s *Store) SaveThread(ctx context.Context, t market.Thread, effects []market.Effect) error {
	return threads.save(ctx, s, t, effects)
}

// RemoveThread removes a thread.
func (s *Store) RemoveThread(ctx context.Context, t market.Thread, effects []market.Effect) error {
	return threads.remove(ctx, s, t, effects)
}

// Thread returns the thread with an ID.
func (s *Store) Thread(ctx context.Context, id string) (market.Thread, error) {
	return threads.get(ctx, s, id)
}

// ThreadOf returns a buyer's thread about a phone.
func (s *Store) ThreadOf(ctx context.Context, productID, buyerUID string) (market.Thread, error) {
	return threads.newest(ctx, s, Keys{"phone": productID, "buyer": buyerUID})
}

// ThreadsOf lists a person's threads, in the order of their last messages. They are two lists, one for
// each side, which are merged.
func (s *Store) ThreadsOf(ctx context.Context, uid, productID string, page market.Page) (all market.List[market.Thread], err error) {
	for _, side := range []string{"buyer", "seller"} {
		where := Keys{side: uid}
		if productID != "" {
			where["phone"] = productID
		}
		list, err := threads.list(ctx, s, where, page, CountAll)
		if err != nil {
			return all, err
		}
		all.Items, all.Total, all.More = append(all.Items, list.Items...), all.Total+list.Total, all.More || list.More
	}
	slices.SortFunc(all.Items, func(a, b market.Thread) int { return strings.Compare(b.Last.ID, a.Last.ID) })
	if limit := max(page.Limit, 1); len(all.Items) > limit {
		all.Items, all.More = all.Items[:limit], true
	}
	return all, nil
}

// ThreadsOfPhone returns a page of the threads about a phone.
func (s *Store) ThreadsOfPhone(ctx context.Context, productID string, page market.Page) ([]market.Thread, error) {
	return threads.upwards(ctx, s, Keys{"phone": productID}, page)
}

// ThreadsOfPair returns a page of the threads of two people.
func (s *Store) ThreadsOfPair(ctx context.Context, pair string, page market.Page) ([]market.Thread, error) {
	return threads.upwards(ctx, s, Keys{"pair": pair}, page)
}

// CountUnreadThreads counts a person's threads with unread messages.
func (s *Store) CountUnreadThreads(ctx context.Context, uid string) (int, error) {
	bought, err := threads.count(ctx, s, Keys{"unreadBuyer": uid})
	if err != nil {
		return 0, err
	}
	sold, err := threads.count(ctx, s, Keys{"unreadSeller": uid})
	return bought + sold, err
}

// ThreadsDue returns up to limit threads that are due, the oldest first.
func (s *Store) ThreadsDue(ctx context.Context, now time.Time, limit int) ([]market.Thread, error) {
	return threads.until(ctx, s, "thread", now, limit)
}

// Messages lists the messages of a thread.
func (s *Store) Messages(ctx context.Context, threadID string, page market.Page) (market.List[market.Message], error) {
	return messages.list(ctx, s, Keys{"thread": threadID}, page, CountAll)
}

// MessageOfKey returns the message of a thread with a key.
func (s *Store) MessageOfKey(ctx context.Context, threadID, key string) (market.Message, error) {
	return messages.newest(ctx, s, Keys{"thread": threadID, "key": key})
}

// RemoveMessages removes messages for good.
func (s *Store) RemoveMessages(ctx context.Context, ids []string) error {
	return atOnce(ctx, ids, func(ctx context.Context, id string) error {
		return messages.drop(ctx, s, market.Message{ID: id}, nil)
	})
}

// SaveOffer replaces an offer.
func (s *Store) SaveOffer(ctx context.Context, o market.Offer, effects []market.Effect) error {
	return offers.save(ctx, s, o, effects)
}

// Offer returns the offer with an ID.
func (s *Store) Offer(ctx context.Context, id string) (market.Offer, error) {
	return offers.get(ctx, s, id)
}

// OffersByID returns the offers that exist, in any order.
func (s *Store) OffersByID(ctx context.Context, ids []string) ([]market.Offer, error) {
	return offers.several(ctx, s, ids...)
}

// OffersOfThread returns all offers of a thread.
func (s *Store) OffersOfThread(ctx context.Context, threadID string) ([]market.Offer, error) {
	return offers.all(ctx, s, Keys{"thread": threadID})
}

// OffersOf lists a person's offers on one side.
func (s *Store) OffersOf(
	ctx context.Context, uid string, side market.OrderSide, productID string, page market.Page,
) (market.List[market.Offer], error) {
	where := Keys{string(side): uid}
	if productID != "" {
		where["phone"] = productID
	}
	return offers.list(ctx, s, where, page, CountAll)
}

// OpenOffersFor returns a page of the open offers for a phone.
func (s *Store) OpenOffersFor(ctx context.Context, productID string, page market.Page) ([]market.Offer, error) {
	return offers.page(ctx, s, Keys{"openOf": productID}, page)
}

// CountOpenOffers counts a buyer's open offers.
func (s *Store) CountOpenOffers(ctx context.Context, buyerUID string) (int, error) {
	return offers.count(ctx, s, Keys{"openBy": buyerUID})
}

// OffersDue returns up to limit open offers that expire, the oldest first.
func (s *Store) OffersDue(ctx context.Context, now time.Time, limit int) ([]market.Offer, error) {
	return offers.until(ctx, s, "offer", now, limit)
}

// RemoveOffers removes offers for good.
func (s *Store) RemoveOffers(ctx context.Context, ids []string) error {
	return atOnce(ctx, ids, func(ctx context.Context, id string) error {
		return offers.drop(ctx, s, market.Offer{ID: id}, nil)
	})
}
