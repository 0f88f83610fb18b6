package datastore

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"secondring/market"
)

// A running server has a record in a store of several nodes, and renews it, so that an export
// without a snapshot can refuse to run beside it.
const (
	nodeKind  = "node"
	nodeLease = 30 * time.Second // after it, a node that was killed does not count any more
	nodeRenew = 10 * time.Second
)

// AnnounceNode keeps the record of this node until the context ends.
func AnnounceNode(ctx context.Context, db market.Store, log *slog.Logger) {
	id := market.NewID(market.SystemClock{}.Now())
	ticker := time.NewTicker(nodeRenew)
	defer ticker.Stop()
	for {
		if err := renewNode(ctx, db, id, nodeLease); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "the record of this node was not renewed", "error", err)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			if err := renewNode(context.WithoutCancel(ctx), db, id, 0); err != nil {
				log.Warn("the record of this node was not ended", "error", err)
			}
			return
		}
	}
}

// renewNode stores when the record of a node expires.
func renewNode(ctx context.Context, db market.Store, id string, lease time.Duration) error {
	r, err := db.Record(ctx, nodeKind, id)
	expires := market.SystemClock{}.Now().Add(lease)
	if errors.Is(err, market.ErrNotFound) {
		return db.AddRecord(ctx, market.Record{Kind: nodeKind, ID: id, Expires: expires, Version: 1}, nil)
	}
	if err != nil {
		return err
	}
	r.Expires = expires
	r.Version++
	return db.SaveRecord(ctx, r)
}

// nodeRuns returns whether a server runs on a store of several nodes.
func nodeRuns(ctx context.Context, db market.Store) (bool, error) {
	nodes, err := db.RecordsOf(ctx, nodeKind, market.Page{Limit: 100})
	for _, node := range nodes {
		if node.Expires.After(market.SystemClock{}.Now()) {
			return true, err
		}
	}
	return false, err
}
