// Package picture draws a screen of cells, as a terminal emulator holds it, as
// an SVG that stands alone: no script, no font, no reference to anything else.
// The same cells give the same bytes.
//
// Nothing depends on the font that a reader has. Each run of text is stretched
// to exactly its cells, a character beyond ASCII stands in the middle of its
// own, and lines, corners, blocks of color and underlines are drawn, not
// written. Start at SVG. The program does not link it: the pictures in docs/
// are drawn by its test.
package picture
