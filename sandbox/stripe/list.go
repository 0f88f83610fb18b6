package stripe

import (
	"context"
	"strconv"

	"secondring/market"
)

// The number of objects in one list response.
const (
	defaultLimit = 10
	maxLimit     = 100
)

// listOptions are the parameters of a list.
type listOptions struct {
	limit int
	since int64 // seconds of Unix time
}

// listIntents lists intents in the order of their IDs. Stripe lists the
// newest first.
var listIntents = endpoint[listOptions]{
	allowed: []string{"limit", "starting_after", "created[gte]", "expand[]"},
	check: func(_ *Sandbox, c *call) (listOptions, error) {
		options, err := readListOptions(c.params)
		if err != nil {
			return listOptions{}, err
		}
		return options, c.expandable("data.latest_charge", "data.latest_charge.refunds", "data.latest_charge.dispute", "data.payment_method")
	},
	run: func(ctx context.Context, s *Sandbox, c *call, options listOptions) (object, error) {
		return s.list(ctx, c, options)
	},
}

func readListOptions(p params) (listOptions, error) {
	options := listOptions{limit: defaultLimit}
	if p.has("limit") {
		n, err := p.positive("limit")
		if err != nil || n > maxLimit {
			return options, badRequest("parameter_invalid_integer", "limit", "limit must be from 1 to 100.")
		}
		options.limit = int(n)
	}
	if p.has("created[gte]") {
		var err error
		if options.since, err = strconv.ParseInt(p.text("created[gte]"), 10, 64); err != nil {
			return options, badRequest("parameter_invalid_integer", "created[gte]", "created[gte] must be seconds of Unix time.")
		}
	}
	return options, nil
}

// list returns the list of the intents that match.
func (s *Sandbox) list(ctx context.Context, c *call, options listOptions) (object, error) {
	return s.scan(ctx, "/v1/payment_intents", c.text("starting_after"), options.limit, func(i *intent) object {
		if i.Created < options.since {
			return nil
		}
		return i.view(c.who, c.within("data"))
	})
}

// listAllDisputes returns the list of the disputes of all intents. An intent has at most one.
func (s *Sandbox) listAllDisputes(ctx context.Context, c *call, options listOptions) (object, error) {
	return s.scan(ctx, "/v1/disputes", intentIDOf("dp_", c.text("starting_after")), options.limit, func(i *intent) object {
		ch := i.charge()
		if ch == nil || ch.Dispute == nil || ch.Dispute.Created < options.since {
			return nil
		}
		return ch.Dispute.view(i, ch)
	})
}

// scan reads intents until it has one view more than limit, and returns the list of the views. It
// skips intents whose view is nil.
func (s *Sandbox) scan(ctx context.Context, url, after string, limit int, view func(*intent) object) (object, error) {
	found := []object{}
	page := market.Page{Limit: maxLimit, After: after}
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
			result := view(i)
			if result == nil {
				continue
			}
			if len(found) == limit {
				return listObject(url, found, true), nil
			}
			found = append(found, result)
		}
		if len(records) < page.Limit {
			return listObject(url, found, false), nil
		}
		page.After = records[len(records)-1].ID
	}
}

func listObject(url string, found []object, more bool) object {
	return object{"object": "list", "data": found, "has_more": more, "url": url}
}
