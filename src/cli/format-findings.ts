import type { Finding } from '#boot/doctor/examine-instance.ts';

/** A line for each finding, its next step below it, and the counts at the end. */
export function formatFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, state, message, remedy }) => [
    `${state.padEnd(8)} ${check.padEnd(9)} ${message}`,
    ...(remedy === null ? [] : [`${' '.repeat(18)} → ${remedy}`]),
  ]);
  const count = (state: Finding['state']) => {
    const number = findings.filter((finding) => finding.state === state).length;
    return `${number} ${state}${number === 1 ? '' : 's'}`;
  };
  return [...lines, '', `${count('error')}, ${count('warning')}.`].join('\n');
}
