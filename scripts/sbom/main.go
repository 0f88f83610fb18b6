// Command sbom writes the parts of the product as a CycloneDX document: the Go modules that
// are linked into bin/secondring, and the npm packages that its client is built with. It
// fails for a licence that is not in allowed. It writes six fields of the format, so it
// does without CycloneDX's library. It can also write the texts of the licences, which go with the
// program.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// allowed are the licences of dependencies. A person reads a new licence and adds it here.
var allowed = []string{
	"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT", "MIT-0", "MPL-2.0", "OFL-1.1", "Python-2.0",
	"(MIT OR CC0-1.0)", "MIT OR Apache-2.0",
}

// component is one of CycloneDX's.
type component struct {
	Type     string    `json:"type"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	PURL     string    `json:"purl"`
	Scope    string    `json:"scope"` // required is in what people run, excluded only builds it
	Licenses []license `json:"licenses"`

	folder string // has its licence
}

// license is an SPDX expression.
type license struct {
	Expression string `json:"expression"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom: "+err.Error())
		os.Exit(1)
	}
}

// run writes the document into the first file that is named, and the texts of the licences into the
// second. Without a name it only checks.
func run(args []string) error {
	modules, err := goModules()
	if err != nil {
		return err
	}
	lock, err := os.ReadFile("client/package-lock.json")
	if err != nil {
		return err
	}
	packages, err := npmPackages(lock)
	if err != nil {
		return err
	}
	all := append(modules, packages...)
	if err := check(all); err != nil || len(args) == 0 {
		return err
	}
	text, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":   map[string]any{"component": map[string]string{"type": "application", "name": "secondring"}},
		"components": all,
	}, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(args[0]), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(args[0], append(text, '\n'), 0o644); err != nil || len(args) == 1 {
		return err
	}
	licences, err := notices(all)
	if err != nil {
		return err
	}
	return os.WriteFile(args[1], licences, 0o644)
}

// notices returns the licences of what is in the program, with their texts.
func notices(all []component) ([]byte, error) {
	var text bytes.Buffer
	text.WriteString("SecondRing contains these libraries.\n")
	for _, c := range all {
		if c.Scope != "required" {
			continue
		}
		licence, err := licenceIn(c.folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		fmt.Fprintf(&text, "\n---- %s %s (%s)\n\n%s\n", c.Name, c.Version, c.Licenses[0].Expression, strings.TrimSpace(licence))
	}
	return text.Bytes(), nil
}

// check wants each under an allowed licence.
func check(all []component) error {
	var errs []error
	for _, c := range all {
		if of := c.Licenses[0].Expression; !slices.Contains(allowed, of) {
			errs = append(errs, fmt.Errorf("%s %s is under %q: look at it, and add it to scripts/sbom or do without", c.Name, c.Version, of))
		}
	}
	return errors.Join(errs...)
}

// goModules are those of which any code is in the binary.
func goModules() (all []component, err error) {
	out, err := exec.Command("go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/secondring").Output()
	if err != nil {
		return nil, fmt.Errorf("list the Go modules: %w", err)
	}
	lines := slices.Compact(slices.Sorted(strings.SplitSeq(strings.TrimSpace(string(out)), "\n")))
	for _, line := range lines {
		parts := strings.Split(line, "\t")
		if len(parts) != 3 {
			continue // the standard library, or our own
		}
		licence, err := licenceIn(parts[2])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", parts[0], err)
		}
		all = append(all, component{
			Type: "library", Name: parts[0], Version: parts[1], PURL: "pkg:golang/" + parts[0] + "@" + parts[1],
			Scope: "required", Licenses: []license{{licenceOf(licence)}}, folder: parts[2],
		})
	}
	if len(all) == 0 {
		return nil, errors.New("no Go module is in the binary, which cannot be")
	}
	return all, nil
}

// licenceIn returns the text of the licence in a folder; an empty one if there is none.
func licenceIn(folder string) (string, error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	for _, file := range files {
		name := strings.ToLower(file.Name())
		if file.IsDir() || !strings.HasPrefix(name, "licen") && !strings.HasPrefix(name, "copying") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		return string(text), err
	}
	return "", nil
}

// licenceOf knows licences by what each of them alone says.
func licenceOf(text string) string {
	words := strings.Join(strings.Fields(text), " ")
	has := func(part string) bool { return strings.Contains(words, part) }
	switch {
	case has("GNU") && has("GENERAL PUBLIC LICENSE"):
		return "GPL"
	case has("Apache License") && has("Version 2.0"):
		return "Apache-2.0"
	case has("Mozilla Public License") && has("2.0"):
		return "MPL-2.0"
	case has("Permission is hereby granted, free of charge") && has("THE SOFTWARE IS PROVIDED"):
		return "MIT"
	case has("Permission to use, copy, modify, and/or distribute"):
		return "ISC"
	case has("Redistribution and use in source and binary forms") && (has("Neither the name") || has("The names of")):
		return "BSD-3-Clause"
	case has("Redistribution and use in source and binary forms"):
		return "BSD-2-Clause"
	}
	return "unknown"
}

// npmPackages are all that the lock names.
func npmPackages(lock []byte) (all []component, err error) {
	var file struct {
		Packages map[string]struct {
			Version, License string
			Dev              bool
		}
	}
	if err := json.Unmarshal(lock, &file); err != nil {
		return nil, fmt.Errorf("read package-lock.json: %w", err)
	}
	for path, p := range file.Packages {
		at := strings.LastIndex(path, "node_modules/")
		if at < 0 {
			continue // the client itself
		}
		c := component{
			Type: "library", Name: path[at+len("node_modules/"):], Version: p.Version, Scope: "required", Licenses: []license{{p.License}},
			folder: filepath.Join("client", path),
		}
		c.PURL = "pkg:npm/" + strings.ReplaceAll(c.Name, "@", "%40") + "@" + p.Version
		if p.Dev {
			c.Scope = "excluded"
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b component) int { return strings.Compare(a.PURL, b.PURL) })
	return slices.CompactFunc(all, func(a, b component) bool { return a.PURL == b.PURL }), nil
}
