import { Command, Option } from 'commander';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { CommandError } from '#lib/command-error.ts';
import { formatNames, type FormatName } from '#listing-files/listing.ts';
import type { Finding } from '#listing-lint/finding.ts';
import { levels, type Level } from '#listing-lint/lint-rules.ts';
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
}

const exitCodes = { clean: 0, findings: 1, unusable: 2 };
const configName = '.toprung-lint.json';

export function lintCommand(): Command {
  return new Command('lint')
    .argument('[folder]', 'the folder of the listings, or one above it', '.')
    .description(
      'check the texts of listings in a repository, without a server: limits, duplicates, ' +
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
    .action(async (folder: string, options: LintOptions) => {
      try {
        process.exitCode = await lint(folder, options);
      } catch (error) {
        if (!(error instanceof CommandError)) failWith(error);
        console.error(`toprung: ${error.message}`);
        process.exitCode = exitCodes.unusable;
      }
    });
}

async function lint(folder: string, options: LintOptions): Promise<number> {
  if (options.writeBaseline && options.baseline === undefined)
    throw new CommandError('Name the file with --baseline <file>.');
  const { findings, listings } = await findAll(folder, options);
  if (options.writeBaseline) {
    const { writeBaseline } = await import('#listing-lint/baseline.ts');
    await write(options.baseline!, writeBaseline(findings));
    console.log(`${options.baseline} has ${findings.length} findings.`);
    return exitCodes.clean;
  }
  const report = await format(findings, listings, options.format);
  if (options.output !== undefined) await write(options.output, `${report}\n`);
  else if (report !== '') console.log(report);
  if (options.summary !== undefined) {
    const { summarize } = await import('#listing-lint/reports/report-github.ts');
    await append(options.summary, summarize(findings));
  }
  const failing = options.failOn === 'never' ? -1 : levels.indexOf(options.failOn);
  return findings.some(({ level }) => levels.indexOf(level) <= failing)
    ? exitCodes.findings
    : exitCodes.clean;
}

/** Paths of the findings are those from the current folder, as CI services expect them. */
async function findAll(
  folder: string,
  { tool, config: configFile, baseline, writeBaseline: isWritten }: LintOptions,
): Promise<{ findings: Finding[]; listings: number }> {
  const { readFolder } = await import('#listing-files/read-folder.ts');
  const { compareFindings, lintListing } = await import('#listing-lint/lint-listing.ts');
  const { readBaseline, withoutKnown } = await import('#listing-lint/baseline.ts');
  const config = await readConfigFile(folder, configFile);
  const found = await readFolder(folder, tool);
  if (found.length === 0)
    throw new CommandError(
      `${folder} has no listing of ${tool ?? formatNames.join(', ')}. Name the folder, such as ` +
        'fastlane/metadata.',
    );
  const findings = found
    .flatMap(({ listing }) => lintListing(listing, config))
    .map((finding) => ({ ...finding, file: fromHere(folder, finding.file) }))
    .toSorted(compareFindings);
  const known =
    baseline === undefined || isWritten ? {} : readBaseline(baseline, await read(baseline));
  return { findings: withoutKnown(findings, known), listings: found.length };
}

const fromHere = (folder: string, file: string): string =>
  relative(resolve('.'), resolve(folder, file)).replaceAll('\\', '/');

async function readConfigFile(folder: string, named: string | undefined) {
  const { readLintConfig } = await import('#listing-lint/lint-config.ts');
  if (named !== undefined) return readLintConfig(named, await read(named));
  for (const file of [join(folder, configName), configName]) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return readLintConfig(file, text);
  }
  return readLintConfig(configName, '{}');
}

async function format(
  findings: readonly Finding[],
  listings: number,
  form: LintOptions['format'],
): Promise<string> {
  switch (form) {
    case 'json':
      return JSON.stringify({ listings, findings }, null, 2);
    case 'sarif':
      return (await import('#listing-lint/reports/report-sarif.ts')).reportSarif(
        findings,
        packageJson.version,
      );
    case 'github':
      return (await import('#listing-lint/reports/report-github.ts')).reportGithub(findings);
    case 'text':
      return (await import('#listing-lint/reports/report-text.ts')).reportText(findings, listings);
  }
}

const read = (file: string) =>
  readFile(file, 'utf8').catch((error: unknown) => refuse(file, error));
const write = (file: string, text: string) =>
  writeFile(file, text).catch((error: unknown) => refuse(file, error));
const append = (file: string, text: string) =>
  appendFile(file, text).catch((error: unknown) => refuse(file, error));

function refuse(file: string, error: unknown): never {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  throw new CommandError(`${file}: ${code}. Check the path and its access.`);
}
