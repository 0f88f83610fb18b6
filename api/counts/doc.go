// Package counts keeps the rate limits' counts in Redis, so that they hold
// across nodes: Tries for sign-ins, exactly and at once; Rates for calls, which
// never wait for Redis. While Redis is away each node counts for itself.
package counts
