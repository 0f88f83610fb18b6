// Package deploy_test tests docker-compose.yml and the files of this folder with docker
// compose, the settings of SecondRing, and Redis. It needs no Docker engine.
package deploy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// version is the version of docker compose. The Makefile has the same.
const version = "v5.0.2"

const (
	file      = "../docker-compose.yml"
	drainTime = 10 * time.Second // within this time after SIGTERM a node has ended
)

// project has the parts of the output of docker compose config that the tests check.
type project struct {
	Services map[string]service
	Networks map[string]struct{ Internal bool }
}

type service struct {
	Image       string
	User        string
	Restart     string
	ReadOnly    bool              `json:"read_only"`
	CapDrop     []string          `json:"cap_drop"`
	SecurityOpt []string          `json:"security_opt"`
	Environment map[string]string `json:"environment"`
	Ports       []struct{ Target int }
	Networks    map[string]struct {
		Address string `json:"ipv4_address"`
	}
	Healthcheck *struct{ Test []string }
	Grace       string `json:"stop_grace_period"`
	Logging     struct{ Options map[string]string }
	Ulimits     map[string]struct{ Soft, Hard int }
	Command     []string
	Volumes     []struct{ Type, Source, Target string }
}

// once lists the services that do one task and end.
var once = []string{"mongo-key", "mongo-init"}

// nodes returns the names of the services that run SecondRing.
func (p project) nodes() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for name := range p.Services {
			if strings.HasPrefix(name, "node-") && !yield(name) {
				return
			}
		}
	})
}

// lasting returns the services that run all the time.
func (p project) lasting() map[string]service {
	lasting := maps.Clone(p.Services)
	for _, name := range once {
		delete(lasting, name)
	}
	return lasting
}

// compose returns the path of docker compose: that in COMPOSE, or the one that make has built.
func compose(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("COMPOSE"); path != "" {
		return path
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(cache, "secondring", "docker-compose-"+version, "docker-compose")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("docker compose does not exist; run the tests with make, which builds it (%v)", err)
	}
	return path
}

// config returns the output of docker compose config with the settings in the file env. A
// warning of docker compose is an error.
func config(t *testing.T, env string) (project, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), compose(t), "--file", file, "--env-file", env, "config", "--format", "json")
	command.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	var wrong bytes.Buffer
	command.Stderr = &wrong
	out, err := command.Output()
	if err != nil {
		return project{}, fmt.Errorf("%w: %s", err, wrong.String())
	}
	if wrong.Len() > 0 {
		return project{}, errors.New("docker compose warns: " + wrong.String())
	}
	var p project
	return p, json.Unmarshal(out, &p)
}

// newEnv returns the path of a .env file that deploy/env.sh has written, with more lines.
func newEnv(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), ".env")
	if out, err := exec.CommandContext(t.Context(), "bash", "env.sh", path).CombinedOutput(); err != nil {
		t.Fatalf("env.sh: %v %s", err, out)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, strings.Join(lines, "\n")...)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func mustConfig(t *testing.T, lines ...string) project {
	t.Helper()
	p, err := config(t, newEnv(t, lines...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSecretsAreGeneratedOnceWithoutDefault(t *testing.T) {
	path := newEnv(t)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("other users may read the file: mode %v", info.Mode())
	}
	if err := exec.CommandContext(t.Context(), "bash", "env.sh", path).Run(); err == nil {
		t.Error("the second run has replaced the secrets of the first")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, name := range []string{"TOKEN_SECRET", "MONGO_PASSWORD", "MONGO_ROOT_PASSWORD", "REDIS_PASSWORD"} {
		_, rest, _ := strings.Cut(string(text), "\n"+name+"=")
		secret, _, _ := strings.Cut(rest, "\n")
		if len(secret) != 64 || seen[secret] {
			t.Errorf("%s has %d characters, or is equal to another secret", name, len(secret))
		}
		seen[secret] = true
		without := filepath.Join(t.TempDir(), ".env")
		if err := os.WriteFile(without, bytes.Replace(text, []byte(secret), nil, 1), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := config(t, without); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

func TestOnlyTheProxyPublishesPorts(t *testing.T) {
	p := mustConfig(t)
	for name, s := range p.Services {
		if name != "proxy" && len(s.Ports) > 0 {
			t.Errorf("%s publishes ports: %v", name, s.Ports)
		}
		if _, front := s.Networks["front"]; front && name != "proxy" && !strings.HasPrefix(name, "node-") {
			t.Errorf("%s is on the network of the proxy", name)
		}
		if _, back := s.Networks["back"]; back && name == "proxy" {
			t.Error("the proxy is on the network of the stores")
		}
	}
	if len(p.Services["proxy"].Ports) != 2 || !p.Networks["back"].Internal {
		t.Errorf("ports %v, networks %v", p.Services["proxy"].Ports, p.Networks)
	}
}

func TestServicesRestartAndAreRestricted(t *testing.T) {
	for name, s := range mustConfig(t).lasting() {
		if s.Restart != "unless-stopped" {
			t.Errorf("%s restarts %q", name, s.Restart)
		}
		if s.Healthcheck == nil && !strings.HasPrefix(name, "node-") { // nodes use the health check of their image
			t.Errorf("%s has no health check", name)
		}
		if s.Ulimits["nofile"].Soft < 10_000 {
			t.Errorf("%s may open %d files", name, s.Ulimits["nofile"].Soft)
		}
		if grace, err := time.ParseDuration(s.Grace); err != nil || grace <= drainTime {
			t.Errorf("%s is killed after %q", name, s.Grace)
		}
	}
	for name, s := range mustConfig(t).Services {
		if s.Logging.Options["max-size"] == "" || s.Logging.Options["max-file"] == "" {
			t.Errorf("%s has no limit for its log", name)
		}
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s has permissions that it does not need", name)
		}
		if strings.HasPrefix(s.User, "0") && name != "mongo-key" { // it changes the owner of its file
			t.Errorf("%s runs as root", name)
		}
		for _, v := range s.Volumes {
			if _, err := os.Stat(v.Source); v.Type == "bind" && err != nil {
				t.Errorf("%s has a volume that does not exist: %v", name, err)
			}
		}
	}
}

func TestProxyHasTLSWithCertificates(t *testing.T) {
	if tls := mustConfig(t).Services["proxy"].Environment["TLS"]; tls != "" {
		t.Errorf("without certificates: %q", tls)
	}
	folder := t.TempDir()
	proxy := mustConfig(t, "TLS_DIR="+folder, "PUBLIC_URL=https://ring.example").Services["proxy"]
	mounted := slices.ContainsFunc(proxy.Volumes, func(v struct{ Type, Source, Target string }) bool {
		return v.Source == folder && v.Target+"/" == proxy.Environment["TLS"]
	})
	if !mounted || proxy.Environment["PUBLIC_URL"] != "https://ring.example" {
		t.Errorf("%v %v", proxy.Environment, proxy.Volumes)
	}
}
