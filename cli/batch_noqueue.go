//go:build nobatchqueue

package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"moot/queue"
)

// hasQueue says whether NATS is linked.
const hasQueue = false

// published bounds the sessions on a queue, which this program does not have.
const published = 1

func (o *batchOptions) openCarrier(context.Context, *queue.Folder, queue.Settings, *itemMaker) (remote, error) {
	return nil, errors.New("this moot was built without NATS (the tag nobatchqueue)")
}

func (o *queueOptions) examine(context.Context, *Console) error { return nil }

// queueCommands are the commands that need NATS.
func queueCommands(*Console) []*cobra.Command { return nil }
