// Command hubd is the live hub alone, for load generators: GET /live as the product
// serves it, except that anyone may read any topic, and POST /publish?topic=T, whose JSON
// body becomes the data of an event.
//
// Settings: ADDR (:8080) and REDIS_URL (empty or none: one node).
//
// server.go creates the hub and its broker; publish.go publishes.
package main
