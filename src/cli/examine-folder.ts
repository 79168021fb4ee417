import { lstat, readFile, writeFile, appendFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { CommandError } from '#lib/command-error.ts';
import { formatNames, type FormatName, type Listing } from '#listing-files/listing.ts';
import type { FolderListing } from '#listing-files/read-listings.ts';
import type { CountryCoverage } from '#listing-lint/coverage/cover-phrases.ts';
import type { Finding } from '#listing-lint/finding.ts';
import { refuseFile } from './refuse-file.ts';

export const configName = '.toprung-lint.json';

export interface ExamineOptions {
  tool?: FormatName | undefined;
  config?: string | undefined;
  baseline?: string | undefined;
  /** Findings of the baseline are kept, because it is written anew. */
  writeBaseline?: boolean;
  /** With an app the rules about tracked phrases run, which need a server. */
  app?: string | undefined;
  url?: string | undefined;
  /** A folder or a commit, to compare the coverage with. */
  base?: string | undefined;
}

export interface Examined {
  findings: Finding[];
  listings: number;
  /** Null without an app. */
  coverage: CountryCoverage[] | null;
}

/**
 * The findings of a folder, the worst first. Their paths are those from the current folder, as CI
 * services expect them.
 */
export async function examineFolder(folder: string, options: ExamineOptions): Promise<Examined> {
  const { readFolder } = await import('#listing-files/read-folder.ts');
  const { compareFindings, lintListing } = await import('#listing-lint/lint-listing.ts');
  const { readBaseline, withoutKnown } = await import('#listing-lint/baseline.ts');
  const { tool, baseline } = options;
  if (options.base !== undefined && options.app === undefined)
    throw new CommandError('--base compares the coverage of tracked phrases: name the --app, too.');
  const config = await readConfigFile(folder, options.config);
  const found = await readFolder(folder, tool);
  if (found.length === 0)
    throw new CommandError(
      `${folder} has no listing of ${tool ?? formatNames.join(', ')}. Name the folder, such as ` +
        'fastlane/metadata.',
    );
  const tracked =
    options.app === undefined ? null : await examineTracked(folder, found, config, options);
  const findings = [
    ...found.flatMap(({ listing }) => lintListing(listing, config)),
    ...(tracked?.findings ?? []),
  ]
    .map((finding) => ({ ...finding, file: fromHere(folder, finding.file) }))
    .toSorted(compareFindings);
  const known =
    baseline === undefined || options.writeBaseline
      ? {}
      : readBaseline(baseline, await read(baseline));
  return {
    findings: withoutKnown(findings, known),
    listings: found.length,
    coverage: tracked?.coverage ?? null,
  };
}

async function examineTracked(
  folder: string,
  found: readonly FolderListing[],
  config: Awaited<ReturnType<typeof readConfigFile>>,
  { app, url, base, tool }: ExamineOptions,
): Promise<{ findings: Finding[]; coverage: CountryCoverage[] }> {
  const { openApi } = await import('./work/open-api.ts');
  const { readTracked } = await import('./work/read-tracked.ts');
  const { checkTrackedWords } = await import('#listing-lint/coverage/check-tracked-words.ts');
  const { compareCoverage } = await import('#listing-lint/coverage/cover-phrases.ts');
  const api = await openApi(url, (text) => console.error(`toprung: ${text}`));
  const tracked = await readTracked(api, app!);
  const ofStore = found.filter(({ listing }) => listing.store === tracked.store);
  if (ofStore.length !== 1)
    throw new CommandError(
      `${folder} has ${ofStore.length === 0 ? 'no listing' : 'several listings'} for ` +
        `${tracked.store}. Name the folder of one, or its tool with --tool.`,
    );
  const { listing } = ofStore[0]!;
  const before = base === undefined ? null : findSame(await readBase(folder, base, tool), listing);
  return {
    findings: checkTrackedWords(listing, tracked, config),
    coverage: compareCoverage(
      listing,
      tracked,
      base === undefined ? undefined : { listing: before },
    ),
  };
}

/** The listing of the base at the same path; one that was moved is found by its tool. */
function findSame(base: readonly FolderListing[], { format, root }: Listing): Listing | null {
  const ofTool = base.map(({ listing }) => listing).filter((one) => one.format === format);
  return ofTool.find((one) => one.root === root) ?? ofTool[0] ?? null;
}

/** A folder, or a commit of the folder's repository. */
async function readBase(folder: string, base: string, tool: FormatName | undefined) {
  const stat = await lstat(base).catch(() => null);
  if (stat?.isDirectory())
    return (await import('#listing-files/read-folder.ts')).readFolder(base, tool);
  return (await import('#listing-files/read-commit.ts')).readCommit(folder, base, tool);
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

const read = (file: string) =>
  readFile(file, 'utf8').catch((error: unknown) => refuseFile(file, error));
export const write = (file: string, text: string) =>
  writeFile(file, text).catch((error: unknown) => refuseFile(file, error));
export const append = (file: string, text: string) =>
  appendFile(file, text).catch((error: unknown) => refuseFile(file, error));
