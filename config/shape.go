package config

import (
	"reflect"
	"slices"
	"strings"
)

// manyKeys is the longest list of keys that is told.
const manyKeys = 16

// Keys are those of a table that is read into a struct, in their order.
func Keys(form any) []string { return keysOf(reflect.TypeOf(form)) }

func keysOf(t reflect.Type) []string {
	var names []string
	for _, f := range fieldsOf(t) {
		names = append(names, f.Tag.Get("toml"))
	}
	return names
}

// fieldsOf are the fields that keys of a table are read into; none for what is no
// table, or one with names of the person's own.
func fieldsOf(t reflect.Type) []reflect.StructField {
	t = item(t)
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	var fields []reflect.StructField
	for i := range t.NumField() {
		f := t.Field(i)
		switch tag := f.Tag.Get("toml"); {
		case f.Anonymous && tag == "":
			fields = append(fields, fieldsOf(f.Type)...)
		case tag != "" && tag != "-":
			fields = append(fields, f)
		}
	}
	return fields
}

// item is the type of one, where a type is that of a list of them or points to one.
func item(t reflect.Type) reflect.Type {
	for t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer) {
		t = t.Elem()
	}
	return t
}

// typeAt is the type of what stands at a path of a form; nil for nothing.
func typeAt(form reflect.Type, path []string) reflect.Type {
	for _, name := range path {
		if form = item(form); form == nil {
			return nil
		}
		if form.Kind() == reflect.Map {
			form = form.Elem()
			continue
		}
		field := fieldOf(fieldsOf(form), name)
		if field == nil {
			return nil
		}
		form = field.Type
	}
	return form
}

// fieldOf is the field that a key is read into, nil for none. The decoder does not mind
// capitals either.
func fieldOf(fields []reflect.StructField, key string) *reflect.StructField {
	for i := range fields {
		if strings.EqualFold(fields[i].Tag.Get("toml"), key) {
			return &fields[i]
		}
	}
	return nil
}

// headed is the heading of a table, as it is written.
func headed(form reflect.Type, path []string) string {
	if typeAt(form, path).Kind() == reflect.Slice {
		return "[[" + dotted(path) + "]]"
	}
	return "[" + dotted(path) + "]"
}

// tablesWith says where a key belongs: in the tables below a path that have it.
func tablesWith(form reflect.Type, path []string, key string) []string {
	if len(path) == deepest {
		return nil
	}
	var found []string
	names := keysOf(typeAt(form, path))
	if slices.Contains(names, key) {
		where := "at the top of the file"
		if len(path) > 0 {
			where = "in " + headed(form, path)
		}
		found = append(found, where)
	}
	for _, name := range names {
		found = append(found, tablesWith(form, append(slices.Clone(path), name), key)...)
	}
	return found
}

// described says what a value of a type is, as in "weight is a number, without
// quotes"; path is where it stands.
func described(t reflect.Type, path string) string {
	if t == nil {
		return "a value of another type"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return described(t.Elem(), path)
	case reflect.String:
		return "a text in quotes"
	case reflect.Bool:
		return "true or false, without quotes"
	case reflect.Float64:
		return "a number, without quotes"
	case reflect.Int:
		return "a whole number, without quotes"
	case reflect.Map:
		return "a table of names, each with " + described(t.Elem(), path) + ": put them below [" + path + "]"
	case reflect.Struct:
		return "a table: put its keys below [" + path + "]"
	case reflect.Slice:
		switch item(t).Kind() {
		case reflect.Struct:
			return "a list: begin each with [[" + path + "]]"
		case reflect.String:
			return `a list of texts, such as ["first", "second"]`
		case reflect.Float64:
			return "a list of numbers, such as [0.5, 1]"
		case reflect.Int:
			return "a list of whole numbers, such as [1, 2]"
		}
		return "a list"
	}
	return "a value"
}
