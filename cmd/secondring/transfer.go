package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/settings"
)

// runExport writes the market that the settings name into a new file.
func runExport(ctx context.Context, args []string, out io.Writer) error {
	s, err := settings.ReadTransfer(os.Getenv)
	if err != nil {
		return err
	}
	result, err := datastore.Export(ctx, s, version, args[0], showProgress(out, "exported"))
	if err != nil {
		return withFix(err, "no file was written, and the market is unchanged; fix this and try again")
	}
	_, err = fmt.Fprintf(out, "%s is complete:\n\n%s\nAllow no one else to read it, because it contains personal data. It contains no secrets.\n"+
		"Carry these along, or people must sign in again and codes of authenticator apps fail:\n%s", result.File, transferTable(result), secrets(result))
	return err
}

// runImport fills the empty store that the settings name.
func runImport(ctx context.Context, args []string, out io.Writer) error {
	s, err := settings.ReadTransfer(os.Getenv)
	if err != nil {
		return err
	}
	result, err := datastore.Import(ctx, s, args[0], showProgress(out, "imported"))
	if err != nil {
		return withFix(err, "empty the store and import again")
	}
	_, err = fmt.Fprintf(out, "The market of %s is in the store, and what is stored is what the file has:\n\n%s\n"+
		"Start the server with TOKEN_SECRET and SECOND_FACTOR_KEY of the old one.\n", result.File, transferTable(result))
	return err
}

func transferTable(result datastore.Transferred) string {
	var text strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(result.Kinds)) {
		fmt.Fprintf(&text, "  %-14s %9d  %s\n", kind, result.Kinds[kind].Count, result.Kinds[kind].Hash)
	}
	fmt.Fprintf(&text, "  %-14s %9d\n", "images", result.Images)
	return text.String()
}

func secrets(result datastore.Transferred) string {
	if len(result.SecretFiles) == 0 {
		return "  TOKEN_SECRET and SECOND_FACTOR_KEY, as they are set for this market\n"
	}
	return "  " + strings.Join(result.SecretFiles, "\n  ") + "\n  (or TOKEN_SECRET and SECOND_FACTOR_KEY, if they are set for this market)\n"
}

// Intervals between two lines of progress.
const (
	redrawEvery = 100 * time.Millisecond
	lineEvery   = 5 * time.Second
)

// showProgress returns a function that shows how much was transferred: on a terminal in one line
// that is redrawn, in a log in a line every five seconds.
func showProgress(out io.Writer, done string) datastore.Progress {
	every, begin, end := lineEvery, "", "\n"
	if isTerminal(out) {
		every, begin, end = redrawEvery, "\r\x1b[K", ""
	}
	shown := time.Now()
	return func(documents, images int) {
		if time.Since(shown) < every {
			return
		}
		shown = time.Now()
		_, _ = fmt.Fprintf(out, "%s%d documents and %d images %s%s", begin, documents, images, done, end)
	}
}

// isTerminal returns whether out is a terminal.
func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
