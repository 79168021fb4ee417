import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localesOf } from '#listing-files/locales.ts';
import { readFolder } from '#listing-files/read-folder.ts';
import { readLintConfig } from '#listing-lint/lint-config.ts';
import { lintListing } from '#listing-lint/lint-listing.ts';
import type { Measurement } from './measurement.ts';
import { processorMs, usedMs } from './processor-time.ts';

const goalMs = 300;
const main = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));

/** Reads and checks a folder of deliver with every locale of the App Store and full texts. */
export async function* measure(): AsyncGenerator<Measurement> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-lint-'));
  try {
    const locales = localesOf('ios');
    for (const locale of locales) await writeLocale(join(folder, locale), locale);
    const scale = `${locales.length} locales`;
    const figure = (name: string, measured: number, goal: number | null = null): Measurement => ({
      name,
      scale,
      measured,
      unit: 'ms',
      goal,
    });
    // The first run compiles, as the command does.
    let startedMs = performance.now();
    const spentMs = await processorMs(
      () => [],
      async () => check(folder),
    );
    yield figure('lint, reading and checking: processor', spentMs, goalMs);
    yield figure('  time', performance.now() - startedMs, goalMs);
    startedMs = performance.now();
    const commandMs = lintByCommand(folder);
    yield figure('toprung lint, with the start of Node: processor', commandMs);
    yield figure('  time', performance.now() - startedMs);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function check(folder: string): Promise<void> {
  const found = await readFolder(folder);
  const config = readLintConfig('default', '{}');
  const findings = found.flatMap(({ listing }) => lintListing(listing, config));
  if (findings.length === 0) throw new Error('the folder has faults, and none was found');
}

/** Milliseconds of the processor of the whole command. */
function lintByCommand(folder: string): number {
  const before = usedMs([process.pid]);
  const { status } = spawnSync(process.execPath, [main, 'lint', folder, '--fail-on', 'never']);
  if (status !== 0) throw new Error(`toprung lint exited with ${status}`);
  return usedMs([process.pid]) - before;
}

async function writeLocale(folder: string, locale: string): Promise<void> {
  await mkdir(folder);
  const text = `The texts of ${locale}: ünïcödé 習慣 с кнопкой. `;
  const texts: Record<string, string> = {
    name: `Habits ${locale}`,
    subtitle: 'Small steps every day',
    keywords: 'routine,goals,streak,morning,planner,diary,mood,sleep,water,journal,focus,habits',
    description: text.repeat(90).slice(0, 4_000),
    release_notes: text.repeat(90).slice(0, 4_000),
    promotional_text: text.repeat(5).slice(0, 170),
    support_url: 'https://example.com/help',
  };
  for (const [key, value] of Object.entries(texts))
    await writeFile(join(folder, `${key}.txt`), `${value}\n`);
}
