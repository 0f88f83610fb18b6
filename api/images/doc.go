// Package images is the built-in image host. It receives a seller's photo or the picture
// of an account, encodes a JPEG without metadata and smaller WebP copies, and serves them under
// the hash of the JPEG.
//
// Start at upload.go: it checks the caller's quota (quota.go), decodes within a limit of
// memory (decode_budget.go, slots.go), scales down (resize.go) and encodes (reencode.go,
// variants.go). save.go writes the files and the picture's record (entry.go). serve.go
// serves, takedown.go removes a picture for an admin, and cleanup.go deletes pictures that
// nothing shows. evidence.go has the photographs of orders, which only their sides and admins get.
// metadata.go tells the market what is known of a picture.
package images
