package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"secondring/cmd/secondring/move"
)

// Intervals of showing the progress on a terminal and in a log, and the width of the bar in
// characters.
const (
	redrawEvery = 100 * time.Millisecond
	lineEvery   = 5 * time.Second
	barWidth    = 24
)

// progressBar shows the progress of a move: on a terminal one line that is redrawn, in a log
// a line every five seconds. Progress bar libraries draw on terminals only, so half of this
// would remain beside one.
type progressBar struct {
	out      io.Writer
	terminal bool
	now      func() time.Time

	began, shown time.Time
	last         move.Step

	phase     move.Step // the first step with the phase and kind of last
	phaseFrom time.Time
}

func newProgressBar(out io.Writer, terminal bool) *progressBar {
	return &progressBar{out: out, terminal: terminal, now: time.Now}
}

// show shows a step, unless one was shown within the interval.
func (b *progressBar) show(s move.Step) {
	now, every := b.now(), lineEvery
	if b.terminal {
		every = redrawEvery
	}
	if b.began.IsZero() {
		b.began = now
	}
	if s.Phase != b.phase.Phase || s.Kind != b.phase.Kind {
		b.phase, b.phaseFrom = s, now
	}
	b.last = s
	if now.Sub(b.shown) < every {
		return
	}
	b.shown = now
	b.draw(now)
}

// end draws the last step and ends the line.
func (b *progressBar) end() {
	if b.began.IsZero() {
		return
	}
	b.draw(b.now())
	if b.terminal {
		b.write("\n")
	}
}

func (b *progressBar) draw(now time.Time) {
	s := b.last
	title := fmt.Sprintf("%s %s", s.Phase, s.Kind)
	speed := b.speed(now)
	if !b.terminal {
		b.write(fmt.Sprintf("%s: %d of %d; %d %% of all%s\n", title, s.Done, s.Total, percent(s), speed))
		return
	}
	full := barWidth * percent(s) / 100
	b.write(fmt.Sprintf("\r\x1b[K[%s%s] %3d %%  %s %d/%d%s", strings.Repeat("#", full), strings.Repeat("-", barWidth-full),
		percent(s), title, s.Done, s.Total, speed))
}

func percent(s move.Step) int {
	if s.WorkTotal == 0 {
		return 100
	}
	return 100 * s.WorkDone / s.WorkTotal
}

// speed returns the number of entities of this kind a second, and the time that the rest of
// the move takes at the average speed so far.
func (b *progressBar) speed(now time.Time) (text string) {
	s := b.last
	if took := now.Sub(b.phaseFrom); took >= time.Second {
		text = fmt.Sprintf(", %.0f/s", float64(s.Done-b.phase.Done)/took.Seconds())
	}
	if took := now.Sub(b.began); took >= time.Second && s.WorkDone > 0 && s.WorkDone < s.WorkTotal {
		rest := time.Duration(float64(took) / float64(s.WorkDone) * float64(s.WorkTotal-s.WorkDone))
		text += fmt.Sprintf(", %s left", rest.Round(time.Second))
	}
	return text
}

// write writes a text. An error does not stop the move.
func (b *progressBar) write(text string) { _, _ = io.WriteString(b.out, text) }
