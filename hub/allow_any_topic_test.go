package hub_test

import (
	"strings"
	"testing"

	"secondring/hub"
)

func TestAnyTopic(t *testing.T) {
	for topic, want := range map[string]bool{
		"a": true, "brand:Ab_9-": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "a b": false, "ä": false, "a\n": false, "{}": false,
	} {
		broker, ok, err := hub.AllowAnyTopic(t.Context(), hub.Viewer{}, topic)
		if ok != want || err != nil || ok && broker != topic {
			t.Errorf("AllowAnyTopic(%q) = %q, %v, %v; want allowed: %v", topic, broker, ok, err, want)
		}
	}
}
