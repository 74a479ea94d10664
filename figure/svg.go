package figure

// SVGStyle says how an SVG document looks.
type SVGStyle struct {
	// Dark draws light on dark.
	Dark bool
}

// SVG draws the whole map as an SVG document.
func (g *Graph) SVG(style SVGStyle) string { return "" }
