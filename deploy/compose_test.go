// Package deploy_test holds docker-compose.yml and what it brings against the
// real docker compose, the real settings and the real Redis, without an engine.
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

// version of docker compose; the Makefile has it, too.
const version = "v5.0.2"

const (
	file      = "../docker-compose.yml"
	drainTime = 10 * time.Second // contract: after SIGTERM a node is gone by then
)

// project is what is looked at of what docker compose makes of the file.
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

// once is what does its work and ends.
var once = []string{"mongo-key", "mongo-init"}

// nodes are the services that run SecondRing.
func (p project) nodes() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for name := range p.Services {
			if strings.HasPrefix(name, "node-") && !yield(name) {
				return
			}
		}
	})
}

// lasting are the services that stay.
func (p project) lasting() map[string]service {
	lasting := maps.Clone(p.Services)
	for _, name := range once {
		delete(lasting, name)
	}
	return lasting
}

// compose is what make has built, or what COMPOSE names.
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
		t.Fatalf("docker compose is not there: run the tests by make, which builds it (%v)", err)
	}
	return path
}

// config is "docker compose config" with these settings in an .env.
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
		return project{}, errors.New("it warns: " + wrong.String())
	}
	var p project
	return p, json.Unmarshal(out, &p)
}

// newEnv is an .env as deploy/env.sh makes it, and more lines.
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
		t.Errorf("others may read %v", info.Mode())
	}
	if err := exec.CommandContext(t.Context(), "bash", "env.sh", path).Run(); err == nil {
		t.Error("the second run has overwritten the first one's secrets")
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
			t.Errorf("%s is %d characters, or another's", name, len(secret))
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
			t.Errorf("%s is published: %v", name, s.Ports)
		}
		if _, front := s.Networks["front"]; front && name != "proxy" && !strings.HasPrefix(name, "node-") {
			t.Errorf("%s stands beside the proxy", name)
		}
		if _, back := s.Networks["back"]; back && name == "proxy" {
			t.Error("the proxy reaches the stores")
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
		if s.Healthcheck == nil && !strings.HasPrefix(name, "node-") { // theirs is the image's
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
			t.Errorf("%s logs without end", name)
		}
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s may do more than it needs", name)
		}
		if strings.HasPrefix(s.User, "0") && name != "mongo-key" { // which hands its file over
			t.Errorf("%s is root", name)
		}
		for _, v := range s.Volumes {
			if _, err := os.Stat(v.Source); v.Type == "bind" && err != nil {
				t.Errorf("%s wants what is not there: %v", name, err)
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
