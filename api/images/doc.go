// Package images is the built-in image host: it takes a seller's photograph,
// makes a plain JPEG of it and serves that under the hash of its content.
package images
