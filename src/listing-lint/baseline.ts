import { z } from 'zod';
import { CommandError } from '#lib/command-error.ts';
import type { Finding } from './finding.ts';

const baseline = z.strictObject({
  version: z.literal(1),
  /** By rule, file and locale, the number of known findings. Their texts may change. */
  known: z.record(z.string().max(1_000), z.int().min(1).max(10_000)),
});
export type Baseline = z.output<typeof baseline>['known'];

/** A key without the text, so that an edit that cures nothing stays known. */
export const keyOf = ({ rule, file, locale, field }: Finding): string =>
  [rule, file, locale ?? '', field ?? ''].join(' ');

export function writeBaseline(findings: readonly Finding[]): string {
  const known: Baseline = {};
  for (const key of findings.map(keyOf).toSorted()) known[key] = (known[key] ?? 0) + 1;
  return `${JSON.stringify({ version: 1, known }, null, 2)}\n`;
}

/** Throws CommandError for a file that this program has not written. */
export function readBaseline(file: string, text: string): Baseline {
  try {
    return baseline.parse(JSON.parse(text)).known;
  } catch {
    throw new CommandError(
      `${file} is not a baseline. Write a new one with toprung lint --write-baseline.`,
    );
  }
}

/** The findings that the baseline does not have. */
export function withoutKnown(findings: readonly Finding[], known: Baseline): Finding[] {
  const left = new Map(Object.entries(known));
  return findings.filter((finding) => {
    const key = keyOf(finding);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}
