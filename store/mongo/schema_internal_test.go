package mongo

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"secondring/store"
)

// Unique indexes are compared with the shard keys of docs/SCALING.md: a server can keep
// an index unique only if it begins with the shard key.
func TestUniqueIndexesCanBeSharded(t *testing.T) {
	text, err := os.ReadFile("../../docs/SCALING.md")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string][]string{}
	for _, found := range regexp.MustCompile(`shardCollection\("secondring\.(\w+)", \{(.*)\}\)`).FindAllStringSubmatch(string(text), -1) {
		for field := range strings.SplitSeq(found[2], ",") {
			name, _, _ := strings.Cut(field, ": ")
			keys[found[1]] = append(keys[found[1]], strings.Trim(name, ` "`))
		}
	}
	for _, kind := range store.Kinds() {
		if want := "keys." + kind.Shard; kind.Shard != "" && !slices.Equal(keys[kind.Name], []string{want}) {
			t.Errorf("docs/SCALING.md has the shard key %v of %s, want %s", keys[kind.Name], kind.Name, want)
		}
	}
	for _, i := range indexes() {
		key := keys[i.collection]
		if i.unique && key != nil && !slices.Equal(i.fields[:min(len(key), len(i.fields))], key) {
			t.Errorf("%s with the shard key %v cannot have the unique index %v", i.collection, key, i.fields)
		}
	}
}
