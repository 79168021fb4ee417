import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localesOf } from '#listing-files/locales.ts';
import { readFolder } from '#listing-files/read-folder.ts';
import { readLintConfig } from '#listing-lint/lint-config.ts';
import { lintListing } from '#listing-lint/lint-listing.ts';
import type { Measurement } from './measurement.ts';

const goalMs = 300;

/** Reads and checks a folder of deliver with every locale of the App Store and full texts. */
export async function* measure(): AsyncGenerator<Measurement> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-lint-'));
  try {
    const locales = localesOf('ios');
    for (const locale of locales) await writeLocale(join(folder, locale), locale);
    const started = performance.now();
    const found = await readFolder(folder);
    const config = readLintConfig('default', '{}');
    const findings = found.flatMap(({ listing }) => lintListing(listing, config));
    const measured = performance.now() - started;
    if (findings.length === 0) throw new Error('the folder has faults, and none was found');
    yield {
      name: 'lint, reading and checking',
      scale: `${locales.length} locales`,
      measured,
      unit: 'ms',
      goal: goalMs,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
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
