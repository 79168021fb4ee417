import i18next from 'i18next';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { formatCause } from '#web/pages/briefing/format-cause.ts';
import type { BriefingMover } from '#web/queries/briefing.ts';

// The dashboard follows changes of its storage by other tabs.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => {}));
vi.unstubAllGlobals();

const files = import.meta.glob<Record<string, string>>(
  '../../web/src/locales/*/{briefing,events}.json',
  { import: 'default', eager: true },
);

const { language } = i18next;
beforeAll(async () => {
  if (!i18next.isInitialized) await i18next.init({ fallbackLng: false, resources: {} });
});
afterAll(async () => {
  await i18next.changeLanguage(language ?? 'en');
});

/** The cause of a move as the page says it, without the marks around names. */
async function format(of: string, { isRise, names }: { isRise: boolean; names: string[] }) {
  // Days and lists are in the language of the page.
  await i18next.changeLanguage(of);
  const own = i18next.createInstance();
  const texts = Object.entries(files).filter(([path]) => path.includes(`/${of}/`));
  await own.init({
    lng: of,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    resources: { [of]: { translation: Object.assign({}, ...texts.map(([, file]) => file)) } },
  });
  const [higher, lower] = [{ position: 3 }, { position: 8 }];
  const mover = {
    country: 'us',
    from: isRise ? lower : higher,
    to: isRise ? higher : lower,
    cause: {
      kind: 'competitor_change',
      explained: names.length,
      apps: names.map((name) => ({ storeAppId: name, name })),
      changes: [{ id: 1, field: 'name', detectedOn: '2026-11-20' }],
      fieldSavedOn: null,
      words: ['mood'],
    },
  } as unknown as BriefingMover;
  return formatCause(mover, own.t).replace(/\p{Cf}/gu, '');
}

test.each([
  [['Streaky'], /^Streaky hat Sie überholt/, /^Streaky ist hinter Sie gefallen/],
  [['A', 'B'], /^A und B haben Sie überholt/, /^A und B sind hinter Sie gefallen/],
  [['A', 'B', 'C', 'D'], /^A, B und C haben Sie überholt/, /^A, B und C sind hinter Sie/],
])('the cause of a move agrees with the number of its apps in German: %j', async (...row) => {
  const [names, passed, fell] = row;
  expect(await format('de', { isRise: false, names })).toMatch(passed);
  expect(await format('de', { isRise: true, names })).toMatch(fell);
});

test('the app that overtook the other is named in Japanese', async () => {
  const names = ['Streaky'];
  expect(await format('ja', { isRise: true, names })).toContain('あなたのアプリが上回りました');
  expect(await format('ja', { isRise: false, names })).toContain('順位を抜かれました');
});

test.each([1, 2])('a cause with %i competitors has a text in English', async (count) => {
  const names = ['A', 'B'].slice(0, count);
  expect(await format('en', { isRise: false, names })).toContain(' passed you after adding “mood”');
  expect(await format('en', { isRise: true, names })).toContain(' fell behind you after removing');
});
