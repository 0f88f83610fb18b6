package deploy_test

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"secondring/hub/redisbroker/redistest"
)

// TestRedisEvictsNothing runs Redis with the configuration of the compose file.
func TestRedisEvictsNothing(t *testing.T) {
	config, err := filepath.Abs("redis.conf")
	if err != nil {
		t.Fatal(err)
	}
	server := redistest.Start(t, "--include", config)
	client := server.Client()
	defer func() { _ = client.Close() }()
	for name, want := range map[string]string{
		"maxmemory-policy": "noeviction", "maxmemory": strconv.Itoa(512 << 20), "appendonly": "yes", "appendfsync": "everysec", "save": "",
	} {
		got, err := client.ConfigGet(t.Context(), name).Result()
		if err != nil || got[name] != want {
			t.Errorf("%s is %q, not %q (%v)", name, got[name], want, err)
		}
	}
}

// TestMongoScriptParses checks only the syntax of the script, because there is no MongoDB
// in the tests.
func TestMongoScriptParses(t *testing.T) {
	if out, err := exec.CommandContext(t.Context(), "node", "--check", "mongo.js").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestImageCopiesSourcesOfPhotoBuild checks the stage of the Dockerfile that makes the
// photographs. It copies each package that it needs, so that other changes keep its cache.
func TestImageCopiesSourcesOfPhotoBuild(t *testing.T) {
	dockerfile, err := os.ReadFile("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	_, stage, _ := strings.Cut(string(dockerfile), " AS photographs\n")
	stage, _, _ = strings.Cut(stage, "\nFROM ")
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "./scripts/photos")
	list.Dir = ".."
	packages, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.Lines(string(packages)) {
		name, ours := strings.CutPrefix(strings.TrimSpace(name), "secondring/")
		if ours && !isCopied(stage, name) {
			t.Errorf("the stage has no COPY %s", name)
		}
	}
}

// isCopied returns whether a stage copies a folder, or one that contains it.
func isCopied(stage, folder string) bool {
	for ; folder != "."; folder = path.Dir(folder) {
		if strings.Contains(stage, "\nCOPY "+folder+" "+folder+"\n") {
			return true
		}
	}
	return false
}
