import { z } from 'zod';
import { CommandError } from '#lib/command-error.ts';
import { printable } from '#lib/text.ts';
import { levels, ruleNames } from './lint-rules.ts';

const texts = z.array(z.string().min(1).max(100)).max(200);

export const lintConfig = z.strictObject({
  /** Words of this name are found without being in the keyword field. */
  developer: z.string().max(100).default(''),
  /** Words and phrases that policies would forbid and the brand has. */
  allow: texts.default([]),
  /** Locales that every listing of the folder must have. */
  locales: texts.default([]),
  /** Levels of rules; `off` runs a rule not at all. */
  rules: z.partialRecord(z.enum(ruleNames), z.enum([...levels, 'off'])).default({}),
  /** Findings to leave out, because a text file cannot have comments. */
  ignore: z
    .array(z.strictObject({ rule: z.enum(ruleNames), file: z.string().min(1).max(500) }))
    .max(1_000)
    .default([]),
});
export type LintConfig = z.output<typeof lintConfig>;

/** Reads `.toprung-lint.json`. Throws CommandError with the key that is wrong. */
export function readLintConfig(file: string, text: string): LintConfig {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandError(
      `${file} is not JSON: ${printable((error as Error).message)}. Correct it.`,
    );
  }
  const read = lintConfig.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const problem = `${issue!.path.join('.') || 'the file'}: ${issue!.message}`;
  throw new CommandError(`${file}: ${printable(problem)}. See docs/listing-files.md.`);
}
