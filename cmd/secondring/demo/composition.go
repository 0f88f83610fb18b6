package demo

import (
	"fmt"
	"hash/fnv"
	"strings"

	"secondring/cmd/secondring/demo/models"
)

// The drawings differ in how the phone stands and in what its screen shows, so that a page of them is not the same
// drawing many times. What a drawing is named after chooses, so the same phone always looks the same.

// placing is where a side is drawn: x, y of its upper left corner, its size, and its angle in degrees.
type placing struct {
	side  models.Side
	x, y  int
	scale float64
	angle int
}

// compositions are the ways to draw both sides of a phone, 640 wide and 600 high. The second side is before the first.
var compositions = [][]placing{
	{{models.Back, 110, 56, 1.03, 0}, {models.Front, 300, 84, 1.03, 0}},
	{{models.Front, 112, 84, 1.03, 0}, {models.Back, 302, 56, 1.03, 0}},
	{{models.Back, 66, 34, 1.12, 0}, {models.Front, 328, 34, 1.12, 0}},
	{{models.Front, 66, 34, 1.12, 0}, {models.Back, 328, 34, 1.12, 0}},
	{{models.Back, 116, 62, 1, -10}, {models.Front, 302, 62, 1, 8}},
	{{models.Front, 110, 66, 1, -9}, {models.Back, 296, 62, 1, 10}},
	{{models.Front, 326, 40, .98, 21}, {models.Back, 156, 66, 1.02, 9}},
	{{models.Back, 150, 40, .98, -21}, {models.Front, 288, 66, 1.02, -8}},
}

// choose returns a number below n, another one for each question.
func (d illustration) choose(question string, n int) int {
	h := fnv.New32a()
	h.Write([]byte(question + d.cameras + d.screen + d.hex))
	return int(h.Sum32() % uint32(n))
}

// place draws a side with its shadow.
func (d illustration) place(b *strings.Builder, p placing) {
	phone := d.back()
	if p.side == models.Front {
		phone = d.front()
	}
	fmt.Fprintf(b, `<g transform="translate(%d %d) scale(%.2f) rotate(%d 110 228)"><ellipse cx="112" cy="458" rx="104" ry="10" fill="#1b2330" opacity=".3" filter="url(#soft)"/>`, p.x, p.y, p.scale, p.angle)
	fmt.Fprintf(b, `<rect x="6" y="10" width="%d" height="%d" rx="34" fill="#1b2330" opacity=".22" filter="url(#soft)"/>%s</g>`, phoneWidth, phoneHeight, phone)
}

// wallpapers are what is behind the clock, in the screen's rectangle from 9, 9 to 211, 447.
var wallpapers = []string{
	`<circle cx="36" cy="404" r="150" fill="#fff" opacity=".13"/><circle cx="206" cy="330" r="116" fill="#fff" opacity=".1"/><path d="M9 330q70-58 118-8t90-20v150H9z" fill="#000" opacity=".13"/>`,
	`<circle cx="158" cy="268" r="25" fill="#fff" opacity=".55"/><path d="M9 330l58-82 40 54 46-68 64 90v130H9z" fill="#000" opacity=".26"/><path d="M9 380l70-62 54 44 84-58v150H9z" fill="#000" opacity=".3"/>`,
	`<g fill="none" stroke="#fff" stroke-width="20" opacity=".14"><circle cx="211" cy="447" r="60"/><circle cx="211" cy="447" r="120"/><circle cx="211" cy="447" r="180"/><circle cx="211" cy="447" r="240"/></g>`,
	`<g fill="#fff" opacity=".12"><path d="M9 447V300L211 60v110z"/><path d="M60 447L211 268v90l-75 89z"/></g><path d="M9 9h120L9 152z" fill="#000" opacity=".2"/>`,
	`<path d="M9 260q50-30 101 0t101 0v190H9z" fill="#fff" opacity=".16"/><path d="M9 310q50-30 101 0t101 0v140H9z" fill="#fff" opacity=".16"/><path d="M9 360q50-30 101 0t101 0v90H9z" fill="#fff" opacity=".2"/>`,
}

// clocks are the times on the screens.
var clocks = []string{"9:41", "7:25", "12:30", "10:08", "8:16", "3:54"}

// onScreen draws what the screen shows: a clock, a clock with notices, or apps.
func (d illustration) onScreen(b *strings.Builder, top, height int) {
	switch d.choose("content", 3) {
	case 0:
		d.clock(b, top, 50)
		notices(b, top+height-158)
	case 1:
		d.clock(b, top+40, 58)
	default:
		d.apps(b, top+54, (height-140)/52)
	}
	fmt.Fprintf(b, `<rect x="76" y="%d" width="68" height="4" rx="2" fill="#fff" opacity=".85"/>`, top+height-10)
}

func (d illustration) clock(b *strings.Builder, top, size int) {
	fmt.Fprintf(b, `<g fill="#fff" text-anchor="middle" font-family="system-ui,Segoe UI,Roboto,Helvetica,Arial,sans-serif"><text x="110" y="%d" font-size="10.5" opacity=".92">Friday, November 20</text><text x="110" y="%d" font-size="%d" font-weight="600" opacity=".96">%s</text></g>`, top+73, top+69+size, size, clocks[d.choose("time", len(clocks))])
}

// notices are two notices and the two round keys of a lock screen.
func notices(b *strings.Builder, y int) {
	fmt.Fprintf(b, `<circle cx="42" cy="%d" r="14" fill="#000" opacity=".28"/><circle cx="178" cy="%d" r="14" fill="#000" opacity=".28"/>`, y+122, y+122)
	for _, width := range []int{92, 68} {
		fmt.Fprintf(b, `<rect x="22" y="%d" width="176" height="39" rx="12" fill="#fff" opacity=".26"/><rect x="30" y="%d" width="23" height="23" rx="7" fill="#fff" opacity=".75"/><rect x="61" y="%d" width="%d" height="5" rx="2.5" fill="#fff" opacity=".9"/><rect x="61" y="%d" width="%d" height="5" rx="2.5" fill="#fff" opacity=".55"/>`, y, y+8, y+11, width-30, y+22, width+28)
		y += 46
	}
}

// apps are rows of four icons, and four more in a bar below them.
func (d illustration) apps(b *strings.Builder, top, rows int) {
	hue := d.choose("apps", 360)
	row := func(y int) {
		for i := range 4 {
			hue = (hue + 77) % 360
			fmt.Fprintf(b, `<rect x="%d" y="%d" width="34" height="34" rx="9" fill="hsl(%d 62%% 58%%)"/><circle cx="%d" cy="%d" r="8" fill="#fff" opacity=".8"/>`, 24+i*46, y, hue, 41+i*46, y+17)
		}
	}
	for i := range rows {
		row(top + i*52)
	}
	fmt.Fprintf(b, `<rect x="17" y="%d" width="186" height="48" rx="18" fill="#fff" opacity=".3"/>`, top+rows*52+6)
	row(top + rows*52 + 13)
}
