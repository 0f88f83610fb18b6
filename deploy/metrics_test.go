package deploy_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v2"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/settings"
)

// query is an expression of Prometheus, and the title of its panel or alert.
type query struct{ by, expr string }

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func queries(t *testing.T) (all []query) {
	t.Helper()
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Labels      map[string]string
				Annotations map[string]string
			}
		}
	}
	if err := yaml.UnmarshalStrict(readFile(t, "alerts.yml"), &struct{ Groups []any }{}); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(readFile(t, "alerts.yml"), &rules); err != nil {
		t.Fatal(err)
	}
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			all = append(all, query{rule.Alert, rule.Expr})
			if s := rule.Labels["severity"]; s != "page" && s != "ticket" || rule.Annotations["summary"] == "" || rule.Annotations["do"] == "" {
				t.Errorf("%s has no severity, summary or instruction: %+v", rule.Alert, rule)
			}
		}
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(readFile(t, "dashboard.json"), &board); err != nil {
		t.Fatal(err)
	}
	for _, panel := range board.Panels {
		for _, target := range panel.Targets {
			all = append(all, query{panel.Title, target.Expr})
		}
	}
	return all
}

var (
	metricName = regexp.MustCompile(`\b(?:secondring|process|go)_[a-z_]+\b`)
	matcher    = regexp.MustCompile(`([a-z_]+)(?:=~|!~|!=|=)"([^"]*)"`)
	grouping   = regexp.MustCompile(`by \(([a-z, ]+)\)`)
	// ofPrometheus are labels that Prometheus adds, and le, the label of histograms.
	ofPrometheus = []string{"job", "instance", "le"}
)

// exported returns the metrics of a new server, as text.
func exported(t *testing.T) string {
	t.Helper()
	env := map[string]string{"ADDR": "127.0.0.1:0", "DATA_DIR": t.TempDir(), "SMTP_URL": "smtp://127.0.0.1:25", "MAIL_FROM": "shop@example.com"}
	s, err := settings.Read(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.New(t.Context(), s, app.Options{Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	defer func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	_ = get(t, a.URL()+"/allCategories") // so that the metrics of calls exist
	return get(t, a.URL()+"/metrics")
}

func get(t *testing.T, url string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, answer.Status, err)
	}
	return string(body)
}

// Every metric, label and value that the dashboard and the alerts use exists on a new
// server, so that no panel or alert is empty by mistake.
func TestDashboardMetricsExist(t *testing.T) {
	metrics := exported(t)
	watched := map[string]bool{}
	for _, q := range queries(t) {
		names := metricName.FindAllString(q.expr, -1)
		if len(names) == 0 && !strings.HasPrefix(q.expr, "up{") {
			t.Errorf("%s has no metric: %s", q.by, q.expr)
		}
		var lines strings.Builder
		for _, name := range names {
			watched[name] = true
			series := linesOf(metrics, name)
			if series == "" {
				t.Errorf("%s: the server has no metric %s", q.by, name)
			}
			lines.WriteString(series)
		}
		checkLabels(t, q, lines.String())
		if strings.Count(q.expr, "(") != strings.Count(q.expr, ")") || strings.Count(q.expr, "{") != strings.Count(q.expr, "}") {
			t.Errorf("%s: wrong brackets in %s", q.by, q.expr)
		}
	}
	for line := range strings.Lines(metrics) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "# TYPE "), " ")
		if strings.HasPrefix(line, "# TYPE secondring_") && !unwatched[name] && !watched[name] && !watched[name+"_bucket"] {
			t.Errorf("no panel or alert uses %s", name)
		}
	}
}

// unwatched are metrics without an alert or a panel.
var unwatched = map[string]bool{
	"secondring_build_info": true, "secondring_live_sockets_opened_total": true, "secondring_live_handshakes_refused_total": true,
}

// linesOf returns the lines of one metric.
func linesOf(metrics, name string) string {
	var lines strings.Builder
	for line := range strings.Lines(metrics) {
		if strings.HasPrefix(line, name+"{") || strings.HasPrefix(line, name+" ") {
			lines.WriteString(line)
		}
	}
	return lines.String()
}

// checkLabels checks that the labels of a query exist, and its label values. It does not
// check patterns, such as the statuses of calls.
func checkLabels(t *testing.T, q query, lines string) {
	t.Helper()
	for _, m := range matcher.FindAllStringSubmatch(q.expr, -1) {
		if slices.Contains(ofPrometheus, m[1]) {
			continue
		}
		if !strings.Contains(lines, m[1]+`="`) {
			t.Errorf("%s: nothing has the label %s", q.by, m[1])
		}
		for value := range strings.SplitSeq(m[2], "|") {
			if !strings.ContainsAny(value, "./") && !strings.Contains(lines, m[1]+`="`+value+`"`) {
				t.Errorf("%s: nothing has %s=%q", q.by, m[1], value)
			}
		}
	}
	for _, m := range grouping.FindAllStringSubmatch(q.expr, -1) {
		for label := range strings.SplitSeq(m[1], ",") {
			if label = strings.TrimSpace(label); !slices.Contains(ofPrometheus, label) && !strings.Contains(lines, label+`="`) {
				t.Errorf("%s: nothing has the label %s", q.by, label)
			}
		}
	}
}
