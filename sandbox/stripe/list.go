package stripe

import (
	"context"
	"strconv"

	"secondring/market"
)

// How many intents one response lists: by default, and at most.
const (
	listUsual = 10
	listMost  = 100
)

// listing has the parameters of a list.
type listing struct {
	limit int
	since int64 // seconds of Unix time
}

// listIntents lists intents, in the order of their ids, where Stripe has the
// newest first.
var listIntents = endpoint{
	known: []string{"limit", "starting_after", "created[gte]", "expand[]"},
	check: func(_ *Sandbox, c *call) (any, error) {
		of, err := readListing(c.params)
		if err != nil {
			return nil, err
		}
		return of, c.expandable("data.latest_charge", "data.latest_charge.refunds", "data.latest_charge.dispute", "data.payment_method")
	},
	run: func(ctx context.Context, s *Sandbox, c *call, checked any) (object, error) {
		return s.list(ctx, c, checked.(listing))
	},
}

func readListing(p params) (listing, error) {
	of := listing{limit: listUsual}
	if p.has("limit") {
		n, err := p.cents("limit")
		if err != nil || n > listMost {
			return of, refuse("parameter_invalid_integer", "limit", "limit must be from 1 to 100.")
		}
		of.limit = int(n)
	}
	if p.has("created[gte]") {
		var err error
		if of.since, err = strconv.ParseInt(p.text("created[gte]"), 10, 64); err != nil {
			return of, refuse("parameter_invalid_integer", "created[gte]", "created[gte] must be seconds of Unix time.")
		}
	}
	return of, nil
}

// list lists the intents that match.
func (s *Sandbox) list(ctx context.Context, c *call, of listing) (object, error) {
	return s.scan(ctx, "/v1/payment_intents", c.text("starting_after"), of.limit, func(i *intent) object {
		if i.Created < of.since {
			return nil
		}
		return i.view(c.who, c.within("data"))
	})
}

// listAllDisputes lists the disputes of all intents. An intent has one at most.
func (s *Sandbox) listAllDisputes(ctx context.Context, c *call, of listing) (object, error) {
	return s.scan(ctx, "/v1/disputes", ownerOf("dp_", c.text("starting_after")), of.limit, func(i *intent) object {
		ch := i.charge()
		if ch == nil || ch.Dispute == nil || ch.Dispute.Created < of.since {
			return nil
		}
		return ch.Dispute.view(i, ch)
	})
}

// scan reads intents until it has one view more than are wanted. What has no view is left
// out.
func (s *Sandbox) scan(ctx context.Context, url, after string, limit int, view func(*intent) object) (object, error) {
	found := []object{}
	page := market.Page{Limit: listMost, After: after}
	for {
		records, err := s.config.Records.RecordsOf(ctx, intentRecord, page)
		if err != nil {
			return nil, err
		}
		for _, record := range records {
			i, err := decodeIntent(record)
			if err != nil {
				return nil, err
			}
			shown := view(i)
			if shown == nil {
				continue
			}
			if len(found) == limit {
				return listed(url, found, true), nil
			}
			found = append(found, shown)
		}
		if len(records) < page.Limit {
			return listed(url, found, false), nil
		}
		page.After = records[len(records)-1].ID
	}
}

func listed(url string, found []object, more bool) object {
	return object{"object": "list", "data": found, "has_more": more, "url": url}
}
