package ledger

import "moot/internal/enum"

// EntityType is whether a fact is about a thing or about what lies between two.
type EntityType string

// The types of entities.
const (
	EntityNode EntityType = "node"
	EntityEdge EntityType = "edge"
)

// EntityTypes returns every EntityType.
func EntityTypes() []EntityType { return []EntityType{EntityNode, EntityEdge} }

// UnmarshalText refuses a word that is no EntityType.
func (t *EntityType) UnmarshalText(text []byte) error {
	return enum.Unmarshal("entity type", text, EntityTypes(), t)
}

// SourceType is the kind of source that a fact of a packet comes from.
type SourceType string

// The types of sources.
const (
	SourceNetflow     SourceType = "netflow"
	SourceSyslog      SourceType = "syslog"
	SourceProcessList SourceType = "process_list"
	SourceDNSLog      SourceType = "dns_log"
	SourceAuthLog     SourceType = "auth_log"
	SourceGraph       SourceType = "graph_computation"
	SourceManual      SourceType = "manual"
	SourceUnknown     SourceType = "unknown"
)

// SourceTypes returns every SourceType.
func SourceTypes() []SourceType {
	return []SourceType{
		SourceNetflow, SourceSyslog, SourceProcessList, SourceDNSLog, SourceAuthLog, SourceGraph, SourceManual,
		SourceUnknown,
	}
}

// UnmarshalText refuses a word that is no SourceType.
func (t *SourceType) UnmarshalText(text []byte) error {
	return enum.Unmarshal("source type", text, SourceTypes(), t)
}
