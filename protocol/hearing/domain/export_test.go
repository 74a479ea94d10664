package domain

// IDs returns the ids of all rules.
func (r *Rules) IDs() []string {
	var ids []string
	for i := range r.file.Findings {
		ids = append(ids, r.file.Findings[i].ID)
	}
	for i := range r.file.Covers {
		ids = append(ids, r.file.Covers[i].ID)
	}
	for i := range r.file.Relations {
		ids = append(ids, r.file.Relations[i].ID)
	}
	return ids
}
