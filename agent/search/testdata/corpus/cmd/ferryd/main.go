// Command ferryd is the daemon of the job queue.
package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/ferry/internal/config"
	"example.com/ferry/internal/httpapi"
	"example.com/ferry/internal/lease"
	"example.com/ferry/internal/store"
)

// shutdownGrace is how long open requests may take after a signal.
const shutdownGrace = 20 * time.Second

func main() {
	if err := run(); err != nil {
		slog.Error("ferryd ends", "error", err)
		os.Exit(1)
	}
}

func run() error {
	settings, err := config.Load(os.Getenv("FERRY_CONFIG"))
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	db, err := store.Connect(ctx, settings.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	go lease.NewReaper(db, settings.Lease).Run(ctx)
	server := &http.Server{Addr: settings.Listen, Handler: httpapi.New(db, settings), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.Background(), shutdownGrace)
		defer cancel()
		_ = server.Shutdown(grace)
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
