package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/ledongthuc/pdf"
)

// browser is a tab of a real browser without a screen, with what it asked for and complained about.
type browser struct {
	t   *testing.T
	ctx context.Context
	dir string

	lock  sync.Mutex
	heard []string
}

// newBrowser starts Debian's Chromium, or the same browser under another name. Without one, the test is skipped.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("there is no Chromium on the PATH; install the package chromium")
	}
	dir := t.TempDir()
	profile, err := os.MkdirTemp("", "moot-browser-") //nolint:usetesting // removing that one fails if a file is written meanwhile
	if err != nil {
		t.Fatal(err)
	}
	// Its processes may write a moment longer than the browser runs.
	t.Cleanup(func() { _ = os.RemoveAll(profile) })
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(profile),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
	)
	allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	tab, closeTab := chromedp.NewContext(allocated)
	t.Cleanup(closeTab)
	b := &browser{t: t, ctx: tab, dir: dir}
	if err := chromedp.Listen(tab, b.hear); err != nil {
		t.Fatal(err)
	}
	_, err = chromedp.Call(tab, network.Enable, network.EnableParams{})
	if err == nil {
		_, err = chromedp.Call(tab, log.Enable, cdp.Empty{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// hear notes what a page must not do: ask for anything but itself, open a dialog, or make the browser complain.
func (b *browser) hear(event any) {
	said := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "file://"+b.dir) {
			said = "a request for " + e.Request.URL
		}
	case *cdpage.EventJavascriptDialogOpening:
		said = "a dialog: " + e.Message
	case *log.EventEntryAdded:
		said = "the browser says: " + e.Entry.Text
	case *runtime.EventExceptionThrown:
		said = "an exception: " + e.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		said = "the console was used"
	}
	if said != "" {
		b.lock.Lock()
		b.heard = append(b.heard, said)
		b.lock.Unlock()
	}
}

// do runs steps within a time that only a browser that hangs exceeds.
func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// ask evaluates an expression in the page.
func ask[T any](b *browser, expression string) T {
	b.t.Helper()
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return got
}

// open shows a page in a size and a color scheme. A page that is shown again is loaded again.
func (b *browser) open(page string, size [2]int64, scheme, media string) {
	b.t.Helper()
	path := filepath.Join(b.dir, "page.html")
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		b.t.Fatal(err)
	}
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media, Features: features}); err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(size[0], size[1]), chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+path))
}

// quiet fails if the page did what none may do.
func (b *browser) quiet() {
	b.t.Helper()
	b.lock.Lock()
	defer b.lock.Unlock()
	for _, said := range b.heard {
		if said != "a request for about:blank" {
			b.t.Error(said)
		}
	}
	b.heard = nil
}

// sizes are a phone and a desktop, in CSS pixels.
func sizes() map[string][2]int64 {
	return map[string][2]int64{"phone": {360, 800}, "desktop": {1440, 900}}
}

// unfold opens all claims.
const unfold = `document.querySelectorAll("details").forEach(d => { d.open = true })`

// A page fits its window, begins with the answer, and does nothing that a page could be blamed for.
func TestAPageInABrowser(t *testing.T) {
	b := newBrowser(t)
	all := pages(t)
	for _, width := range []int64{360, 768, 1440, 1600} {
		for name, events := range all {
			if width > 360 && name != "consult" {
				continue // The narrow page breaks first.
			}
			b.open(shared(t, events), [2]int64{width, 800}, "light", "")
			for _, step := range []string{`0`, unfold} {
				ask[int](b, "("+step+", 0)")
				if wide := ask[[2]int](b, `[document.documentElement.scrollWidth, document.documentElement.clientWidth]`); wide[0] > wide[1] {
					t.Errorf("%s is %d pixels wide in a window of %d: %v", name, wide[0], wide[1], ask[[]string](b, overflowing))
				}
			}
			b.quiet()
		}
	}
	for size, pixels := range sizes() {
		b.open(shared(t, all["consult"]), pixels, "light", "")
		bottom := ask[float64](b, `document.querySelector("#answer .lead").getBoundingClientRect().bottom`)
		if bottom > float64(pixels[1]) {
			t.Errorf("%s: the answer ends at %.0f pixels, below the first screen", size, bottom)
		}
	}
}

// overflowing lists elements that are wider than the window.
const overflowing = `[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 &&
	!e.closest(".contents, svg")).slice(0, 5).map(e => e.tagName + "." + e.getAttribute("class") + " " + e.textContent.slice(0, 40))`

// A page of hostile texts runs no script, loads nothing and breaks no layout.
func TestAHostilePageInABrowser(t *testing.T) {
	b := newBrowser(t)
	for name, events := range pages(t) {
		page := shared(t, poisoned(t, events))
		for size, pixels := range sizes() {
			if size == "desktop" && name != "consult" {
				continue // The narrow page breaks first.
			}
			b.open(page, pixels, "light", "")
			ask[int](b, "("+unfold+", 0)")
			// What could react is focused, hovered and clicked.
			ask[int](b, `([...document.querySelectorAll("a, summary, input")].slice(0, 120).forEach(e => { e.focus();
				e.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true})); e.dispatchEvent(new Event("mouseover")) }), 0)`)
			if wide := ask[[2]int](b, `[document.documentElement.scrollWidth, document.documentElement.clientWidth]`); wide[0] > wide[1] {
				t.Errorf("%s on a %s is %d pixels wide: %v", name, size, wide[0], ask[[]string](b, overflowing))
			}
			if n := ask[int](b, `document.querySelectorAll("img, iframe, base, form, object, link, script:not(:last-of-type)").length`); n > 0 {
				t.Errorf("%s: %d elements came from texts", name, n)
			}
			b.quiet()
		}
	}
}

// Tab reaches each link, claim and choice once, in the order of the page, and what has the focus is visible.
func TestTheKeyboardReachesEverything(t *testing.T) {
	b := newBrowser(t)
	b.open(shared(t, pages(t)["consult"]), sizes()["desktop"], "light", "")
	want := ask[[]string](b, `[...document.querySelectorAll("a[href], summary, input, [tabindex='0']")].filter(e => e.checkVisibility({contentVisibilityAuto: true}) &&
		(e.type !== "radio" || e.checked)).map((e, i) => { e.dataset.at = String(i); return e.textContent.trim().slice(0, 30) })`)
	for i := range want {
		b.do(chromedp.KeyEvent(kb.Tab))
		got := ask[[3]string](b, `(() => { const e = document.activeElement, r = e.getBoundingClientRect();
			const seen = r.width > 0 && r.bottom > 0 && r.top < innerHeight && r.right > 0;
			return [e.dataset.at || e.tagName, String(seen), e.textContent.trim().slice(0, 30)] })()`)
		if got[0] != fmt.Sprint(i) || got[1] != "true" {
			t.Fatalf("tab %d is at %q (seen: %s), want %q", i, got[2], got[1], want[i])
		}
	}
	// Enter unfolds a claim, and the keys of the script move.
	ask[int](b, `(document.querySelector("#claims summary").focus(), 0)`)
	b.do(chromedp.KeyEvent(kb.Enter))
	if !ask[bool](b, `document.querySelector("#claims details").open`) {
		t.Error("enter does not unfold a claim")
	}
	b.do(chromedp.KeyEvent("j"))
	if ask[string](b, `document.activeElement.tagName`) != "SUMMARY" {
		t.Error("j does not move to the next claim")
	}
	b.do(chromedp.KeyEvent("]"), chromedp.KeyEvent("]"))
	if n := ask[int](b, visibleRounds); n != 1 {
		t.Errorf("] shows %d rounds, want 1", n)
	}
	b.quiet()
}

const visibleRounds = `[...document.querySelectorAll(".round")].filter(e => e.checkVisibility()).length`

// Without script everything is there: claims unfold by a link to them, and the rounds are chosen by CSS.
func TestAPageWithoutScript(t *testing.T) {
	b := newBrowser(t)
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	page := shared(t, pages(t)["consult"])
	b.open(page, sizes()["phone"], "light", "")
	rounds := strings.Count(page, `<section class="round`)
	if n := ask[int](b, visibleRounds); n != rounds || rounds < 3 {
		t.Errorf("%d of %d rounds are visible", n, rounds)
	}
	if ask[bool](b, `document.querySelector(".slider").checkVisibility()`) {
		t.Error("the slider is shown, and does nothing without script")
	}
	at := ask[[2]float64](b, `(() => { const e = document.getElementById("show-2"); e.scrollIntoView({block: "center"});
		const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`)
	b.do(chromedp.MouseClickXY(at[0], at[1]))
	if n := ask[int](b, visibleRounds); n != 1 {
		t.Errorf("the choice of round 2 shows %d rounds", n)
	}
	b.do(chromedp.Navigate("file://" + filepath.Join(b.dir, "page.html") + "#P3"))
	if !ask[bool](b, `document.getElementById("P3").checkVisibility({contentVisibilityAuto: true})`) {
		t.Error("a link to P3 does not unfold it")
	}
	ask[int](b, "("+unfold+", 0)")
	hidden := ask[[]string](b, `[...document.querySelectorAll("main *")].filter(e => !e.children.length && e.textContent.trim() &&
		!e.checkVisibility({contentVisibilityAuto: true}) && !e.closest("[hidden], .round, svg")).map(e => e.outerHTML.slice(0, 80))`)
	if len(hidden) > 0 {
		t.Errorf("hidden without script: %q", hidden)
	}
	b.quiet()
}

// Print has the text of what is folded, and no controls.
func TestAPrintedPage(t *testing.T) {
	b := newBrowser(t)
	page := shared(t, pages(t)["consult"])
	b.open(page, sizes()["desktop"], "dark", "")
	data, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
	if err != nil {
		t.Fatal(err)
	}
	document, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	for i := 1; i <= document.NumPage(); i++ {
		text, err := document.Page(i).GetPlainText(nil)
		if err != nil {
			t.Fatal(err)
		}
		printed.WriteString(text)
	}
	shown := strings.Join(strings.Fields(strings.ReplaceAll(printed.String(), "\n", "")), "")
	for _, text := range ask[[]string](b, `[...document.querySelectorAll("#claims .body dd span, #claims pre")].map(e => e.textContent)`) {
		if want := strings.Join(strings.Fields(text), ""); !strings.Contains(shown, want[:min(len(want), 20)]) {
			t.Errorf("the print lacks %q", text)
		}
	}
	b.open(page, sizes()["desktop"], "dark", "print")
	for _, selector := range []string{".contents", ".slider", ".rounds"} {
		if ask[bool](b, fmt.Sprintf(`document.querySelector(%q).checkVisibility()`, selector)) {
			t.Errorf("%s is printed", selector)
		}
	}
	if dark := ask[string](b, `getComputedStyle(document.documentElement).backgroundColor`); dark != "rgb(255, 255, 255)" {
		t.Errorf("the paper is %s", dark)
	}
}

// A page has none of the problems that axe-core finds, in light and dark, folded and unfolded. MOOT_AXE is the path of
// its axe.min.js.
func TestAPageIsAccessible(t *testing.T) {
	path := os.Getenv("MOOT_AXE")
	if path == "" {
		t.Skip("MOOT_AXE is not set: the path of axe.min.js, from the npm package axe-core")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t)
	for name, events := range pages(t) {
		page := shared(t, events)
		for size, pixels := range sizes() {
			// Each page is in both sizes and both schemes. One is in all four.
			schemes := map[string][]string{"phone": {"light"}, "desktop": {"dark"}}[size]
			if name == "consult" {
				schemes = []string{"light", "dark"}
			}
			for _, scheme := range schemes {
				b.open(page, pixels, scheme, "")
				b.do(chromedp.Evaluate[chromedp.Void](string(axe)))
				for _, step := range []string{"0", unfold} {
					ask[int](b, "("+step+", 0)")
					found := ask[json.RawMessage](b, `axe.run().then(r => r.violations.map(v => [v.id,
						v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + n.failureSummary)]).concat(r.passes.length < 20 ? [["few rules ran"]] : []))`)
					if string(found) != "[]" {
						t.Errorf("%s, %s, %s: %s", name, size, scheme, found)
					}
				}
			}
		}
	}
}
