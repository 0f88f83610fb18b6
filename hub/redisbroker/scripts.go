package redisbroker

import (
	"fmt"

	"github.com/redis/go-redis/v9"
)

// scripts are the Lua scripts of one shard. Their text has the number of the shard, so that
// each shard loads its own: shards may be on different servers of a cluster. A change of the
// text begins new epochs, because Redis does not have the changed script (see restore).
type scripts struct {
	publish, position, history *redis.Script
}

func (s scripts) all() []*redis.Script { return []*redis.Script{s.publish, s.position, s.history} }

// hashes are the hashes by which Redis identifies the scripts.
func (s scripts) hashes() (all []string) {
	for _, one := range s.all() {
		all = append(all, one.Hash())
	}
	return all
}

// scriptsOf returns the scripts of a shard. Their texts differ between shards and between
// markets that share a server: another market's call must not load the scripts whose absence
// shows a shard that its server has lost data.
func scriptsOf(tag, content string) scripts {
	script := func(body string) *redis.Script {
		return redis.NewScript(fmt.Sprintf("-- %s\nlocal content = '%s'\n%s%s", tag, content, luaTopic, body))
	}
	return scripts{publish: script(luaPublish), position: script(luaPosition), history: script(luaHistory)}
}

// luaTopic reads the topic, or creates it. content is Options.Content: KEYS 1 life, 2 meta, 3 history;
// ARGV 1 an epoch for a topic that begins, 2 milliseconds until an idle one is
// forgotten.
const luaTopic = `
local life = (redis.call('GET', KEYS[1]) or '0') .. content
local meta = redis.call('HMGET', KEYS[2], 'epoch', 'life', 'top')
local epoch, top = meta[1], tonumber(meta[3])
if not epoch or not top or meta[2] ~= life then
  epoch, top = ARGV[1], 0
  redis.call('HSET', KEYS[2], 'epoch', epoch, 'life', life, 'top', 0, 'bytes', 0)
  redis.call('DEL', KEYS[3])
end
redis.call('PEXPIRE', KEYS[2], ARGV[2])
`

// luaPublish returns the new offset, or 0 for an event that is not newer than the last one
// of its entity: KEYS 4 young, 5 old, 6 channel; ARGV 3 entity, 4 version, 5 the event as it
// is kept, 6 size of the history, 7 its milliseconds, 8 entities in a generation, 9 bytes of
// the history. It adds up the bytes of new events. If there are too many, it counts those
// that are in the history and deletes the oldest. Versions are kept as long as an idle topic
// is, and at least as long as the history.
const luaPublish = `
local entity, version = ARGV[3], tonumber(ARGV[4])
if entity ~= '' and version > 0 then
  local last = redis.call('HGET', KEYS[4], entity) or redis.call('HGET', KEYS[5], entity)
  if last and tonumber(last) >= version then return 0 end
  if redis.call('HLEN', KEYS[4]) >= tonumber(ARGV[8]) then redis.call('RENAME', KEYS[4], KEYS[5]) end
  redis.call('HSET', KEYS[4], entity, ARGV[4])
  redis.call('PEXPIRE', KEYS[4], math.max(tonumber(ARGV[2]), tonumber(ARGV[7])))
end
top = redis.call('HINCRBY', KEYS[2], 'top', 1)
local at = string.format('%.0f', top)
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[6], at .. '-0', 'e', ARGV[5])
redis.call('PEXPIRE', KEYS[3], ARGV[7])
local most = tonumber(ARGV[9])
if redis.call('HINCRBY', KEYS[2], 'bytes', #ARGV[5]) > most then
  local kept, bytes, from = redis.call('XREVRANGE', KEYS[3], '+', '-'), 0, nil
  for i, entry in ipairs(kept) do
    if bytes + #entry[2][2] > most * 3 / 4 then break end
    bytes, from = bytes + #entry[2][2], entry[1]
  end
  if from then redis.call('XTRIM', KEYS[3], 'MINID', from) else redis.call('DEL', KEYS[3]) end
  redis.call('HSET', KEYS[2], 'bytes', bytes)
end
redis.call('SPUBLISH', KEYS[6], epoch .. ':' .. at .. '\n' .. ARGV[5])
return top
`

// luaPosition returns the epoch and the offset.
const luaPosition = `
return {epoch, string.format('%.0f', top)}
`

// luaHistory returns the epoch, the offset, whether the history reaches back
// to a position, and what came after it: ARGV 3 and 4 that position's epoch
// and offset.
const luaHistory = `
local at, since = string.format('%.0f', top), tonumber(ARGV[4])
if ARGV[3] ~= epoch or since > top then return {epoch, at, 0, {}} end
if since == top then return {epoch, at, 1, {}} end
local kept = redis.call('XRANGE', KEYS[3], string.format('%.0f', since + 1) .. '-0', '+')
if #kept ~= top - since then return {epoch, at, 0, {}} end
local events = {}
for i, entry in ipairs(kept) do events[i] = entry[2][2] end
return {epoch, at, 1, events}
`
