package figure

// Legend says in words what the shapes and lines of the map mean.
func Legend(ascii bool) []Row { return nil }
