// Command tables writes the measured tables into docs/PERFORMANCE.md, each between a pair
// of comments.
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

// document is the file with the tables.
const document = "docs/PERFORMANCE.md"

var (
	markers = regexp.MustCompile(`(?s)(<!-- bench:(\w+) -->\n).*?(<!-- /bench -->)`)
	// largeNumber matches an integer with four or more digits.
	largeNumber = regexp.MustCompile(`(^|[^\d.,])(\d{4,})`)
)

func main() {
	results := flag.String("results", "results", "folder of the results")
	root := flag.String("root", "..", "folder of the repository")
	flag.Parse()
	table, err := summary(*results)
	if err == nil && table != "" {
		err = os.WriteFile(filepath.Join(*results, "short.md"), []byte(table), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tables: "+err.Error())
		os.Exit(1)
	}
	if err := fill(filepath.Join(*root, document), *results); err != nil {
		fmt.Fprintln(os.Stderr, "tables: "+err.Error())
		os.Exit(1)
	}
}

// fill writes each measured table between its comments. It keeps tables that were not measured.
func fill(file, results string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	filled := markers.ReplaceAllFunc(text, func(section []byte) []byte {
		parts := markers.FindSubmatch(section)
		table, err := os.ReadFile(filepath.Join(results, string(parts[2])+".md"))
		if err != nil {
			return section
		}
		body := addSeparators(strings.TrimSpace(string(table))) + "\n\n" + environment()
		return bytes.Join([][]byte{parts[1], []byte(body + "\n"), parts[3]}, nil)
	})
	if bytes.Equal(text, filled) {
		return nil
	}
	return os.WriteFile(file, filled, 0o644)
}

// addSeparators adds separators to large integers, such as 10,000.
func addSeparators(text string) string {
	return largeNumber.ReplaceAllStringFunc(text, func(match string) string {
		parts := largeNumber.FindStringSubmatch(match)
		before, digits := parts[1], parts[2]
		for i := len(digits) - 3; i > 0; i -= 3 {
			digits = digits[:i] + "," + digits[i:]
		}
		return before + digits
	})
}

// environment returns the date, the versions of Go and of SecondRing, and the number of processors.
func environment() string {
	version := "unknown"
	if out, err := exec.Command("git", "describe", "--tags", "--always", "--dirty").Output(); err == nil {
		version = strings.TrimSpace(string(out))
	}
	return fmt.Sprintf("%s, %s, %d processors, %s.", time.Now().Format(time.DateOnly), runtime.Version(), runtime.NumCPU(), version)
}
