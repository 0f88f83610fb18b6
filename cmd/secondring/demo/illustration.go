package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"secondring/cmd/secondring/demo/models"
)

// illustration is a drawing of a phone without photos, on a transparent background: a
// model's cameras, its screen's cutout and the colour of its body. Its file name
// contains all of that, so the server draws it on request and stores no file.
type illustration struct {
	cameras, screen string
	hex             string      // the body's colour
	side            models.Side // "" for front and back together; or tile
}

// tile is the side, in a name, of an illustration on a brand's tile: wider than high, and both phones end below its
// edge. Only stores that an earlier build filled name one; now a tile has a photo.
const tile models.Side = "tile"

// illustrationName matches the names of illustrations.
var illustrationName = regexp.MustCompile(`^drawn\.([a-z-]+)\.([a-z-]+)\.([0-9a-f]{6})\.(both|front|back|tile)-[0-9a-f]{10}\.svg$`)

// both is the side, in a name, of an illustration of front and back.
const both = "both"

// name returns the file name, which has a hash of the content.
func (d illustration) name() string {
	side := string(d.side)
	if side == "" {
		side = both
	}
	sum := sha256.Sum256(d.svg())
	return fmt.Sprintf("drawn.%s.%s.%s.%s-%s.svg", d.cameras, d.screen, d.hex, side, hex.EncodeToString(sum[:5]))
}

// illustrationNamed draws the illustration with a file name. It returns nil if the name is not
// that of an illustration.
func illustrationNamed(name string) []byte {
	f := illustrationName.FindStringSubmatch(name)
	if f == nil || cameraLayouts[f[1]] == nil {
		return nil
	}
	d := illustration{cameras: f[1], screen: f[2], hex: f[3], side: models.Side(f[4])}
	if f[4] == both {
		d.side = ""
	}
	return d.svg()
}

// A phone is drawn 220 wide and 456 high, from 0, 0.
const phoneWidth, phoneHeight = 220, 456

func (d illustration) svg() []byte {
	var b strings.Builder
	width, height := 640, 600
	switch d.side {
	case models.Front, models.Back:
		width = 480
	case tile:
		height = 480
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d">`, width, height, width, height)
	b.WriteString(d.definitions())
	for _, p := range d.composition() {
		d.place(&b, p)
	}
	b.WriteString(`</svg>`)
	return []byte(b.String())
}

// composition returns where the drawn sides stand.
func (d illustration) composition() []placing {
	switch d.side {
	case models.Front, models.Back:
		return []placing{{d.side, 112, 44, 1.13, 0}}
	case tile:
		return []placing{{models.Back, 64, 48, 1.15, 0}, {models.Front, 330, 96, 1.15, 0}}
	}
	return compositions[d.choose("composition", len(compositions))]
}

// definitions are the gradients: the body, its frame, a lens and
// the picture on the screen, whose hue follows the body's.
func (d illustration) definitions() string {
	r, g, bl := rgb(d.hex)
	one, two, three := wallpaper(r, g, bl)
	stop := func(at int, colour string) string {
		return fmt.Sprintf(`<stop offset="%d%%" stop-color="%s"/>`, at, colour)
	}
	return `<defs><linearGradient id="body" x2="1" y2="1">` + stop(0, shade(d.hex, .2)) + stop(45, "#"+d.hex) + stop(100, shade(d.hex, -.16)) + `</linearGradient>` +
		`<linearGradient id="frame" x2="1">` + stop(0, shade(d.hex, -.34)) + stop(7, shade(d.hex, .34)) + stop(50, shade(d.hex, -.05)) + stop(93, shade(d.hex, .22)) + stop(100, shade(d.hex, -.4)) + `</linearGradient>` +
		`<linearGradient id="screen" x2=".6" y2="1">` + stop(0, one) + stop(55, two) + stop(100, three) + `</linearGradient>` +
		`<radialGradient id="lens" cx=".42" cy=".38" r=".7">` + stop(0, "#42546f") + stop(38, "#141a26") + stop(100, "#05070b") + `</radialGradient>` +
		`<linearGradient id="shine" x2="1" y2=".8"><stop offset="0" stop-color="#fff" stop-opacity=".26"/><stop offset=".42" stop-color="#fff" stop-opacity=".04"/><stop offset=".43" stop-color="#fff" stop-opacity="0"/></linearGradient>` +
		`<filter id="soft" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="9"/></filter><clipPath id="glass"><rect x="9" y="9" width="202" height="438" rx="26"/></clipPath></defs>`
}

// frame is the outline with its keys.
func (d illustration) frame() string {
	return `<rect x="218" y="130" width="5" height="54" rx="2" fill="` + shade(d.hex, -.3) + `"/><rect x="218" y="88" width="5" height="28" rx="2" fill="` + shade(d.hex, -.3) + `"/>` +
		`<rect width="220" height="456" rx="34" fill="url(#frame)"/>`
}

func (d illustration) back() string {
	var b strings.Builder
	b.WriteString(d.frame())
	b.WriteString(`<rect x="4" y="4" width="212" height="448" rx="31" fill="url(#body)"/><rect x="4" y="4" width="212" height="448" rx="31" fill="url(#shine)"/>`)
	fmt.Fprintf(&b, `<rect x="4.5" y="4.5" width="211" height="447" rx="30.5" fill="none" stroke="%s" opacity=".55"/>`, shade(d.hex, .4))
	cameraLayouts[d.cameras](d, &b)
	return b.String()
}

func (d illustration) front() string {
	var b strings.Builder
	b.WriteString(d.frame())
	b.WriteString(`<rect x="3" y="3" width="214" height="450" rx="32" fill="#08090c"/>`)
	top, height := 9, 438
	if d.screen == "button" { // wide borders above and below, and a home button
		top, height = 58, 340
		b.WriteString(`<rect x="10" y="58" width="200" height="340" fill="url(#screen)"/>`)
		b.WriteString(`<circle cx="110" cy="425" r="17" fill="#0d0f13" stroke="#4d525b" stroke-width="2.5"/><rect x="92" y="30" width="36" height="5" rx="2.5" fill="#2c3038"/>`)
	} else {
		b.WriteString(`<rect x="9" y="9" width="202" height="438" rx="26" fill="url(#screen)"/>`)
		b.WriteString(`<g clip-path="url(#glass)">` + wallpapers[d.choose("wallpaper", len(wallpapers))] + `</g>`)
	}
	d.onScreen(&b, top, height)
	b.WriteString(cutouts[d.screen])
	b.WriteString(`<rect x="9" y="9" width="202" height="438" rx="26" fill="url(#shine)" opacity=".5"/>`)
	return b.String()
}

// cutouts are the shapes in the screen's upper edge.
var cutouts = map[string]string{
	"button": "", "plain": `<rect x="94" y="4" width="32" height="2.5" rx="1.2" fill="#30343c"/>`,
	"notch":       `<path d="M62 8h96q-7 1-8 9-1 15-15 15H85q-14 0-15-15-1-8-8-9z" fill="#08090c"/><circle cx="132" cy="18" r="4" fill="#1c2638"/>`,
	"drop":        `<path d="M92 8h36q-7 2-9 11-3 9-9 9t-9-9q-2-9-9-11z" fill="#08090c"/><circle cx="110" cy="19" r="4" fill="#1c2638"/>`,
	"island":      `<rect x="79" y="19" width="62" height="18" rx="9" fill="#08090c"/><circle cx="131" cy="28" r="4.5" fill="#1c2638"/>`,
	"punch":       `<circle cx="110" cy="25" r="7" fill="#08090c"/><circle cx="110" cy="25" r="3" fill="#1c2638"/>`,
	"punch-left":  `<circle cx="34" cy="29" r="7" fill="#08090c"/><circle cx="34" cy="29" r="3" fill="#1c2638"/>`,
	"punch-right": `<circle cx="186" cy="29" r="7" fill="#08090c"/><circle cx="186" cy="29" r="3" fill="#1c2638"/>`,
}

// bump is a raised plate for cameras.
func (d illustration) bump(b *strings.Builder, x, y, w, h, r float64, darkness float64) {
	fmt.Fprintf(b, `<rect x="%g" y="%g" width="%g" height="%g" rx="%g" fill="#10141b" opacity=".2"/>`, x+1.5, y+3, w, h, r)
	fmt.Fprintf(b, `<rect x="%g" y="%g" width="%g" height="%g" rx="%g" fill="%s" stroke="%s" stroke-width="1"/>`, x, y, w, h, r, shade(d.hex, darkness), shade(d.hex, .3))
}

func (d illustration) lens(b *strings.Builder, x, y, r float64) {
	fmt.Fprintf(b, `<circle cx="%g" cy="%g" r="%g" fill="%s" stroke="%s" stroke-width="1"/><circle cx="%g" cy="%g" r="%.1f" fill="url(#lens)"/><circle cx="%g" cy="%g" r="%.1f" fill="none" stroke="#3b475c" stroke-width=".8"/><circle cx="%.1f" cy="%.1f" r="%.1f" fill="#b9cdf0" opacity=".6"/>`,
		x, y, r, shade(d.hex, -.42), shade(d.hex, .34), x, y, r*.84, x, y, r*.5, x-r*.26, y-r*.3, r*.13)
}

// flash is the small lamp beside the lenses.
func flash(b *strings.Builder, x, y float64) {
	fmt.Fprintf(b, `<circle cx="%g" cy="%g" r="5" fill="#fff6df" stroke="#a9a596" stroke-width=".8"/>`, x, y)
}

// spots are lenses in a row of x, y, radius.
func (d illustration) spots(b *strings.Builder, at ...[3]float64) {
	for _, s := range at {
		d.lens(b, s[0], s[1], s[2])
	}
}

// cameraLayouts draw the cameras of a family of models.
var cameraLayouts = map[string]func(d illustration, b *strings.Builder){
	"one": func(d illustration, b *strings.Builder) {
		d.spots(b, [3]float64{40, 42, 17})
		flash(b, 72, 42)
	},
	"one-square": func(d illustration, b *strings.Builder) {
		d.bump(b, 16, 18, 66, 66, 18, -.6)
		d.spots(b, [3]float64{38, 40, 14})
		flash(b, 64, 66)
	},
	"two-square": func(d illustration, b *strings.Builder) {
		d.bump(b, 16, 18, 76, 70, 18, -.5)
		d.spots(b, [3]float64{37, 42, 14}, [3]float64{71, 42, 14})
		flash(b, 54, 70)
	},
	"two-column": func(d illustration, b *strings.Builder) {
		d.bump(b, 14, 14, 88, 92, 25, .1)
		d.spots(b, [3]float64{40, 39, 19}, [3]float64{40, 81, 19})
		flash(b, 82, 60)
	},
	"two-diagonal": func(d illustration, b *strings.Builder) {
		d.bump(b, 14, 14, 90, 92, 25, .1)
		d.spots(b, [3]float64{40, 39, 20}, [3]float64{78, 81, 20})
		flash(b, 80, 38)
	},
	"two-pill": func(d illustration, b *strings.Builder) {
		d.bump(b, 18, 18, 50, 100, 25, .12)
		d.spots(b, [3]float64{43, 43, 19}, [3]float64{43, 92, 19})
		flash(b, 88, 44)
	},
	"two-pill-flat": func(d illustration, b *strings.Builder) {
		d.bump(b, 20, 26, 92, 42, 21, -.5)
		d.spots(b, [3]float64{43, 47, 15}, [3]float64{88, 47, 15})
		flash(b, 130, 47)
	},
	"three-square": func(d illustration, b *strings.Builder) {
		d.bump(b, 14, 14, 106, 108, 29, .08)
		d.spots(b, [3]float64{42, 42, 22}, [3]float64{42, 94, 22}, [3]float64{91, 68, 22})
		flash(b, 94, 34)
	},
	"plateau": func(d illustration, b *strings.Builder) {
		d.bump(b, 8, 10, 204, 106, 30, .1)
		d.spots(b, [3]float64{44, 39, 22}, [3]float64{44, 88, 22}, [3]float64{92, 63, 22})
		flash(b, 186, 38)
	},
	"visor": func(d illustration, b *strings.Builder) {
		d.bump(b, 2, 62, 216, 50, 5, -.5)
		b.WriteString(`<rect x="34" y="72" width="92" height="30" rx="15" fill="#08090c"/>`)
		d.spots(b, [3]float64{52, 87, 12}, [3]float64{106, 87, 12})
		flash(b, 150, 87)
	},
	"visor-island": func(d illustration, b *strings.Builder) {
		d.bump(b, 16, 46, 188, 56, 28, .14)
		b.WriteString(`<rect x="26" y="54" width="124" height="40" rx="20" fill="#08090c"/>`)
		d.spots(b, [3]float64{46, 74, 14}, [3]float64{87, 74, 14}, [3]float64{128, 74, 14})
		flash(b, 174, 74)
	},
	"visor-half": func(d illustration, b *strings.Builder) {
		d.bump(b, 4, 5, 212, 92, 28, .14)
		d.spots(b, [3]float64{48, 51, 19}, [3]float64{102, 51, 19})
		flash(b, 154, 51)
	},
	"column": func(d illustration, b *strings.Builder) {
		d.bump(b, 16, 16, 50, 132, 24, -.2)
		d.spots(b, [3]float64{41, 42, 17}, [3]float64{41, 82, 17}, [3]float64{41, 121, 15})
		flash(b, 82, 42)
	},
	"column-bare": func(d illustration, b *strings.Builder) {
		d.spots(b, [3]float64{42, 44, 19}, [3]float64{42, 92, 19}, [3]float64{42, 140, 19})
		flash(b, 80, 66)
	},
	"lenses": func(d illustration, b *strings.Builder) {
		d.spots(b, [3]float64{40, 42, 20}, [3]float64{40, 92, 20}, [3]float64{40, 142, 20}, [3]float64{84, 66, 11}, [3]float64{84, 122, 15})
		flash(b, 84, 94)
	},
	"contour": func(d illustration, b *strings.Builder) {
		fmt.Fprintf(b, `<path d="M0 34Q0 0 34 0h40q10 0 10 12v130q0 16-16 16H16q-16 0-16 10z" fill="%s"/>`, shade(d.hex, -.14))
		d.spots(b, [3]float64{42, 38, 17}, [3]float64{42, 80, 17}, [3]float64{42, 122, 17})
		flash(b, 100, 38)
	},
	"block": func(d illustration, b *strings.Builder) {
		d.bump(b, 16, 16, 82, 116, 17, -.5)
		d.spots(b, [3]float64{40, 42, 17}, [3]float64{40, 86, 17}, [3]float64{76, 86, 9}, [3]float64{40, 117, 8})
		flash(b, 76, 40)
	},
	"square-four": func(d illustration, b *strings.Builder) {
		d.bump(b, 14, 14, 108, 108, 26, -.18)
		d.spots(b, [3]float64{43, 43, 20}, [3]float64{93, 43, 20}, [3]float64{43, 93, 20})
		flash(b, 93, 93)
	},
	"strip": func(d illustration, b *strings.Builder) {
		d.bump(b, 18, 18, 38, 118, 19, -.4)
		d.spots(b, [3]float64{37, 40, 14}, [3]float64{37, 77, 14}, [3]float64{37, 114, 14})
		flash(b, 72, 38)
	},
	"centre": func(d illustration, b *strings.Builder) {
		d.bump(b, 89, 32, 42, 126, 21, -.4)
		d.spots(b, [3]float64{110, 56, 16}, [3]float64{110, 95, 16}, [3]float64{110, 134, 16})
		flash(b, 110, 176)
	},
	"centre-one": func(d illustration, b *strings.Builder) {
		d.spots(b, [3]float64{110, 66, 38}, [3]float64{164, 66, 8})
		flash(b, 164, 92)
	},
	"centre-round": func(d illustration, b *strings.Builder) {
		d.bump(b, 40, 28, 140, 140, 70, -.45)
		d.spots(b, [3]float64{84, 72, 22}, [3]float64{136, 72, 22}, [3]float64{84, 124, 22}, [3]float64{136, 124, 22})
		flash(b, 110, 98)
	},
	"circle": func(d illustration, b *strings.Builder) {
		d.bump(b, 48, 26, 124, 124, 62, -.5)
		d.spots(b, [3]float64{110, 58, 20}, [3]float64{80, 100, 18}, [3]float64{140, 100, 18})
		flash(b, 110, 128)
	},
	"circle-left": func(d illustration, b *strings.Builder) {
		d.bump(b, 12, 22, 120, 120, 60, -.5)
		d.spots(b, [3]float64{49, 60, 19}, [3]float64{95, 60, 19}, [3]float64{49, 106, 19})
		flash(b, 95, 106)
	},
	"two-circles": func(d illustration, b *strings.Builder) {
		d.bump(b, 16, 16, 84, 172, 42, .06)
		d.spots(b, [3]float64{58, 58, 33}, [3]float64{58, 144, 33})
		flash(b, 120, 58)
	},
	"oval": func(d illustration, b *strings.Builder) {
		d.bump(b, 16, 18, 82, 138, 41, -.12)
		d.spots(b, [3]float64{57, 60, 29}, [3]float64{44, 117, 14}, [3]float64{74, 117, 12})
		flash(b, 120, 44)
	},
	"row": func(d illustration, b *strings.Builder) {
		d.bump(b, 46, 44, 128, 46, 16, -.5)
		d.spots(b, [3]float64{70, 67, 15}, [3]float64{106, 67, 15}, [3]float64{140, 67, 13})
		flash(b, 163, 67)
	},
	"raindrop": func(d illustration, b *strings.Builder) {
		d.spots(b, [3]float64{42, 44, 22}, [3]float64{42, 92, 15}, [3]float64{42, 126, 12})
		flash(b, 42, 154)
	},
}

// rgb reads six hexadecimal digits.
func rgb(hex string) (r, g, b float64) {
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		return 0, 0, 0
	}
	return float64(n >> 16), float64(n >> 8 & 255), float64(n & 255)
}

// shade makes a colour lighter, by up to 1, or darker, by down to -1.
func shade(hex string, by float64) string {
	r, g, b := rgb(hex)
	to := 255.0
	if by < 0 {
		to, by = 0, -by
	}
	mix := func(v float64) int { return int(v + (to-v)*by) }
	return fmt.Sprintf("#%02x%02x%02x", mix(r), mix(g), mix(b))
}

// wallpaper returns three colours for the screen: the body's hue, stronger, and its neighbours.
func wallpaper(r, g, b float64) (one, two, three string) {
	hue := math.Mod(math.Atan2(math.Sqrt(3)*(g-b), 2*r-g-b)*180/math.Pi+360, 360)
	if max(r, g, b)-min(r, g, b) < 14 { // a grey has no hue to follow
		hue = math.Mod(205+r*1.1, 360)
	}
	at := func(turn, saturation, light float64) string {
		return fmt.Sprintf("hsl(%.0f %.0f%% %.0f%%)", math.Mod(hue+turn+360, 360), saturation, light)
	}
	return at(-28, 52, 24), at(4, 56, 48), at(38, 68, 68)
}
