package figure

// SVG draws the chart as an SVG document.
func (c *Chart) SVG(style SVGStyle) string { return "" }
