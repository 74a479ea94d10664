package domain

import (
	"bytes"
	"strconv"

	"github.com/pelletier/go-toml/v2/unstable"
)

// takeTerms reads the tables [terms] and [company], whose lines are thousands, and
// returns the text without those lines, whose places are blank. For each key the
// decoder looks through all keys of its table: six thousand terms are eighteen
// million comparisons. Where anything but names with lists of whole numbers stands
// there, or a name stands twice, nothing is taken and the decoder tells what is wrong.
func takeTerms(data []byte) (taken map[string]map[string][]int, rest []byte) {
	taken = map[string]map[string][]int{"terms": {}, "company": {}}
	rest = bytes.Clone(data)
	var parser unstable.Parser
	parser.Reset(data)
	table := ""
	for parser.NextExpression() {
		e := parser.Expression()
		keys := e.Key()
		if !keys.Next() {
			return nil, data
		}
		name, alone := string(keys.Node().Data), keys.IsLast()
		switch {
		case e.Kind == unstable.Table && alone:
			table = name
		case e.Kind != unstable.KeyValue:
			table = ""
		case taken[table] != nil:
			if !alone || !takeTerm(taken[table], name, e.Value()) {
				return nil, data
			}
			blank(rest[e.Raw.Offset:][:e.Raw.Length])
		}
	}
	if parser.Error() != nil {
		return nil, data
	}
	return taken, rest
}

// takeTerm reads the list of a term; false where it is none of whole numbers as the
// program writes them, or the name is known.
func takeTerm(into map[string][]int, name string, value *unstable.Node) bool {
	if _, known := into[name]; known || value.Kind != unstable.Array {
		return false
	}
	numbers := []int{}
	for items := value.Children(); items.Next(); {
		item := items.Node()
		n, err := strconv.Atoi(string(item.Data))
		if item.Kind != unstable.Integer || err != nil || strconv.Itoa(n) != string(item.Data) {
			return false
		}
		numbers = append(numbers, n)
	}
	into[name] = numbers
	return true
}

// blank puts spaces into lines, which end where they ended.
func blank(text []byte) {
	for i, b := range text {
		if b != '\n' {
			text[i] = ' '
		}
	}
}
