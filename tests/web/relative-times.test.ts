import i18next from 'i18next';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatAgo, formatDay, formatInstant, setDisplayZone } from '#web/format.ts';

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
afterEach(() => {
  setDisplayZone('UTC');
  vi.useRealTimers();
});
afterAll(async () => {
  await i18next.changeLanguage(language ?? 'en');
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

describe('days and instants', () => {
  beforeEach(async () => {
    await i18next.changeLanguage('en');
    vi.useFakeTimers({ now: Date.parse('2025-11-29T20:00:00Z'), toFake: ['Date'] });
  });

  test.each([
    ['2026-11-29T17:45:00Z', 'Nov 29, 2026, 17:45 UTC', 'Nov 29, 2026'],
    ['2026-11-28T17:45:00Z', 'Nov 28, 17:45 UTC', 'Nov 28'],
    ['2024-11-30T17:45:00Z', 'Nov 30, 17:45 UTC', 'Nov 30'],
    ['2024-11-29T17:45:00Z', 'Nov 29, 2024, 17:45 UTC', 'Nov 29, 2024'],
  ])('have the year if it is a year or more away: %s', (instant, shown, day) => {
    expect(formatInstant(instant)).toBe(shown);
    expect(formatDay(instant.slice(0, 10))).toBe(day);
  });

  test('are a year away by the days of the time zone that the page shows', () => {
    setDisplayZone('Asia/Tokyo');
    // There it is November 30 already.
    expect(formatInstant('2026-11-29T14:59:00Z')).toMatch(/^Nov 29, 23:59/);
    expect(formatInstant('2026-11-29T15:00:00Z')).toMatch(/^Nov 30, 2026, 00:00/);
  });
});
