package store

import (
	"bytes"
	"slices"
	"sync"

	"moot/state"
)

// Memory is a session without a file: the same lines, kept in memory only. The
// zero Memory is empty and ready. Its methods may be called from several
// goroutines.
type Memory struct {
	mutex  sync.Mutex
	writer *writer
	events []state.Event
	lines  []string
}

// Append keeps events as one unit under the rules of File.Append.
func (m *Memory) Append(events []state.Event) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.writer == nil {
		m.writer = newWriter(newChain())
	}
	text, after, err := m.writer.encode(events)
	if err != nil {
		return err
	}
	m.writer.chain = after
	m.events = append(m.events, events...)
	for raw := range bytes.Lines(text) {
		m.lines = append(m.lines, string(bytes.TrimSuffix(raw, []byte("\n"))))
	}
	return nil
}

// Events returns what was appended, in order.
func (m *Memory) Events() []state.Event {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return slices.Clone(m.events)
}

// Lines returns the lines that a file would hold, without their newlines;
// Import makes a file of them.
func (m *Memory) Lines() []string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return slices.Clone(m.lines)
}

// Head returns the hash of the last line, 64 zeros before the first.
func (m *Memory) Head() string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.writer == nil {
		return newChain().head
	}
	return m.writer.chain.head
}
