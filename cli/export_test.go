package cli

import "context"

// CopyText is copyText, for a process whose environment a script has set.
func CopyText(ctx context.Context, c *Console, text string) (string, error) {
	return c.copyText(ctx, text)
}
