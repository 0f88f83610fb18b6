package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnknownLicenceIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3":                              "GPL",
		"All rights reserved.":                                                      "unknown",
		"Apache License\n  Version 2.0, January 2004":                               "Apache-2.0",
		"Permission is hereby granted,\nfree of charge, … THE SOFTWARE IS PROVIDED": "MIT",
		"Redistribution and use in source and binary forms … Neither the name":      "BSD-3-Clause",
		"Redistribution and use in source and binary\nforms, with":                  "BSD-2-Clause",
	} {
		got := licenceOf(text)
		err := check([]component{{Name: "x", Licenses: []license{{got}}}})
		if refused := want == "GPL" || want == "unknown"; got != want || (err != nil) != refused {
			t.Errorf("%.30s: %s, %v", text, got, err)
		}
	}
}

func TestNpmLockfile(t *testing.T) {
	all, err := npmPackages([]byte(`{"packages": {"": {"version": "1"}, "node_modules/@a/b": {"version": "2", "license": "MIT"},
		"node_modules/c/node_modules/d": {"version": "3", "license": "SSPL-1.0", "dev": true}, "node_modules/e": {"version": "4"}}}`))
	if err != nil || len(all) != 3 || all[0].PURL != "pkg:npm/%40a/b@2" || all[0].Scope != "required" || all[1].Name != "d" || all[1].Scope != "excluded" {
		t.Fatalf("%+v, %v", all, err)
	}
	if err := check(all); err == nil || !strings.Contains(err.Error(), "SSPL") || !strings.Contains(err.Error(), "e 4") {
		t.Error(err)
	}
}

func TestNoticesHaveTheTextsOfLicences(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "LICENSE.md"), []byte("Free for all.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	free := []license{{"MIT"}}
	text, err := notices([]component{
		{Name: "a", Version: "v1", Scope: "required", Licenses: free, folder: folder},
		{Name: "only-builds", Scope: "excluded", Licenses: free, folder: "missing"},
	})
	if err != nil || !strings.Contains(string(text), "---- a v1 (MIT)\n\nFree for all.\n") || strings.Contains(string(text), "only-builds") {
		t.Errorf("%v\n%s", err, text)
	}
	if _, err := notices([]component{{Name: "a", Scope: "required", Licenses: free, folder: "missing"}}); err == nil {
		t.Error("a library without its folder is accepted")
	}
}
