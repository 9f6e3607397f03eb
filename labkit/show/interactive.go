package show

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// How long Explore waits, each for a reason of its own. Tests shorten them.
var (
	answerLimit = 10 * time.Second       // for the page to answer at first
	beatLimit   = 30 * time.Second       // for another sign of life
	hiddenLimit = 90 * time.Second       // the same of a hidden page: browsers wake it once a minute
	leaveLimit  = 6 * time.Second        // the same of a page that is being left, unless its reader thinks better of it
	touchLimit  = time.Minute            // for a first touch, when the first measurement is over
	idleLimit   = 30 * time.Minute       // for another touch
	settleTime  = 250 * time.Millisecond // after a change, before measuring: a slider passes many values
)

// Why a panel was left, as its reader is told.
const (
	whyClosed   = "The panel was closed. Run the cell again to go on."
	whyGone     = "The page was closed, or did not answer any more. Run the cell again to go on."
	whyUntouch  = "Nobody has touched the panel for a minute, so that later cells can run. Run this cell again to explore."
	whyIdle     = "Nobody has touched the panel for half an hour. Run the cell again to go on."
	whyStopped  = "The cell was interrupted. Run it again to go on."
	whyNoPage   = "There is no page that could move them: measured once, as the plan has them."
	whyNoAnswer = "The page does not answer, so the controls cannot be moved: measured once, as the plan has them. Widgets need a page that runs the scripts of GoNB, such as JupyterLab's, at a server without TLS and without a path of its own."
)

// session is one panel while it is open.
type session[T any] struct {
	*explorer[T]
	panel  *panel
	live   *Live
	values map[string]string

	dir     string             // of the last measurement; "" before the first
	cancel  context.CancelFunc // stops the one that runs; nil if none does
	done    chan error         // gets its end
	pending bool               // another one is to begin when it has ended

	seq     int           // of the last event that counted
	heard   time.Time     // when the page last gave a sign of life
	patient time.Duration // how long to wait for another
	touched time.Time     // when the reader last did something; zero if never
	settled time.Time     // when the first measurement was over; zero if it is not
}

// interactive opens the panel and serves it until it is left.
func (x *explorer[T]) interactive(ctx context.Context, values map[string]string) {
	s := &session[T]{explorer: x, panel: openPanel(x.controls, values), values: values, done: make(chan error, 1), heard: time.Now()}
	s.say("Waiting for the page to answer.")
	select {
	case <-s.panel.events:
	case <-ctx.Done():
		s.leave(whyStopped)
		return
	case <-time.After(answerLimit):
		gonbui.UpdateHTML(s.status(), "")
		s.panel.close(values, "")
		x.once(ctx, whyNoAnswer)
		return
	}
	s.live = &Live{id: s.panel.id + "-live"}
	why := s.serve(ctx)
	s.stop()
	if s.cancel != nil {
		<-s.done
	}
	os.RemoveAll(s.dir)
	s.leave(why)
}

// serve does what the page says until something ends the panel, and returns why.
func (s *session[T]) serve(ctx context.Context) (why string) {
	s.hear(event{})
	tick := time.NewTicker(min(time.Second, beatLimit/4))
	defer tick.Stop()
	due := time.After(0)
	for {
		select {
		case <-ctx.Done():
			return whyStopped
		case e := <-s.panel.events:
			s.hear(e)
			switch e.What {
			case "beat", "leaving":
			case "close":
				return whyClosed
			default:
				if wait := s.do(e); wait >= 0 {
					due = time.After(wait)
				}
			}
		case <-due:
			s.begin(ctx)
		case err := <-s.done:
			s.ended(ctx, err)
		case now := <-tick.C:
			if why := s.tired(now); why != "" {
				return why
			}
		}
	}
}

// hear takes a sign of life.
func (s *session[T]) hear(e event) {
	s.heard, s.patient = time.Now(), beatLimit
	switch {
	case e.What == "leaving":
		s.patient = leaveLimit
	case e.Hidden:
		s.patient = hiddenLimit
	}
}

// do does what a control or a button says, and returns how long to wait before
// measuring: below zero if nothing is to be measured.
func (s *session[T]) do(e event) (wait time.Duration) {
	s.touched = time.Now()
	stale := e.Seq <= s.seq // overtaken by a later one
	s.seq = max(s.seq, e.Seq)
	switch {
	case e.What == "stop":
		s.pending = false
		s.stop()
	case e.What == "save":
		s.save()
	case e.What == "again":
		s.stop()
		return 0
	case e.What == "set" && !stale && !maps.Equal(s.values, e.Values):
		s.values = e.Values
		s.stop()
		return settleTime
	}
	return -1
}

// tired says why the panel should not wait any longer, "" if it should.
func (s *session[T]) tired(now time.Time) string {
	switch {
	case now.Sub(s.heard) > s.patient:
		return whyGone
	case s.touched.IsZero() && !s.settled.IsZero() && now.Sub(s.settled) > touchLimit:
		return whyUntouch
	case !s.touched.IsZero() && s.cancel == nil && now.Sub(s.touched) > idleLimit:
		return whyIdle
	}
	return ""
}

// begin measures what the panel says, at once or when what runs has ended.
func (s *session[T]) begin(ctx context.Context) {
	if s.cancel != nil {
		s.pending = true
		return
	}
	plan, err := s.changed(s.values)
	if err != nil {
		s.say(err.Error())
		return
	}
	if err := s.newFolder(); err != nil {
		s.say(err.Error())
		return
	}
	ctx, s.cancel = context.WithCancel(ctx)
	go func(dir string) {
		bar := &Bar{title: "Measuring", clock: labkit.Monotonic, output: &cellOutput{id: s.status()}}
		bar.start = bar.clock()
		round := 1
		_, err := s.measure(ctx, plan, dir, func(p labkit.Progress) {
			bar.Step(p)
			if p.Round > round { // the one before is complete
				round = p.Round
				_ = s.redraw(dir)
			}
		})
		if ctx.Err() == nil {
			err = errors.Join(err, s.redraw(dir))
		}
		s.done <- err
	}(s.dir)
}

// newFolder makes the folder of the next measurement, beside that of the run: on
// the same disk, and where it notices others that measure at the same time.
func (s *session[T]) newFolder() error {
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
	folder, name := filepath.Split(s.explorer.dir)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(folder, "."+name+"-*")
	s.dir, s.live.Dir = dir, dir
	return err
}

// redraw draws what has been measured in a folder, if there is anything.
func (s *session[T]) redraw(dir string) error {
	run := soFar(dir)
	if run == nil {
		return nil
	}
	s.live.begin()
	err := s.draw(s.live, run)
	s.live.end()
	return err
}

// stop stops what runs: done gets its end.
func (s *session[T]) stop() {
	if s.cancel != nil {
		s.cancel()
	}
}

// ended tells how a measurement ended, and begins the next one if it must.
func (s *session[T]) ended(ctx context.Context, err error) {
	s.cancel()
	s.cancel = nil
	if s.settled.IsZero() {
		s.settled = time.Now()
	}
	switch {
	case s.pending:
		s.pending = false
		s.begin(ctx)
	case cancelled(err):
		s.say("Stopped. What is drawn is what was measured until then.")
	case err != nil:
		s.say("It failed: " + err.Error())
	default:
		s.say("Measured. Move a control to measure something else.")
	}
}

// save leaves what was measured as evidence in the run's folder.
func (s *session[T]) save() {
	switch {
	case s.cancel != nil:
		s.say("Still measuring: save when it has ended, or stop it first.")
		return
	case soFar(s.dir) == nil:
		s.say("Nothing has been measured yet that could be saved.")
		return
	}
	if err := evidence.Save(s.dir, s.explorer.dir); err != nil {
		s.say("Not saved: " + err.Error())
		return
	}
	s.say("Saved as evidence in " + s.explorer.dir + ".")
}

func (s *session[T]) status() string { return s.panel.id + "-status" }

// say shows one line below the panel.
func (s *session[T]) say(text string) {
	send(s.status(), bundle(raw{
		fmt.Sprintf(`<div role="status" style="%smargin:4px 0">%s</div>`, fontStyle, escape(text)), plain(text),
	}))
}

// leave puts the settings as text in the place of the panel.
func (s *session[T]) leave(why string) {
	gonbui.UpdateHTML(s.status(), "")
	s.panel.close(s.values, why)
}
