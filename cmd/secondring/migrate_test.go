package main

import (
	"strings"
	"testing"
)

// Tests with a server are in package clustertest.
func TestMigrateNeedsATarget(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("DATA_DIR", dir)
	for _, c := range []struct {
		env  map[string]string
		args []string
		want string
	}{
		{nil, nil, "MONGODB_URI is empty"},
		{map[string]string{"MONGODB_URI": "redis://127.0.0.1"}, nil, "MONGODB_URI is no address of a MongoDB"},
		{map[string]string{"MONGODB_URI": "mongodb://127.0.0.1:1/x"}, nil, "DATA_DIR is " + dir + ", where there is no market"},
		{map[string]string{"MONGODB_URI": "mongodb://127.0.0.1:1/x", "IMAGES_URL": "s3://x"}, nil, "IMAGES_URL is"},
		// What only a server needs may be wrong, or missing.
		{map[string]string{"MONGODB_URI": "mongodb://127.0.0.1:1/x", "IMAGES_URL": "file:///x", "BOOKING_HOLD": "soon"}, nil, "where there is no market"},
		{map[string]string{"MONGODB_URI": "mongodb://127.0.0.1:1/x"}, []string{"now"}, "not one of the commands"},
	} {
		t.Run(c.want, func(t *testing.T) {
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			_, err := call(t, "", append([]string{"migrate"}, c.args...)...)
			if err == nil || !strings.Contains(err.Error(), c.want) || exitCode(err) != 2 {
				t.Errorf("got %v", err)
			}
		})
	}
}

// The store stays in place if the new one cannot be reached.
func TestMigrateWithoutServer(t *testing.T) {
	t.Setenv("DATA_DIR", t.TempDir())
	mustCall(t, "", "brand", "add", "Jolla")
	t.Setenv("MONGODB_URI", "mongodb://somebody:secret@127.0.0.1:1/x")
	_, err := call(t, "", "migrate")
	if err == nil || !strings.Contains(err.Error(), "the store that MONGODB_URI names") || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
	t.Setenv("MONGODB_URI", "")
	mustCall(t, "", "brand", "remove", "Jolla")
}
