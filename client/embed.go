// Package client holds the built client, so that the server is one file.
package client

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Files is the built client: index.html and what it needs. Before the client is
// built it holds no index.html.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil { // only for a path that is not one
		panic(err)
	}
	return files
}
