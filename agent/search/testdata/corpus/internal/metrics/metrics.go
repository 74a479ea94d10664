// Package metrics counts what happens, for Prometheus.
package metrics

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

var (
	Pending = prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "ferry_jobs_pending"}, []string{"queue"})
	Dead    = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ferry_jobs_dead_total"}, []string{"queue"})
	// Latency is the time between a job being due and being claimed.
	Latency = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "ferry_claim_latency_seconds",
		Buckets: []float64{0.01, 0.05, 0.25, 1, 5, 30, 120},
	}, []string{"queue"})
)

// Handler serves the metrics.
func Handler() http.Handler { return promhttp.Handler() }
