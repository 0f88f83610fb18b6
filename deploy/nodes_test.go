package deploy_test

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"secondring/cmd/secondring/settings"
)

// notHere are settings that a node of a cluster does not use: the image sets its folder,
// its images are in MongoDB, and it is not a demo.
var notHere = []string{"DATA_DIR", "IMAGES_URL", "DEMO"}

// notOurs are environment variables of a node that are not settings of SecondRing.
var notOurs = []string{"GOMEMLIMIT"}

func TestNodesHaveEqualSettings(t *testing.T) {
	p := mustConfig(t)
	names := p.nodes()
	if len(names) != 3 {
		t.Fatalf("nodes: %v", names)
	}
	first := p.Services[names[0]]
	for _, name := range names[1:] {
		if s := p.Services[name]; s.Image != first.Image || !maps.Equal(s.Environment, first.Environment) {
			t.Errorf("%s differs from %s: %s %v", name, names[0], s.Image, s.Environment)
		}
	}
	for i, name := range names {
		if got := p.Services["proxy"].Environment["NODE_"+string(rune('1'+i))]; got != name+":8080" {
			t.Errorf("the address of %s in the proxy's settings is %s", name, got)
		}
	}
}

// TestNodeSettingsAreValid reads the settings as a node does, and checks that none is missing.
func TestNodeSettingsAreValid(t *testing.T) {
	for what, lines := range map[string][]string{
		"defaults":           nil,
		"public address":     {"PUBLIC_URL=https://ring.example", "STRIPE_SECRET_KEY=sandbox"},
		"with keys and more": {"PUBLIC_URL=https://ring.example", "STRIPE_SECRET_KEY=sk_live_1", "STRIPE_PUBLISHABLE_KEY=pk_live_2", "STRIPE_WEBHOOK_SECRET=whsec_3", "MAX_HOLDS=3"},
	} {
		t.Run(what, func(t *testing.T) {
			p := mustConfig(t, lines...)
			env := p.Services["node-1"].Environment
			asked := map[string]bool{}
			s, err := settings.Read(func(name string) string {
				asked[name] = true
				return env[name]
			})
			if err != nil {
				t.Fatal(err)
			}
			if s.MongoURI == "" || s.RedisURL == "" || s.MetricsAddr == "" || len(s.TokenSecret) < 32 {
				t.Errorf("not the settings of a node of a cluster: %v", slices.Sorted(maps.Keys(env)))
			}
			proxy, err := netip.ParseAddr(p.Services["proxy"].Networks["front"].Address)
			if err != nil || len(s.TrustedProxies) != 1 || s.TrustedProxies[0] != netip.PrefixFrom(proxy, 32) {
				t.Errorf("the proxy has the address %v, the trusted proxies are %v (%v)", proxy, s.TrustedProxies, err)
			}
			for name := range asked {
				if _, there := env[name]; there == slices.Contains(notHere, name) {
					t.Errorf("%s: set is %v", name, there)
				}
			}
			for name := range env {
				if !asked[name] && !slices.Contains(notOurs, name) {
					t.Errorf("%s is not a setting", name)
				}
			}
		})
	}
}

// TestNodeSettingsMatchTheStores compares the addresses in the node's settings with the
// settings of the stores.
func TestNodeSettingsMatchTheStores(t *testing.T) {
	p := mustConfig(t)
	env := p.Services["node-1"].Environment
	init, redis := p.Services["mongo-init"].Environment, p.Services["redis"].Environment
	want := "mongodb://secondring:" + init["MONGO_PASSWORD"] + "@mongo-1:27017,mongo-2:27017,mongo-3:27017/secondring?"
	if !strings.HasPrefix(env["MONGODB_URI"], want) || !strings.Contains(env["MONGODB_URI"], "replicaSet=rs0") {
		t.Errorf("MONGODB_URI is not that of the replica set")
	}
	if env["REDIS_URL"] != "redis://:"+redis["REDIS_PASSWORD"]+"@redis:6379/0" {
		t.Errorf("REDIS_URL is not that of Redis")
	}
	for _, name := range []string{"mongo-1", "mongo-2", "mongo-3"} {
		command := strings.Join(p.Services[name].Command, " ")
		if !strings.Contains(command, "--replSet rs0 --keyFile") {
			t.Errorf("%s: %s", name, command)
		}
	}
}
