// Package images is the built-in image host: it takes a seller's photo,
// makes a plain JPEG and smaller WebP copies of it, and serves them under the hash
// of the JPEG.
package images
