import './api.fixtures.ts';
import { readFileSync } from 'node:fs';
import i18next from 'i18next';
import { expect, test, vi } from 'vitest';
import { languages } from '#contract/languages.ts';
import { rankDropped } from '#contract/events/rank-dropped.ts';
import { describePosition } from '#lib/format-position.ts';
import { readTree } from '#scripts/rules/source-tree.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const { drawMove } = await import('#web/components/move.tsx');
const { drawSparkline } = await import('#web/components/sparkline.tsx');
const { formatPositionText } = await import('#web/components/format-position-text.ts');
const { formatActionTitle } = await import('#web/pages/actions/format-action-title.ts');
const { formatEvent } = await import('#web/pages/alerts/event-views.ts');
const { tabulateHistory } = await import('#web/pages/keyword/history-text.ts');
const { writeKeywordsCsv } = await import('#web/pages/keywords/keyword-csv.ts');

const textsOf = (language: string, noun: string): object =>
  JSON.parse(
    readFileSync(
      new URL(`../../web/src/locales/${language}/${noun}.json`, import.meta.url),
      'utf8',
    ),
  );

const i18n = i18next.createInstance();
await i18n.init({
  fallbackLng: 'en',
  keySeparator: false,
  interpolation: { escapeValue: false },
  resources: Object.fromEntries(
    languages.map((language) => [
      language,
      {
        translation: {
          ...textsOf(language, 'action-titles'),
          ...textsOf(language, 'events'),
          ...textsOf(language, 'keywords'),
          ...textsOf(language, 'kit'),
          'event.rank.dropped.sentence': rankDropped.texts[language].sentence,
        },
      },
    ]),
  ),
});
const inEach = (format: (t: ReturnType<typeof i18n.getFixedT>) => string) =>
  Object.fromEntries(languages.map((language) => [language, format(i18n.getFixedT(language))]));

const fall = (latest: object) => ({
  type: 'rank-drop' as const,
  title: 'as the API has it',
  evidence: {
    phrase: 'habit',
    country: 'jp',
    usualPosition: 5,
    latest: { date: '2026-11-21', depth: 50, ...latest },
  },
});
const move = (to: object) =>
  ({
    ...rankDropped.sample,
    phrase: 'habit',
    from: { date: '2026-11-20', position: 5, depth: 200 },
    to: { date: '2026-11-21', position: null, depth: 50, ...to },
  }) as typeof rankDropped.sample;

test('the title of a lost position says within which depth it is not found', () => {
  const title = (latest: object) => inEach((t) => formatActionTitle(fall(latest), t));
  expect(title({ position: 30 })).toMatchObject({
    en: expect.stringMatching(/ fell from 5 to 30$/),
    de: expect.stringMatching(/ ist von 5 auf 30 gefallen$/),
    ja: expect.stringMatching(/が5位から30位に下がりました$/),
  });
  expect(title({ position: null })).toMatchObject({
    en: expect.stringMatching(/ fell from 5 out of the top 50$/),
    de: expect.stringMatching(/ ist von 5 aus den Top 50 gefallen$/),
    ja: expect.stringMatching(/が5位から下がり、50位以内に見つかりません$/),
  });
});

test('an alert has a position that was not found in its own language', () => {
  const sentence = (to: object) =>
    inEach((t) => formatEvent('rank.dropped', move(to), null, t).sentence);
  expect(sentence({ position: 30 }).ja).toMatch(/が5位から30位に下がりました$/);
  expect(sentence({})).toMatchObject({
    en: expect.stringMatching(/ from 5 to >50$/),
    ja: expect.stringMatching(/が5位から>50に下がりました$/),
  });
  expect(sentence({ resultCount: 37 })).toMatchObject({
    en: expect.stringMatching(/ from 5 to not in 37$/),
    de: expect.stringMatching(/ von 5 auf nicht in 37 gefallen$/),
    ja: expect.stringMatching(/が5位から37件中なしに下がりました$/),
  });
});

test('a move names what was before it in its own language', () => {
  const from = { date: '2026-11-20', position: null, depth: 200 };
  const titleOf = (resultCount: number) =>
    inEach((t) => {
      const change = { kind: 'entered', positionsGained: null, from: { ...from, resultCount } };
      return (drawMove(change as never, t).props as { title: string }).title;
    });
  expect(titleOf(37).de).toContain('nicht in 37 am ');
  expect(titleOf(37).ja).toContain('37件中なし');
  expect(titleOf(0)).toMatchObject({
    en: expect.stringContaining('no results on '),
    de: expect.stringContaining('keine Treffer am '),
    ja: expect.stringContaining('結果なし'),
  });
});

test('the only result of a search is said to be another app', () => {
  const cell = { position: null, depth: 200, resultCount: 1 };
  expect(inEach((t) => formatPositionText(cell, t))).toMatchObject({
    en: 'not found, and the only result is another app',
    de: 'nicht gefunden, und das einzige Ergebnis ist eine andere App',
    ja: '1件の結果に含まれません',
  });
  expect(describePosition(cell)).toBe('checked, not found, and the only result is another app');
  expect(describePosition({ ...cell, resultCount: 2 })).toBe('checked, not among the 2 results');
});

test('the label of a sparkline says that the app was not found at the last check', () => {
  const labelOf = (...points: (number | null | '-')[]) =>
    inEach((t) => (drawSparkline(points, t).props as { 'aria-label': string })['aria-label']);
  expect(labelOf(5, 12, '-')).toEqual({
    en: '30 days: from 5 to 12, best 5',
    de: '30 Tage: von 5 auf 12, beste 5',
    ja: '30日間：5位から12位へ、最高5位',
  });
  expect(labelOf(5, 12, null, null, '-')).toEqual({
    en: '30 days: from 5 to not found, best 5',
    de: '30 Tage: zuerst 5, zuletzt nicht gefunden, beste 5',
    ja: '30日間：5位から圏外へ、最高5位',
  });
  expect(labelOf(null).en).toBe('30 days: not found');
});

test('a file has positions that were not found in the language of its head', () => {
  const latest = { date: '2026-11-21', position: null, depth: 200, resultCount: 37 };
  const keyword = { phrase: 'habit', country: 'jp', device: 'iphone', tags: [], latest };
  const lines = inEach((t) => writeKeywordsCsv([keyword as never], [], t));
  const found = { ...keyword, latest: { position: 12, depth: 200, provider: 'web' } };
  expect(inEach((t) => writeKeywordsCsv([found as never], [], t, 'ios'))).toMatchObject({
    en: expect.stringMatching(/,Depth,Search provider\r\n.*,12,12,200,App Store search\r\n/),
    de: expect.stringMatching(/,Suchquelle\r\n/),
  });
  expect(lines.en).toContain(',not in 37,,200');
  expect(lines.de).toContain(',nicht in 37,,200');
  expect(lines.ja).toContain(',37件中なし,,200');

  const items = [{ ...latest, state: 'not_found', provider: null, checkedAt: '2026-11-21' }];
  const competitor = { name: 'Streaks', color: '', positions: { [latest.date]: latest } };
  const history = { items, annotations: [], segments: [] };
  const rows = inEach((t) => {
    const args = [history, [competitor], undefined] as unknown;
    return JSON.stringify(tabulateHistory(...(args as [never, never, undefined]), t).rows);
  });
  expect(rows.de).toContain('nicht in 37');
});

test('no table of the dashboard writes a position to its file in English alone', () => {
  const tables = readTree().filter(
    ({ path, text }) =>
      path.startsWith('web/src/pages/') && /\bcsv:|writeCsv|ChartTable/.test(text),
  );
  expect(tables.length).toBeGreaterThan(20);
  const inEnglish = tables.filter(({ text }) => /\bformatPosition\(/.test(text));
  expect(inEnglish.map(({ path }) => path)).toEqual([]);
});
