import type { Finding, Rule, SourceText } from '#scripts/rules/source-tree.ts';

/** The findings of a rule for a file that only this test contains. */
export function evaluate(rule: Rule, path: string, text: string): string[] {
  return rule([{ path, text }]).map((finding) => finding.problem);
}

/** Findings as a person reads them in a failed test. */
export function print(findings: readonly Finding[]): string[] {
  return findings
    .filter((finding) => !finding.warning)
    .map(({ path, line, problem }) => `${path}:${line} ${problem}`);
}

export function inlineSource(path: string, text: string): SourceText {
  return { path, text };
}
