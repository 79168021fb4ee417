import { printable } from '#lib/text.ts';
import type { CountryCoverage } from '../coverage/cover-phrases.ts';
import { cell } from './report-github.ts';

const maxPhrases = 20;

const shorten = (phrases: readonly string[]): string[] =>
  phrases.length > maxPhrases
    ? [...phrases.slice(0, maxPhrases), `… and ${phrases.length - maxPhrases} more`]
    : [...phrases];

/** Lines for a terminal. */
export function reportCoverage(coverage: readonly CountryCoverage[]): string {
  return coverage
    .flatMap(({ country, total, before, after, gained, lost }) => [
      `${country}: the texts have all words of ${after} of ${total} tracked phrases` +
        `${before === null ? '' : `, ${before} before`}.`,
      ...shorten(gained).map((phrase) => `  + ${printable(phrase)}`),
      ...shorten(lost).map((phrase) => `  - ${printable(phrase)}`),
    ])
    .join('\n');
}

/** A Markdown table, with the phrases that a change gains and loses. */
export function summarizeCoverage(coverage: readonly CountryCoverage[]): string {
  const list = (phrases: readonly string[]) => shorten(phrases).map(cell).join('<br>');
  return [
    '### Tracked phrases with all words in the texts of a locale',
    '',
    '| country | before | after | of | gained | lost |',
    '|---|---:|---:|---:|---|---|',
    ...coverage.map(
      ({ country, total, before, after, gained, lost }) =>
        `| ${country} | ${before ?? '–'} | ${after} | ${total} | ${list(gained)} | ${list(lost)} |`,
    ),
    '',
  ].join('\n');
}
