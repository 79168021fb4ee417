import { Command, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { CommandError } from '#lib/command-error.ts';
import { formatNames, type FormatName } from '#listing-files/listing.ts';
import { levels, type Level } from '#listing-lint/lint-rules.ts';
import { SetupError } from '#lib/setup-error.ts';
import { append, configName, examineFolder, write, type Examined } from './examine-folder.ts';
import { failWith } from './exit.ts';

interface LintOptions {
  tool?: FormatName;
  format: 'text' | 'json' | 'sarif' | 'github';
  config?: string;
  baseline?: string;
  writeBaseline: boolean;
  failOn: Level | 'never';
  output?: string;
  summary?: string;
  app?: string;
  url?: string;
  base?: string;
}

const exitCodes = { clean: 0, findings: 1, unusable: 2 };

export function lintCommand(): Command {
  return new Command('lint')
    .argument('[folder]', 'the folder of the listings, or one above it', '.')
    .description(
      'check the texts of listings in a repository; needs no server: limits, duplicates, ' +
        'policies, missing locales (docs/listing-files.md)',
    )
    .addOption(new Option('--tool <name>', 'read only the folders of a tool').choices(formatNames))
    .addOption(
      new Option('--format <format>', 'the form of the findings')
        .choices(['text', 'json', 'sarif', 'github'])
        .default('text'),
    )
    .option('--config <file>', `the configuration, ${configName} by default`)
    .option('--baseline <file>', 'report only findings that this file does not have')
    .option('--write-baseline', 'write the findings into the file of --baseline', false)
    .addOption(
      new Option('--fail-on <level>', 'exit with 1 from this level on')
        .choices([...levels, 'never'])
        .default('error'),
    )
    .option('--output <file>', 'write the findings into a file')
    .option('--summary <file>', 'append all findings as Markdown, such as "$GITHUB_STEP_SUMMARY"')
    .option('--app <app>', 'also compare with the tracked phrases of an app of a running instance')
    .option('--url <address>', 'the address that you open in a browser, instead of TOPRUNG_URL')
    .option(
      '--base <base>',
      'a folder or a commit: shows the phrases that a change gains and loses',
    )
    .action(async (folder: string, options: LintOptions) => {
      try {
        process.exitCode = await lint(folder, options);
      } catch (error) {
        if (!(error instanceof CommandError || error instanceof SetupError)) failWith(error);
        console.error(`toprung: ${error.message}`);
        process.exitCode = exitCodes.unusable;
      }
    });
}

async function lint(folder: string, options: LintOptions): Promise<number> {
  if (options.writeBaseline && options.baseline === undefined)
    throw new CommandError('Name the file with --baseline <file>.');
  const examined = await examineFolder(folder, options);
  const { findings, coverage } = examined;
  if (options.writeBaseline) {
    const { writeBaseline } = await import('#listing-lint/baseline.ts');
    await write(options.baseline!, writeBaseline(findings));
    console.log(`${options.baseline} has ${findings.length} findings.`);
    return exitCodes.clean;
  }
  const report = await formatReport(examined, options.format);
  if (options.output !== undefined) await write(options.output, `${report}\n`);
  else if (report !== '') console.log(report);
  if (options.summary !== undefined) {
    const { summarize } = await import('#listing-lint/reports/report-github.ts');
    await append(options.summary, summarize(findings));
    const { summarizeCoverage } = await import('#listing-lint/reports/report-coverage.ts');
    if (coverage) await append(options.summary, summarizeCoverage(coverage));
  }
  const failing = options.failOn === 'never' ? -1 : levels.indexOf(options.failOn);
  return findings.some(({ level }) => levels.indexOf(level) <= failing)
    ? exitCodes.findings
    : exitCodes.clean;
}

export async function formatReport(
  { findings, listings, coverage }: Examined,
  form: LintOptions['format'],
): Promise<string> {
  switch (form) {
    case 'json':
      return JSON.stringify({ listings, findings, ...(coverage && { coverage }) }, null, 2);
    case 'sarif':
      return (await import('#listing-lint/reports/report-sarif.ts')).reportSarif(
        findings,
        packageJson.version,
      );
    case 'github':
      return (await import('#listing-lint/reports/report-github.ts')).reportGithub(findings);
    case 'text': {
      const { reportText } = await import('#listing-lint/reports/report-text.ts');
      const { reportCoverage } = await import('#listing-lint/reports/report-coverage.ts');
      const text = reportText(findings, listings);
      return coverage ? `${text}\n\n${reportCoverage(coverage)}` : text;
    }
  }
}
