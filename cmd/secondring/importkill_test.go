package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// An import is killed at random moments. Afterwards the folder is empty, complete, or refused by every
// command until it is emptied. Then the import succeeds.
func TestKilledImportIsStartedAgain(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "market.tar")
	into := func(dir string) { t.Setenv("DATA_DIR", filepath.Join(folder, dir)) }
	t.Setenv("DEMO", "1")
	into("demo")
	mustRunCommand(t, "", "brand", "add", "Jolla") // makes the demo
	mustRunCommand(t, "", "export", file)
	t.Setenv("DEMO", "")
	into("whole")
	usual := runTime(t, newCommand(t, nil, "import", file))
	for n, interrupted := 0, 0; interrupted < 3; n++ {
		if n == 60 {
			t.Fatalf("%d of %d kills came during the import, want 3", interrupted, n)
		}
		dir := strconv.Itoa(n)
		into(dir)
		killDuring(t, newCommand(t, nil, "import", file), usual)
		_, err := runCommand(t, "", "import", file)
		switch {
		case err == nil: // nothing had been imported
		case strings.Contains(err.Error(), "holds a market already"): // the import was complete
		case strings.Contains(err.Error(), "was interrupted"):
			interrupted++
			if _, err := runCommand(t, "", "brand", "add", "Later"); err == nil || !strings.Contains(err.Error(), "was interrupted") {
				t.Errorf("a command uses a part of a market: %v", err)
			}
			if err := os.RemoveAll(filepath.Join(folder, dir)); err != nil {
				t.Fatal(err)
			}
			mustRunCommand(t, "", "import", file)
		default:
			t.Errorf("the import after a killed one returned %v", err)
		}
		if _, err := runCommand(t, "", "brand", "add", "Jolla"); err == nil || !strings.Contains(err.Error(), "is a brand") {
			t.Errorf("brand add returned %v, want that the imported market has the brand", err)
		}
	}
}
