// Command tables puts what was measured into the documents: each table between a
// pair of marks, so that nobody copies figures by hand.
//
//	<!-- bench:fanout -->
//	…
//	<!-- /bench -->
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// documents is what has marks.
var documents = []string{"README.md", "docs/PERFORMANCE.md"}

var marked = regexp.MustCompile(`(?s)(<!-- bench:(\w+) -->\n).*?(<!-- /bench -->)`)

func main() {
	results := flag.String("results", "results", "folder of what was measured")
	root := flag.String("root", "..", "folder of the documents")
	flag.Parse()
	table, err := short(*results)
	if err == nil && table != "" {
		err = os.WriteFile(filepath.Join(*results, "short.md"), []byte(table), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tables: "+err.Error())
		os.Exit(1)
	}
	for _, name := range documents {
		if err := fill(filepath.Join(*root, name), *results); err != nil {
			fmt.Fprintln(os.Stderr, "tables: "+err.Error())
			os.Exit(1)
		}
	}
}

// fill writes each measured table between its marks; one that was not measured stays.
func fill(document, results string) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	filled := marked.ReplaceAllFunc(text, func(whole []byte) []byte {
		parts := marked.FindSubmatch(whole)
		table, err := os.ReadFile(filepath.Join(results, string(parts[2])+".md"))
		if err != nil {
			return whole
		}
		body := strings.TrimSpace(string(table)) + "\n\n" + where()
		return bytes.Join([][]byte{parts[1], []byte(body + "\n"), parts[3]}, nil)
	})
	if bytes.Equal(text, filled) {
		return nil
	}
	return os.WriteFile(document, filled, 0o644)
}

// where says on what, when and of which state it was measured.
func where() string {
	state := "unknown"
	if out, err := exec.Command("git", "describe", "--tags", "--always", "--dirty").Output(); err == nil {
		state = strings.TrimSpace(string(out))
	}
	return fmt.Sprintf("%s, %s, %d processors, %s.", time.Now().Format(time.DateOnly), runtime.Version(), runtime.NumCPU(), state)
}
