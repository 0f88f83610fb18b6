package main

import (
	"strings"
	"testing"
)

// The tests of a migration with servers are in package clustertest.
func TestMigrateRefusesInvalidSettings(t *testing.T) {
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
		// Settings that only the server uses are not validated.
		{map[string]string{"MONGODB_URI": "mongodb://127.0.0.1:1/x", "IMAGES_URL": "file:///x", "BOOKING_HOLD": "soon"}, nil, "where there is no market"},
		{map[string]string{"MONGODB_URI": "mongodb://127.0.0.1:1/x"}, []string{"now"}, "not one of the commands"},
	} {
		t.Run(c.want, func(t *testing.T) {
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			_, err := runCommand(t, "", append([]string{"migrate"}, c.args...)...)
			if err == nil || !strings.Contains(err.Error(), c.want) || exitCode(err) != 2 {
				t.Errorf("migrate returned %v, want exit code 2 and %q", err, c.want)
			}
		})
	}
}

// If MongoDB cannot be reached, the market stays in its old store. The error does not contain
// the password.
func TestMigrateWithoutServer(t *testing.T) {
	t.Setenv("DATA_DIR", t.TempDir())
	mustRunCommand(t, "", "brand", "add", "Jolla")
	t.Setenv("MONGODB_URI", "mongodb://somebody:secret@127.0.0.1:1/x")
	_, err := runCommand(t, "", "migrate")
	if err == nil || !strings.Contains(err.Error(), "the store that MONGODB_URI names") || strings.Contains(err.Error(), "secret") {
		t.Errorf("migrate returned %v, want an error about the store of MONGODB_URI without its password", err)
	}
	t.Setenv("MONGODB_URI", "")
	mustRunCommand(t, "", "brand", "remove", "Jolla")
}
