# SecondRing. "make help" lists the targets.

# The versions of the tools are pinned. Built tools are in a cache outside the repository,
# so that another clone does not have to build them again. golangci-lint takes minutes.
GOLANGCI_VERSION := v2.15.0
CACHE            := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/secondring
GOLANGCI         := $(CACHE)/golangci-lint-$(GOLANGCI_VERSION)/golangci-lint

# Stripe's own server for tests. It compares each request with the description of Stripe's API.
STRIPE_MOCK_VERSION := v0.203.0
export STRIPE_MOCK  := $(CACHE)/stripe-mock-$(STRIPE_MOCK_VERSION)/stripe-mock

# FerretDB is a server that speaks MongoDB's protocol, for tests. See scripts/mongo.sh.
FERRETDB_VERSION := v2.7.0
export FERRETDB  := $(CACHE)/ferretdb-$(FERRETDB_VERSION)/ferretdb

# A test runs "docker compose config", which checks docker-compose.yml.
COMPOSE_VERSION := v5.0.2
export COMPOSE  := $(CACHE)/docker-compose-$(COMPOSE_VERSION)/docker-compose

# GoReleaser makes the files of a release.
GORELEASER_VERSION := v2.16.0
GORELEASER         := $(CACHE)/goreleaser-$(GORELEASER_VERSION)/goreleaser

# RACE=1 switches the race detector on, for all code except SQLite. SQLite is C code translated to
# Go, is not part of this project, and is ten times slower with the detector. Its driver
# (modernc.org/sqlite) needs the detector: it shares generic code of the standard library with
# other packages, and the detector reports false races if one of them is built without it.
RACE_FLAGS := $(if $(RACE),-race -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc/...=-race=false)

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
COMMIT  := $(shell git log -1 --format=%H 2>/dev/null)
DATE    := $(shell git log -1 --format=%cI 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT) -X main.date=$(DATE)
GOBUILD := CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)'

# These files record that a step is done. A step runs again only if its sources have changed.
NODE_CLIENT := client/node_modules/.installed
NODE_PHOTOS := scripts/photos/node_modules/.installed
PHOTOS      := cmd/secondring/demo/photos/manifest.json
DIST        := client/dist/index.html
CLIENT_SRC  := $(shell find client/src client/public client/index.html client/vite.config.ts client/tsconfig*.json -type f 2>/dev/null)
NPM_CI      := npm ci --no-audit --no-fund --loglevel=error

STEP := bash scripts/step.sh

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# ---- Build

.PHONY: run
run: build ## build everything and start the demo on http://localhost:8080
	DEMO=1 bin/secondring

.PHONY: build
build: server sbom ## build bin/secondring, one file that contains the client and the photographs

.PHONY: server
server: $(DIST) $(PHOTOS)
	$(GOBUILD) -o bin/secondring ./cmd/secondring

.PHONY: sbom
sbom: bin/sbom.json ## write all dependencies and their licences into bin/sbom.json (CycloneDX) and bin/LICENCES.txt; fail for an unknown licence

bin/sbom.json: go.sum client/package-lock.json $(wildcard scripts/sbom/*.go) $(NODE_CLIENT)
	@go run ./scripts/sbom $@ bin/LICENCES.txt

.PHONY: hubd
hubd: ## build bin/hubd, the live hub alone, for load generators
	$(GOBUILD) -o bin/hubd ./cmd/hubd

.PHONY: client
client: $(DIST) ## build the client alone, into client/dist

$(DIST): $(NODE_CLIENT) $(CLIENT_SRC)
	cd client && npm run build
	@touch client/dist/.gitkeep $@

.PHONY: photos
photos: $(PHOTOS) ## make the demo's pictures from photographs of real phones

$(PHOTOS): $(NODE_PHOTOS) $(wildcard cmd/secondring/demo/models/*.csv scripts/photos/*.go) scripts/photos/CREDITS.txt api/images/variants.go api/images/webp.go
	go run ./scripts/photos

$(NODE_CLIENT): client/package-lock.json | tools
	cd client && $(NPM_CI)
	@touch $@

$(NODE_PHOTOS): scripts/photos/package-lock.json | tools
	cd scripts/photos && $(NPM_CI) --ignore-scripts
	@touch $@

# ---- Check

.PHONY: check
check: lint unit ## the fast checks: format, lint, types, unit tests

.PHONY: lint
lint: $(GOLANGCI) $(NODE_CLIENT)
	@$(STEP) 'Go format'    $(GOLANGCI) fmt --diff
	@$(STEP) 'Go lint'      $(GOLANGCI) run ./...
	@$(STEP) 'Go modules'   go mod tidy -diff
	@$(STEP) 'Go on Windows' env GOOS=windows CGO_ENABLED=0 go build ./...
	@$(STEP) 'Import rules' bash scripts/import_rules.sh $(GOLANGCI)
	@$(STEP) 'Licences'     go run ./scripts/sbom
	@$(STEP) 'Names in documents' bash scripts/docpaths.sh
	@$(STEP) 'Large files'  bash scripts/large_files.sh
	@$(STEP) 'Client lint'  npm --prefix client run --silent lint
	@$(STEP) 'Client types' npm --prefix client run --silent typecheck

# The tests of these packages start MongoDB, Redis or complete servers. make test runs them.
WITH_SERVERS := -e /store/mongo -e '/cmd/secondring$$' -e /cmd/secondring/clustertest -e /cmd/secondring/consistencytest

.PHONY: unit
unit: $(DIST) $(PHOTOS) $(STRIPE_MOCK) $(COMPOSE)
	@$(STEP) 'Go unit tests'     go test -timeout 1h $$(go list ./... | grep -v $(WITH_SERVERS))
	@$(STEP) 'Client unit tests' npm --prefix client run --silent test
	@$(STEP) 'First load'        npm --prefix client run --silent size

# The Go tests run for three packages at once, because many of them wait and do not compute.
# They run without vet, because lint includes it. The consistency test has many random actions. With
# the race detector it is too slow, so it runs without it.
.PHONY: test
test: needs build $(STRIPE_MOCK) $(COMPOSE) mongo ## run all tests: every store, the API, live updates, a real browser; RACE=1 adds the race detector
	@$(STEP) 'Client unit tests'  npm --prefix client run --silent test
	@$(STEP) 'First load'         npm --prefix client run --silent size
	@$(STEP) 'Generated files'    bash scripts/verify.sh
	@$(STEP) 'Go tests'           go test -p 3 -vet=off $(RACE_FLAGS) -count=1 -timeout 1h -skip '^TestScreensAreConsistent' ./...
	@$(STEP) 'Consistency'         go test -vet=off -count=1 -timeout 1h ./cmd/secondring/consistencytest
	@$(STEP) 'Browser tests'      bash scripts/e2e.sh
	@echo 'All tests passed.'

.PHONY: e2e
e2e: needs build mongo ## run the browser tests alone
	@$(STEP) 'Browser tests' bash scripts/e2e.sh

# The long tests, in this order. They take less than an hour on two processors:
#   - every screen in every state
#   - all browser tests with pages that the browser translates
#   - an overload, twenty kills of a server, and 10,000 sockets with 500 calls a second for three minutes
#   - outages of Redis, the store and networks, and twenty kills of a node during bookings
#   - four to ten times as many random operations on both stores as in make test
#   - 30,000 random actions in 200 clients
# CONSISTENCY_SEED repeats the last test. CONSISTENCY_CLIENTS, CONSISTENCY_OPS and CONSISTENCY_ROUND set its size.
.PHONY: soak
soak: needs build mongo ## run the long tests: every screen, outages, killed processes, overload, random actions
	SOAK=1 bash scripts/e2e.sh
	TRANSLATED=1 bash scripts/e2e.sh --project=alone --project=nodes
	KILLS=20 SOCKETS=10000 SOAK=$(or $(SOAK),3m) go test -count=1 -timeout 1h -v \
		-run '^(TestOverload|TestServerKilledUnderLoad|TestManySocketsBesideCalls)$$' ./cmd/secondring
	KILLS=20 go test -count=1 -timeout 1h -v -run '^TestOutagesUnderLoad$$' ./cmd/secondring/clustertest
	SOAK=1 go test -count=1 -timeout 1h -v -run '^(TestSuite|TestEngine)$$/^Model$$' ./store/sqlite ./store/mongo
	CONSISTENCY_CLIENTS=$(or $(CONSISTENCY_CLIENTS),200) CONSISTENCY_OPS=$(or $(CONSISTENCY_OPS),30000) CONSISTENCY_ROUND=$(or $(CONSISTENCY_ROUND),1000) \
		go test -count=1 -timeout 6h -v -run '^TestScreensAreConsistentOnTwoNodes$$' ./cmd/secondring/consistencytest

.PHONY: fuzz
fuzz: ## fuzz each parser for FUZZTIME (30s)
	@bash scripts/fuzz.sh

.PHONY: bench
bench: build ## measure SecondRing and other products; takes ten minutes on an idle machine
	@bash bench/run.sh

.PHONY: film
film: needs build ## record the animations and take the pictures of the README, of the real product
	@command -v img2webp >/dev/null || { echo 'The film needs img2webp (Debian: apt-get install webp).' >&2; exit 1; }
	@bash scripts/e2e.sh -c e2e/film

.PHONY: verify
verify: build ## do the same as make generate; fail if a file has changed
	@$(STEP) 'Generated files' bash scripts/verify.sh

.PHONY: generate
generate: build ## regenerate api/openapi.json, the client's types and llms.txt
	@bash scripts/generate.sh

.PHONY: format
format: ## keep a store of the present format, for the tests of later ones (store/format.go)
	KEEP_FORMAT=1 go test -count=1 -run '^(TestFormat|TestKeptFormatsAreRead)$$' ./store ./cmd/secondring

.PHONY: fmt
fmt: $(GOLANGCI) $(NODE_CLIENT) ## format, and fix what the linters can fix
	$(GOLANGCI) run --fix ./... || true
	$(GOLANGCI) fmt
	npm --prefix client run --silent format

# ---- Release

.PHONY: release
release: $(DIST) $(PHOTOS) sbom $(GORELEASER) ## make the archives and packages of a release in dist/, and try them on a bare Debian; publishes nothing
	$(GORELEASER) release --snapshot --clean
	@$(STEP) 'Release' bash deploy/try_release.sh

# Continuous integration publishes a tag. VERSION is the tag.
.PHONY: publish
publish: $(DIST) $(PHOTOS) sbom $(GORELEASER)
	bash scripts/release_notes.sh "$(VERSION)" >bin/notes.md
	$(GORELEASER) release --clean --release-notes bin/notes.md

# ---- Tools

$(GORELEASER):
	@echo 'Building GoReleaser $(GORELEASER_VERSION), which takes some minutes…'
	@mkdir -p $(@D)
	@GOBIN=$(@D) GOFLAGS= go install github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)

$(GOLANGCI):
	@echo 'Building golangci-lint $(GOLANGCI_VERSION), which takes some minutes…'
	@mkdir -p $(@D)
	@GOBIN=$(@D) GOFLAGS= go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

$(STRIPE_MOCK):
	@echo 'Building stripe-mock $(STRIPE_MOCK_VERSION)…'
	@mkdir -p $(@D)
	@GOBIN=$(@D) GOFLAGS= go install github.com/stripe/stripe-mock@$(STRIPE_MOCK_VERSION)

$(FERRETDB):
	@echo 'Building FerretDB $(FERRETDB_VERSION), which takes a minute…'
	@mkdir -p $(@D)
	@GOBIN=$(@D) GOFLAGS= go install github.com/FerretDB/FerretDB/v2/cmd/ferretdb@$(FERRETDB_VERSION)

# docker compose alone, without a Docker engine, is enough for "config".
$(COMPOSE):
	@echo 'Building docker compose $(COMPOSE_VERSION), which takes two minutes…'
	@mkdir -p $(@D)
	@GOBIN=$(@D) GOFLAGS= go install github.com/docker/compose/v5/cmd@$(COMPOSE_VERSION)
	@mv $(@D)/cmd $@

# If MONGODB_URI is set, the tests use that server.
.PHONY: mongo
ifdef MONGODB_URI
mongo:
else
mongo: $(FERRETDB)
	@bash scripts/mongo.sh install
endif

.PHONY: tools
tools:
	@bash scripts/tools.sh

.PHONY: needs
needs: tools
	@bash scripts/needs.sh

.PHONY: clean
clean: ## delete the built files, but not the data
	rm -rf bin dist client/node_modules scripts/photos/node_modules
	find client/dist cmd/secondring/demo/photos -mindepth 1 ! -name .gitkeep -delete
