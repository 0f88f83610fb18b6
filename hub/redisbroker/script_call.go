package redisbroker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"secondring/hub"
)

// noScript is the prefix of Redis's error reply when it does not know a script. The protocol
// has no other form of error codes.
const noScript = "NOSCRIPT"

// call is one call of a script, and its reply.
type call struct {
	shard  *shard
	script *redis.Script
	keys   []string
	args   []any
	reply  *redis.Cmd
}

// run makes all calls in one round trip. Calls to a shard whose server did not know
// the scripts are made again after restore. It returns the first error.
func (b *Broker) run(ctx context.Context, calls []call) error {
	pending := make([]*call, len(calls))
	for i := range calls {
		pending[i] = &calls[i]
	}
	b.send(ctx, pending)
	var again []*call
	restored := map[*shard]bool{}
	for _, c := range pending {
		if !redis.HasErrorPrefix(c.reply.Err(), noScript) {
			continue
		}
		if !restored[c.shard] {
			restored[c.shard] = true
			if err := b.restore(ctx, c.shard); err != nil {
				return err
			}
		}
		again = append(again, c)
	}
	if len(again) > 0 {
		b.send(ctx, again)
	}
	for _, c := range pending {
		if err := c.reply.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (b *Broker) send(ctx context.Context, calls []*call) {
	if len(calls) == 1 {
		calls[0].reply = calls[0].script.EvalSha(ctx, b.client, calls[0].keys, calls[0].args...)
		return
	}
	pipe := b.client.Pipeline()
	for _, c := range calls {
		c.reply = c.script.EvalSha(ctx, pipe, c.keys, c.args...)
	}
	_, err := pipe.Exec(ctx)
	for _, c := range calls {
		// Each reply has its own error, unless no connection was available and the
		// client does not retry: then all replies are empty.
		if err != nil && c.reply.Err() == nil && c.reply.Val() == nil {
			c.reply.SetErr(err)
		}
	}
}

// restore raises the shard's epoch and loads its scripts in one transaction, on the
// server that has the shard. Of all callers that find the scripts missing, on
// whichever node, one does it.
func (b *Broker) restore(ctx context.Context, shard *shard) error {
	server, err := b.serverOf(ctx, shard.epochKey)
	if err != nil {
		return err
	}
	err = server.Watch(ctx, func(tx *redis.Tx) error {
		exists, err := tx.ScriptExists(ctx, shard.scripts.hashes()...).Result()
		if err != nil || !slices.Contains(exists, false) {
			return err
		}
		if err := b.beginEpoch(ctx, tx, shard); err != nil {
			return err
		}
		b.log.InfoContext(ctx, "live: Redis does not have our scripts, as after a loss of its state: topics get new epochs", "shard", shard.index)
		return nil
	}, shard.epochKey)
	if errors.Is(err, redis.TxFailedErr) {
		return nil // another caller was faster
	}
	return err
}

// beginEpoch raises the shard's epoch and loads its scripts.
func (b *Broker) beginEpoch(ctx context.Context, server redis.Cmdable, shard *shard) error {
	_, err := server.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.Incr(ctx, shard.epochKey)
		for _, s := range shard.scripts.all() {
			s.Load(ctx, pipe)
		}
		return nil
	})
	return err
}

// serverOf returns the client of the server that has a key. In a cluster
// it is the master alone: a script loaded on a replica would hide a failover.
func (b *Broker) serverOf(ctx context.Context, key string) (redis.UniversalClient, error) {
	if cluster, ok := b.client.(*redis.ClusterClient); ok {
		return cluster.MasterForKey(ctx, key)
	}
	return b.client, nil
}

// errUnexpectedReply is the error of a reply that none of our scripts returns.
var errUnexpectedReply = errors.New("redisbroker: unexpected answer")

func positionIn(reply []any) (hub.Position, error) {
	if len(reply) < 2 {
		return hub.Position{}, errUnexpectedReply
	}
	epoch, ok1 := reply[0].(string)
	offset, ok2 := reply[1].(string)
	n, err := strconv.ParseUint(offset, 10, 64)
	if !ok1 || !ok2 || err != nil {
		return hub.Position{}, errUnexpectedReply
	}
	return hub.Position{Epoch: epoch, Offset: n}, nil
}

func historyIn(reply []any, topic string, since hub.Position) (hub.History, error) {
	top, err := positionIn(reply)
	if err != nil || len(reply) != 4 {
		return hub.History{}, errUnexpectedReply
	}
	h := hub.History{Top: top, Complete: reply[2] == int64(1)}
	events, ok := reply[3].([]any)
	if !ok {
		return hub.History{}, errUnexpectedReply
	}
	for i, kept := range events {
		text, _ := kept.(string)
		e, err := decode(topic, text)
		if err != nil {
			return hub.History{}, fmt.Errorf("history of %s: %w", topic, err)
		}
		at := hub.Position{Epoch: top.Epoch, Offset: since.Offset + uint64(i) + 1}
		h.Entries = append(h.Entries, hub.Entry{Position: at, Event: e})
	}
	return h, nil
}
