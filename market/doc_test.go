package market_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The package has many files, so doc.go lists them by subject.
func TestDocumentationListsEachFileOnce(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "All files, by subject:")
	listed := regexp.MustCompile(`\w+\.go\b`).FindAllString(list, -1)
	slices.Sort(listed)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(name string) bool {
		return name == "doc.go" || strings.HasSuffix(name, "_test.go")
	})
	if !slices.Equal(listed, files) {
		t.Errorf("doc.go lists\n%v\nwant\n%v", listed, files)
	}
}
