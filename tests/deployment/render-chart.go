// Renders a chart as `helm template` does, with the same two libraries: text/template and sprig.
// Helm's own additions are the functions and objects below. Debian has no package of Helm.
//
//	render-chart <chart> <release> <namespace> < values.yaml
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

func main() {
	chart, release, namespace := os.Args[1], os.Args[2], os.Args[3]
	given, err := io.ReadAll(os.Stdin)
	check(err)
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root))
	for _, path := range paths {
		_, err := root.New(filepath.Base(path)).Parse(string(read(path)))
		check(err)
	}
	metadata := parse(read(filepath.Join(chart, "Chart.yaml")))
	defaults := parse(read(filepath.Join(chart, "values.yaml")))
	scope := values{
		"Values":  merge(defaults, parse(given)),
		"Chart":   values{"Name": metadata["name"], "Version": metadata["version"], "AppVersion": metadata["appVersion"]},
		"Release": values{"Name": release, "Namespace": namespace, "Service": "Helm", "IsInstall": true, "IsUpgrade": false, "Revision": 1},
		"Capabilities": values{"KubeVersion": values{"Version": "v1.30.0", "Major": "1", "Minor": "30"}},
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		scope["Template"] = values{"Name": "templates/" + name, "BasePath": "templates"}
		var out bytes.Buffer
		check(root.ExecuteTemplate(&out, name, scope))
		fmt.Printf("---\n# Source: %s\n%s\n", name, strings.ReplaceAll(out.String(), "<no value>", ""))
	}
}

func functions(root *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	// Helm removes both, because a chart must not read the environment.
	delete(all, "env")
	delete(all, "expandenv")
	all["include"] = func(name string, data interface{}) (string, error) {
		var out strings.Builder
		err := root.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf(message)
		}
		return value, nil
	}
	all["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	all["toJson"] = func(value interface{}) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	}
	return all
}

// Null removes a default, as in Helm.
func merge(defaults, given values) values {
	for key, value := range given {
		inner, isMap := value.(values)
		outer, wasMap := defaults[key].(values)
		switch {
		case value == nil:
			delete(defaults, key)
		case isMap && wasMap:
			defaults[key] = merge(outer, inner)
		default:
			defaults[key] = value
		}
	}
	return defaults
}

func parse(text []byte) values {
	parsed := values{}
	check(yaml.Unmarshal(text, &parsed))
	return parsed
}

func read(path string) []byte {
	text, err := os.ReadFile(path)
	check(err)
	return text
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
