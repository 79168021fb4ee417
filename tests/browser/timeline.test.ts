import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changedFields } from '../../src/contract/choices.ts';
import type { ChangeHead } from '../../src/db/queries/changes.ts';
import { toChangeItems } from '../../src/domain/timeline/change-items.ts';
import { readFact } from '../../web/src/queries/timeline-facts.ts';
import { launchBrowser } from '../harness/browser.ts';
import { startDemoStage, type DemoStage } from './demo-stage.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();

describe('a title of the API', () => {
  const ofVersion = ['version', 'releaseNotes', 'minimumOsVersion'];
  const lines: Record<string, string> = { name: 'Lumen: sleep, “relax” & more, price', subtitle: 'night\nand day', version: '2.1 (build 4)' };
  const heads = (fields: readonly string[], rival: Partial<ChangeHead> = {}) =>
    fields.map((field, index): ChangeHead => ({
      id: index + 1,
      appId: 1,
      listingId: 1,
      competitorId: null,
      name: null,
      country: 'us',
      field,
      snapshotId: 2,
      previousId: 1,
      detectedAt: new Date('2026-11-04T08:00:00Z'),
      line: lines[field] ?? null,
      ...rival,
    }));
  const read = (given: ChangeHead[]) => toChangeItems(given).map((item) => readFact(item));

  test('is read back into the fields that changed, whatever is written in them', () => {
    const others = changedFields.filter((field) => !ofVersion.includes(field));
    expect(read(heads(changedFields))).toEqual([
      { kind: 'version', rival: null, version: lines.version },
      { kind: 'change', rival: null, changes: others.map((field) => ({ field, value: lines[field] ?? null })) },
    ]);
  });

  test('says whose listing it is about, named or not', () => {
    const named = { competitorId: 7, name: 'Focus: changed habits' };
    const changes = [{ field: 'price', value: null }];
    expect(read(heads(['price'], { competitorId: 7 }))).toEqual([{ kind: 'change', rival: { name: null }, changes }]);
    expect(read(heads(['price'], { ...named, name: 'Focus: habits' }))).toEqual([{ kind: 'change', rival: { name: 'Focus: habits' }, changes }]);
    // Where a name reads like a change, the API's own words are shown.
    expect(read(heads(['price'], named))).toEqual([null]);
    expect(read(heads(['name', 'price'], { line: 'Lumen “calm”, description' }))).toEqual([null]);
  });
});

describe.skipIf(!browser)('the timeline', () => {
  let stage: DemoStage;
  beforeAll(async () => {
    stage = await startDemoStage();
  });
  afterAll(async () => {
    await browser!.close();
    await stage.stop();
  });

  const told = {
    English: {
      change: /^(.+ · )?Changed: /,
      version: /^(.+ · )?Version /,
      rank: /^\d+ keywords? (rose|fell)/,
      reviews: / in a day$/,
      run: /daily run/,
    },
    Deutsch: {
      change: /^(.+ · )?Geändert: /,
      version: /^(.+ · )?Version /,
      rank: /^\d+ Keywords? ge/,
      reviews: /^\d+ Rezension/,
      run: /^Der tägliche|^Ein Store/,
    },
    日本語: { change: /^(.+・)?変更：/, version: /^(.+・)?バージョン/, rank: /^\d+件のキーワード/, reviews: /件のレビュー$/, run: /^毎日の実行/ },
  };

  test('says in the language of the page what happened, notes as they were written', async () => {
    const { page, settled, consoleErrors, close } = await stage.open(browser!, '/methodology');
    const { rows: notes } = await stage.pool.query('select text from annotations');
    const seen = new Set<string>();
    for (const [language, shapes] of Object.entries(told)) {
      if (language !== 'English') {
        await page.getByRole('button', { name: /^(Account menu|Kontomenü)/ }).click();
        await page.getByRole('menuitemradio', { name: language }).click();
        await page.keyboard.press('Escape');
      }
      const isWellTold = ([kind, title]: readonly [string, string]) =>
        kind === 'annotation' ? notes.some(({ text }) => text === title) : shapes[kind as keyof typeof shapes].test(title);
      const readTitles = () =>
        page
          .locator('#main li[data-kind]')
          .evaluateAll((items) => items.map((item) => [item.getAttribute('data-kind')!, item.querySelector('p')!.firstChild!.textContent!] as const));
      for (const app of Object.values(stage.apps)) {
        await goTo(page, `/apps/${app}/timeline?days=90`);
        await settled();
        await expect.poll(async () => (await readTitles()).filter((item) => !isWellTold(item))).toEqual([]);
        for (const [kind] of await readTitles()) seen.add(kind);
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/timeline-${language}-${app}.png` });
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(['annotation', 'rank', 'version']));
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
