package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"secondring/hub/redisbroker/redistest"
)

// TestRedisEvictsNothing runs Redis with the configuration of the compose file.
func TestRedisEvictsNothing(t *testing.T) {
	path, err := filepath.Abs("redis.conf")
	if err != nil {
		t.Fatal(err)
	}
	server := redistest.Start(t, "--include", path)
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

// Without MongoDB only the syntax of the script can be checked.
func TestMongoScriptParses(t *testing.T) {
	if out, err := exec.CommandContext(t.Context(), "node", "--check", "mongo.js").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// The image's stage that makes the photos copies its sources by name, so that other
// changes keep its build cache.
func TestImageCopiesSourcesOfPhotoBuild(t *testing.T) {
	dockerfile, err := os.ReadFile("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	_, stage, _ := strings.Cut(string(dockerfile), " AS photographs\n")
	stage, _, _ = strings.Cut(stage, "\nFROM ")
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "./scripts/photos")
	list.Dir = ".."
	rooms, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for room := range strings.Lines(string(rooms)) {
		room, ours := strings.CutPrefix(strings.TrimSpace(room), "secondring/")
		if ours && !strings.Contains(stage, "\nCOPY "+room+" "+room+"\n") {
			t.Errorf("the stage has no COPY %s", room)
		}
	}
}
