package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/api/emails/smtptest"
	"secondring/cmd/secondring/nodetest"
)

// startPage is an operator who does what docs/START.md says, in a folder that stands in for /.
type startPage struct {
	t       *testing.T
	root    string
	url     string // of the proxy
	address *strings.Replacer
	client  *http.Client
	mail    *smtptest.Server
}

func newStartPage(t *testing.T) *startPage {
	t.Helper()
	server, proxy := nodetest.FreeAddress(t), nodetest.FreeAddress(t)
	_, port, _ := strings.Cut(proxy, ":")
	p := &startPage{t: t, root: t.TempDir(), url: "https://localhost:" + port, mail: smtptest.Start(t, nil)}
	p.address = strings.NewReplacer("/etc/", p.root+"/etc/", "/usr/bin/", p.root+"/usr/bin/", "/var/lib/", p.root+"/var/lib/",
		"https://shop.example", p.url, "127.0.0.1:8080", server, "smtp://user:password@smtp.example:587", p.mail.URL(),
		"shop.example {", "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"+p.url+" {\n\ttls internal", "…", "123")
	for _, folder := range []string{"etc/systemd/system", "etc/caddy", "usr/bin", "home"} {
		if err := os.MkdirAll(filepath.Join(p.root, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { // the servers, if the test has failed
		for _, name := range []string{"secondring.pid", "caddy.pid"} {
			if _, err := os.Stat(filepath.Join(p.root, name)); err == nil {
				_ = exec.CommandContext(context.Background(), "sh", "-c", "kill $(cat "+filepath.Join(p.root, name)+")").Run()
			}
		}
	})
	return p
}

// packArchive makes an archive such as those of a release. Its program is the test's.
func (p *startPage) packArchive() {
	folder := filepath.Join(p.root, "home", "secondring_linux_amd64")
	p.write(filepath.Join(folder, "secondring"), "#!/bin/sh\n"+serveEnv+"=1 exec '"+os.Args[0]+"' \"$@\"\n")
	for _, name := range []string{"secondring.service", "secondring.env", "secondringctl"} {
		text, err := os.ReadFile("../../deploy/package/" + name)
		if err != nil {
			p.t.Fatal(err)
		}
		p.write(filepath.Join(folder, name), p.address.Replace(string(text)))
	}
	p.run("tar -czf secondring_linux_amd64.tar.gz secondring_*/ && rm -r secondring_*/")
}

func (p *startPage) write(path, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		p.t.Fatal(err)
	}
}

// run runs commands of the page in one shell.
func (p *startPage) run(commands string) {
	p.t.Helper()
	tools, err := filepath.Abs("testdata/start")
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.CommandContext(p.t.Context(), "bash", "-euo", "pipefail", "-c", p.address.Replace(commands))
	cmd.Dir = filepath.Join(p.root, "home")
	cmd.Env = append(os.Environ(), "ROOT="+p.root, "CADDY="+caddy(p.t), "CURL_CA_BUNDLE="+p.authority(),
		"PATH="+strings.Join([]string{tools, p.root + "/usr/bin", os.Getenv("PATH")}, ":"))
	cmd.Stdin = strings.NewReader("a long password\n") // for the command that asks for one
	if out, err := cmd.CombinedOutput(); err != nil {
		log, _ := os.ReadFile(filepath.Join(p.root, "log")) // there may be no log yet
		p.t.Fatalf("%s\n%v: %s\n%s", commands, err, out, log)
	}
}

// caddy returns the path of the proxy: that in CADDY, the installed one, or the one that make test unpacks.
func caddy(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{os.Getenv("CADDY"), "caddy", filepath.Join(cache, "secondring", "caddy", "usr", "bin", "caddy")} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no Caddy; run the tests with make, which unpacks it")
	return ""
}

// authority is the file of the certificate with which the proxy signs its own.
func (p *startPage) authority() string {
	return filepath.Join(p.root, "caddy", "pki", "authorities", "local", "root.crt")
}

// set sets settings, as an editor of the file would.
func (p *startPage) set(lines string) {
	p.t.Helper()
	path := filepath.Join(p.root, "etc", "secondring.env")
	text, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	for line := range strings.SplitSeq(strings.TrimSpace(p.address.Replace(lines)), "\n") {
		name, _, _ := strings.Cut(line, "=")
		all = slices.DeleteFunc(all, func(old string) bool { return strings.HasPrefix(old, name+"=") })
		all = append(all, line)
	}
	p.write(path, strings.Join(all, "\n")+"\n")
}

// call makes a call through the proxy, which must succeed, and returns what it answers.
func (p *startPage) call(method, path string, body any) string {
	p.t.Helper()
	if p.client == nil {
		certificate, err := os.ReadFile(p.authority())
		if err != nil {
			p.t.Fatal(err)
		}
		trust := x509.NewCertPool()
		trust.AppendCertsFromPEM(certificate)
		p.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trust}}}
	}
	response, text, err := nodetest.Do(p.t.Context(), p.client, method, p.url+path, "", body)
	if err != nil || response.StatusCode/100 != 2 {
		p.t.Fatalf("%s %s: %v, %v, %s", method, path, response, err, text)
	}
	return string(text)
}

func (p *startPage) signIn(email, password string) {
	p.t.Helper()
	p.call(http.MethodPost, "/identity/sign-in", map[string]string{"email": email, "password": password})
}

func TestStartPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/START.md")
	if err != nil {
		t.Fatal(err)
	}
	p := newStartPage(t)
	p.packArchive()
	// What must hold after a step, or before the next one.
	admin := func() { p.signIn("you@shop.example", "a long password") }
	after := map[string]func(){
		"3": func() {
			if home := p.call(http.MethodGet, "/", nil); !strings.Contains(home, "<title>") {
				t.Errorf("the proxy shows %.100q", home)
			}
		},
		"4": func() {
			admin()
			if brands := p.call(http.MethodGet, "/categories", nil); !strings.Contains(brands, "Fairphone") {
				t.Errorf("the brands are %s", brands)
			}
		},
		"5": func() {
			p.call(http.MethodPost, "/identity/sign-up", map[string]string{"email": "buyer@shop.example", "password": testPassword, "displayName": "Buyer"})
			if email := p.mail.Wait("buyer@shop.example", 1, time.Minute); !strings.Contains(email.Text, p.url) {
				t.Errorf("the email is %s", email.Text)
			}
		},
		"6": func() {
			if config := p.call(http.MethodGet, "/config", nil); !strings.Contains(config, "pk_live_123") {
				t.Errorf("the payment screen gets %s", config)
			}
			// There are no keys here with which Stripe would answer.
			p.set("STRIPE_SECRET_KEY=sandbox\nSTRIPE_PUBLISHABLE_KEY=\nSTRIPE_WEBHOOK_SECRET=")
			p.run("systemctl restart secondring; secondringctl admin create you@shop.example")
			p.run("touch -d '20 days ago' /var/lib/secondring/nightly-old.tar")
		},
		"7": func() {
			admin()
			p.run("! ls /var/lib/secondring/nightly-old.tar && ls /var/lib/secondring/nightly-*.tar")
		},
	}
	blocks := regexp.MustCompile("(?m)^## (\\d)?.*$|^```(.+)\n((?s:.*?))^```$")
	step, done := "", 0
	for _, found := range blocks.FindAllStringSubmatch(string(page), -1) {
		if kind, text := found[2], found[3]; kind == "" {
			if check := after[step]; check != nil {
				check()
				done++
			}
			step = found[1]
			t.Log(found[0])
		} else {
			p.do(kind, text)
		}
	}
	if done != len(after) {
		t.Errorf("%d steps of the page were checked, want %d", done, len(after))
	}
	p.run("kill $(cat $ROOT/caddy.pid)")
	p.run(`[ -z "$(find $ROOT/etc $ROOT/usr $ROOT/var -type f ! -name Caddyfile)" ]`) // the uninstallation leaves nothing
}

// do does what one block of the page says.
func (p *startPage) do(kind, text string) {
	p.t.Helper()
	switch kind {
	case "sh":
		p.run(text)
	case "sh package": // deploy/try_release.sh does this
	case "ini":
		p.set(text)
	case "caddyfile":
		p.write(filepath.Join(p.root, "etc", "caddy", "Caddyfile"), p.address.Replace(text))
	case "cron":
		for line := range strings.Lines(text) {
			fields := strings.SplitN(line, " ", 6)
			p.run(strings.ReplaceAll(fields[5], `\%`, "%"))
		}
	default:
		p.t.Fatalf("the page has a block of an unknown kind: %s", kind)
	}
}
