import i18next from 'i18next';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { formatAgo, setDisplayZone } from '#web/format.ts';

// The dashboard follows changes of its storage by other tabs.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => {}));
vi.unstubAllGlobals();

const nowMs = Date.parse('2026-11-21T10:00:00Z');
const hourMs = 3_600_000;
const formatHoursAway = (hours: number) =>
  formatAgo(new Date(nowMs + hours * hourMs).toISOString(), nowMs);

const { language } = i18next;
beforeAll(async () => {
  if (!i18next.isInitialized) await i18next.init({ fallbackLng: false, resources: {} });
});
afterEach(() => setDisplayZone('UTC'));
afterAll(async () => {
  await i18next.changeLanguage(language);
});

describe('relative times', () => {
  test.each([
    ['en', ['23 hr. ago', 'yesterday', '2 days ago', 'tomorrow', 'in 2 days']],
    ['de', ['vor 23 Std.', 'gestern', 'vorgestern', 'morgen', 'übermorgen']],
    ['ja', ['23 時間前', '昨日', '一昨日', '明日', '明後日']],
  ])('name days of the calendar in %s', async (of, names) => {
    await i18next.changeLanguage(of);
    // From 10:00, 47 hours back is 11:00 two days earlier, and 47 hours on is 9:00 two days later.
    expect([-23, -25, -47, 25, 47].map(formatHoursAway)).toEqual(names);
  });

  test('name days of the time zone that the page shows', async () => {
    await i18next.changeLanguage('en');
    // 2:00 UTC is still the day before in Newfoundland, 3½ hours behind.
    expect(formatHoursAway(-32)).toBe('yesterday');
    setDisplayZone('America/St_Johns');
    expect(formatHoursAway(-32)).toBe('2 days ago');
  });
});
