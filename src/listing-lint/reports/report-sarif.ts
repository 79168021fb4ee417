import type { Log, ReportingConfiguration, Run } from 'sarif';
import type { Finding } from '../finding.ts';
import { lintRules, ruleNames, type Level } from '../lint-rules.ts';
import { keyOf } from '../baseline.ts';

const sarifLevels: Readonly<Record<Level, ReportingConfiguration.level>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};
/** GitHub reads as many results of one run. */
const maxResults = 5_000;

/** SARIF 2.1.0. A fingerprint has no text, so an alert survives an edit that does not cure it. */
export function reportSarif(findings: readonly Finding[], version: string): string {
  const used = ruleNames.filter((name) => findings.some(({ rule }) => rule === name));
  const run: Run = {
    tool: {
      driver: {
        name: 'Toprung',
        version,
        rules: used.map((id) => ({
          id,
          shortDescription: { text: lintRules[id].summary },
          defaultConfiguration: { level: sarifLevels[lintRules[id].level] },
        })),
      },
    },
    automationDetails: { id: 'toprung-lint/' },
    results: findings.slice(0, maxResults).map((finding) => ({
      ruleId: finding.rule,
      ruleIndex: used.indexOf(finding.rule),
      level: sarifLevels[finding.level],
      message: { text: finding.message },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: finding.file.split('/').map(encodeURIComponent).join('/') },
            region: { startLine: finding.line },
          },
        },
      ],
      partialFingerprints: { 'toprungFinding/v1': keyOf(finding) },
    })),
  };
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return JSON.stringify(log, null, 2);
}
