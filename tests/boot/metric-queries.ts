import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A PromQL query of an alert rule or of the dashboard, with the labels that its texts show. */
export interface MetricQuery {
  /** The alert or the panel. */
  name: string;
  text: string;
  shownLabels: string[];
}

export const opsFolder = fileURLToPath(new URL('../../ops/', import.meta.url));

const rule =
  /- alert: (\w+)\n +expr: (?:>-\n)?([\s\S]+?)\n +(?:for|labels):([\s\S]+?)(?=- alert|$)/g;

export async function readAlertQueries(): Promise<MetricQuery[]> {
  const text = await readFile(`${opsFolder}prometheus/alerts.yml`, 'utf8');
  return [...text.matchAll(rule)].map(([, name = '', expr = '', details = '']) => ({
    name,
    text: expr,
    shownLabels: namesIn(details, /\$labels\.(\w+)/g),
  }));
}

interface Dashboard {
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
}

/** With the values that Grafana puts into its variables. */
export async function readDashboardQueries(): Promise<MetricQuery[]> {
  const text = await readFile(`${opsFolder}grafana/toprung.json`, 'utf8');
  return (JSON.parse(text) as Dashboard).panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({
      name: title,
      text: expr.replaceAll('$job', '.*').replaceAll('$__rate_interval', '1m'),
      shownLabels: namesIn(legendFormat, /\{\{(\w+)\}\}/g),
    })),
  );
}

/** The labels of each metric in Prometheus' text format. */
export function readMetricLabels(metrics: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of metrics.matchAll(/^(\w+)(?:\{([^}]*)\})? \S+$/gm)) {
    const known = found.get(name) ?? new Set<string>();
    for (const label of namesIn(labels, /(\w+)="/g)) known.add(label);
    found.set(name, known);
  }
  return found;
}

/** Labels that Prometheus adds to every scraped series. */
const addedLabels = ['job', 'instance'];

/** The metrics and labels of a query that no scraped series has. */
export function findUnknownNames(
  { text, shownLabels }: MetricQuery,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const metrics = namesIn(text, /\b(toprung_\w+)/g);
  const labels = [
    ...shownLabels,
    ...namesIn(text, /[{,]\s*(\w+)\s*(?:=|!=|=~|!~)\s*"/g),
    ...namesIn(text, /\b(?:by|on|without|ignoring) \(([^)]+)\)/g).flatMap((list) =>
      list.split(',').map((name) => name.trim()),
    ),
  ];
  const knownLabels = new Set([
    ...addedLabels,
    ...metrics.flatMap((name) => [...(known.get(name) ?? [])]),
  ]);
  return [
    ...metrics.filter((name) => !known.has(name)),
    ...labels.filter((name) => !knownLabels.has(name)),
  ];
}

const namesIn = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name]) => name!)),
];
