import { printable } from '#lib/text.ts';
import type { Finding } from '../finding.ts';
import { levels, type Level } from '../lint-rules.ts';

/** A line for each finding, and the counts at the end. */
export function reportText(findings: readonly Finding[], listings: number): string {
  const lines = findings.map(
    ({ level, rule, file, line, message }) =>
      `${level.padEnd(7)} ${printable(file)}:${line}  ${printable(message)} [${rule}]`,
  );
  const end = `${countLevels(findings)} in ${listings} ${listings === 1 ? 'listing' : 'listings'}.`;
  return [...lines, ...(lines.length > 0 ? [''] : []), end].join('\n');
}

const plural: Readonly<Record<Level, [string, string]>> = {
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  info: ['note', 'notes'],
};

/** `1 error, 2 warnings, 0 notes`. */
export function countLevels(findings: readonly Finding[]): string {
  return levels
    .map((level) => {
      const count = findings.filter((finding) => finding.level === level).length;
      return `${count} ${plural[level][count === 1 ? 0 : 1]}`;
    })
    .join(', ');
}
