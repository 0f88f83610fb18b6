// Package site serves the built client: its one page at each of the client's own paths, its
// files, and the demo's photos.
//
// Start at New, which reads the files into memory and writes the settings into the page.
// phone_page.go writes a phone's name, price and photo into the page's head for programs
// that run no scripts. Routes has GET /config.
package site
