import { printable } from '#lib/text.ts';
import type { Finding } from '../finding.ts';
import { countLevels } from './report-text.ts';
import type { Level } from '../lint-rules.ts';

/** GitHub shows ten of each level in a step and drops the others without a word. */
const maxAnnotations = 10;
const commands: Readonly<Record<Level, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/** Annotations of the worst findings, ten at most, the last of which counts the others. */
export function reportGithub(findings: readonly Finding[]): string {
  const isLonger = findings.length > maxAnnotations;
  const shown = findings.slice(0, isLonger ? maxAnnotations - 1 : maxAnnotations);
  const lines = shown.map(
    ({ level, file, line, rule, message }) =>
      `::${commands[level]} file=${property(file)},line=${line},title=${property(rule)}::${data(message)}`,
  );
  const others = findings.length - shown.length;
  if (isLonger) lines.push(`::notice::${others} more findings are in the summary of the job.`);
  return lines.join('\n');
}

/** A command of the runner is one line. */
const data = (text: string): string => printable(text).replaceAll('%', '%25');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** GitHub shows nothing of a summary above 1 MiB. */
const maxSummaryBytes = 900_000;

/** All findings as Markdown for the summary of the job. */
export function summarize(findings: readonly Finding[]): string {
  const head = `### Listing texts\n\n${countLevels(findings)}\n`;
  if (findings.length === 0) return head;
  const rows: string[] = [];
  let bytes = head.length;
  for (const { level, file, line, rule, message } of findings) {
    const row = `| ${level} | ${cell(`${file}:${line}`)} | ${cell(message)} | ${rule} |`;
    bytes += Buffer.byteLength(row) + 1;
    if (bytes > maxSummaryBytes) break;
    rows.push(row);
  }
  const others = findings.length - rows.length;
  return [
    head,
    '| level | file | finding | rule |',
    '|---|---|---|---|',
    ...rows,
    ...(others > 0 ? ['', `${others} more findings did not fit.`] : []),
    '',
  ].join('\n');
}

/** Texts of a listing are shown as texts: no markup, no link, no mention. */
export const cell = (text: string): string =>
  printable(text)
    .replace(/[\\`*_[\]<>|@#&!~]/g, (mark) => `&#${mark.codePointAt(0)};`)
    .replace(/\s+/g, ' ');
