// Command photos makes the demo's pictures: it takes the photographs of the
// npm package beside it, crops each to the phone, sets them all to one size
// and margin on a clean white ground, and writes them under names that carry
// a hash of their content, with the copies that the image host would make of
// them, and a manifest that says which is which.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/jpeg"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"secondring/api/images"
	"secondring/cmd/secondring/demo/models"
	"secondring/market"
)

const (
	tileQuality = 84 // JPEG
	// tileShown is how wide a brand's copy is that its card shows: a dozen of them
	// stand on one screen, so they are WebP and a third of the JPEG's bytes.
	tileShown = 640
	// cardQuality is a card's JPEG's: browsers take its copies, so it is for
	// programs that show a link, and small.
	cardQuality = 74
	// viewQuality is the same of a single side, which is no link's picture.
	viewQuality = 56
	photosDir   = "dist/photo/x800"
)

// manifest is what package demo reads back.
type manifest struct {
	Photos map[string]string         `json:"photos"` // photograph's file to picture
	Brands map[string]string         `json:"brands"` // brand's name to its tile
	About  map[string]market.Picture `json:"about"`  // by picture
	// Views are the sides of the phone in a photograph, by its file: picture by side.
	Views map[string]map[models.Side]string `json:"views"`
	// TileShown is the width of the copy that each tile has.
	TileShown int `json:"tileShown"`
}

func main() {
	from := flag.String("from", "scripts/photos/node_modules/@devicefarmer/stf-device-db", "the npm package")
	to := flag.String("to", "cmd/secondring/demo/photos", "folder to fill")
	credits := flag.String("credits", "scripts/photos/CREDITS.txt", "our own words of thanks")
	flag.Parse()
	log.SetFlags(0)
	if err := run(*from, *to, *credits); err != nil {
		log.Fatalf("photos: %v", err)
	}
}

func run(from, to, credits string) error {
	if err := empty(to); err != nil {
		return err
	}
	album := album{dir: to, manifest: manifest{
		Photos: map[string]string{}, Brands: map[string]string{},
		About: map[string]market.Picture{}, Views: map[string]map[models.Side]string{},
		TileShown: tileShown,
	}}
	var all errgroup.Group
	all.SetLimit(runtime.NumCPU())
	for _, model := range models.All() {
		for _, p := range model.Photos {
			all.Go(func() error { return album.photo(from, p) })
		}
	}
	for _, b := range models.Brands() {
		all.Go(func() error { return album.tile(from, b) })
	}
	if err := all.Wait(); err != nil {
		return err
	}
	if err := writeCredits(from, to, credits); err != nil {
		return err
	}
	// Last, so that a manifest means a complete folder.
	m := album.manifest
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	log.Printf("%d photographs, %d of them with their sides, and %d brand tiles in %s", len(m.Photos), len(m.Views), len(m.Brands), to)
	return os.WriteFile(filepath.Join(to, "manifest.json"), text, 0o644)
}

// album is the folder being filled, by several at once.
type album struct {
	dir string
	mu  sync.Mutex
	manifest
}

// photo makes the pictures of a photo: the whole photo, and each side of the phone.
func (a *album) photo(from string, p models.Photo) error {
	phone, err := open(from, p.File)
	if err != nil {
		return err
	}
	name, err := a.picture(p.File, card(phone), cardQuality)
	if err != nil {
		return err
	}
	sides := map[models.Side]string{}
	for _, v := range views(phone, p.BackFirst) {
		if sides[v.side], err = a.picture(p.File+"-"+string(v.side), v.close(phone), viewQuality); err != nil {
			return err
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.Photos[p.File] = name
	if len(sides) > 0 {
		a.Views[p.File] = sides
	}
	return nil
}

// picture writes a picture with its copies and returns its name.
func (a *album) picture(label string, img *image.RGBA, quality int) (string, error) {
	name, err := write(a.dir, label, img, quality)
	if err != nil {
		return "", err
	}
	about, copies, err := images.MakeCopies(context.Background(), img, images.CopyQuality)
	if err != nil {
		return "", err
	}
	for i, width := range about.Widths {
		if err := os.WriteFile(filepath.Join(a.dir, market.CopyURL(name, width)), copies[i], 0o644); err != nil {
			return "", err
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.About[name] = about
	return name, nil
}

// tile makes a brand's picture.
func (a *album) tile(from string, b models.Brand) error {
	phone, err := open(from, b.Hero)
	if err != nil {
		return err
	}
	ground, err := parseHex(b.Tint)
	if err != nil {
		return fmt.Errorf("brand %s: %w", b.Name, err)
	}
	picture := tile(phone, ground)
	name, err := write(a.dir, "brand-"+b.Name, picture, tileQuality)
	if err != nil {
		return err
	}
	about, copies, err := images.MakeCopies(context.Background(), picture, images.CopyQuality)
	if err != nil {
		return err
	}
	at := slices.Index(about.Widths, tileShown)
	if at < 0 {
		return fmt.Errorf("brand %s: no copy %d pixels wide", b.Name, tileShown)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.Brands[b.Name] = name
	return os.WriteFile(filepath.Join(a.dir, market.CopyURL(name, tileShown)), copies[at], 0o644)
}

// empty removes what an earlier run made, so that no picture stays behind
// that the manifest does not name.
func empty(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "*.*"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if filepath.Base(name) == ".gitkeep" {
			continue
		}
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// open decodes one photograph and refuses the package's picture for "unknown
// phone", which a later version of it may put in place of a real one.
func open(from, file string) (shot, error) {
	raw, err := os.ReadFile(filepath.Join(from, photosDir, file+".jpg"))
	if err != nil {
		return shot{}, err
	}
	unknown, err := os.ReadFile(filepath.Join(from, photosDir, "_default.jpg"))
	if err != nil {
		return shot{}, err
	}
	if bytes.Equal(raw, unknown) {
		return shot{}, fmt.Errorf("%s is only a placeholder", file)
	}
	img, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		return shot{}, fmt.Errorf("%s: %w", file, err)
	}
	phone := crop(img)
	if phone.whole.Bounds().Empty() {
		return shot{}, fmt.Errorf("%s: nothing but white", file)
	}
	return phone, nil
}

// write stores a picture under a name that changes with its content, so that
// browsers may keep it for ever, and returns that name.
func write(dir, label string, img image.Image, quality int) (string, error) {
	var buf bytes.Buffer
	if err := jpeg.Encode(&buf, img, &jpeg.Options{Quality: quality}); err != nil {
		return "", err
	}
	sum := sha256.Sum256(buf.Bytes())
	label = strings.ToLower(strings.NewReplacer("_", "-", " ", "-").Replace(strings.Trim(label, "_")))
	name := label + "-" + hex.EncodeToString(sum[:5]) + ".jpg"
	return name, os.WriteFile(filepath.Join(dir, name), buf.Bytes(), 0o644)
}

func writeCredits(from, to, credits string) error {
	ours, err := os.ReadFile(credits)
	if err != nil {
		return err
	}
	theirs, err := os.ReadFile(filepath.Join(from, "CREDITS.md"))
	if errors.Is(err, os.ErrNotExist) {
		return errors.New("the package came without its CREDITS.md, which must go with the photographs")
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "CREDITS.txt"), append(ours, theirs...), 0o644)
}
