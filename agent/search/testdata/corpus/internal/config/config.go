// Package config reads the daemon's settings from a YAML file and the
// environment, which wins.
package config

import (
	"fmt"
	"os"
	"time"

	"gopkg.in/yaml.v3"
)

// Settings is everything that can be configured.
type Settings struct {
	Listen    string   `yaml:"listen"`
	Database  Database `yaml:"database"`
	Lease     Lease    `yaml:"lease"`
	Webhook   Webhook  `yaml:"webhook"`
	Retention struct {
		DoneDays int `yaml:"done_days"`
	} `yaml:"retention"`
}

// Database says where the jobs are kept.
type Database struct {
	URL            string `yaml:"url"`
	MaxConnections int32  `yaml:"max_connections"`
}

// Lease says how leases are watched.
type Lease struct {
	ReapInterval time.Duration `yaml:"reap_interval"`
}

// Webhook says how receivers are told of finished jobs.
type Webhook struct {
	Keys    []string      `yaml:"keys"`
	Timeout time.Duration `yaml:"timeout"`
}

// Load reads the file, fills in defaults and applies FERRY_DATABASE_URL.
func Load(path string) (*Settings, error) {
	settings := &Settings{Listen: ":7070"}
	settings.Database.MaxConnections = 16
	settings.Retention.DoneDays = 14
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	if err := yaml.Unmarshal(text, settings); err != nil {
		return nil, fmt.Errorf("configuration %s: %w", path, err)
	}
	if url := os.Getenv("FERRY_DATABASE_URL"); url != "" {
		settings.Database.URL = url
	}
	return settings, nil
}
