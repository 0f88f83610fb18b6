// Package images is the built-in image host: it receives a seller's photo,
// encodes a JPEG without metadata and smaller WebP copies, and serves them under the
// hash of the JPEG.
package images
