// Package ratelimit counts for the rate limits in Redis, so that they apply across nodes.
// Attempts counts failed sign-ins exactly and waits for Redis. Limiter counts calls in this
// process and exchanges counts with the other nodes 20 times a second, so that no call
// waits for Redis. While Redis is unavailable each node counts alone.
package ratelimit
