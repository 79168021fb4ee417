import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '#client/http.ts';

vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('document', { documentElement: { dataset: {} } });
vi.stubGlobal('location', { origin: 'http://localhost' });
const { describeError } = await import('#web/describe-error.ts');
const { markConnectionErrors } = await import('#web/connection-error.ts');
const { download } = await import('#web/download.ts');
vi.unstubAllGlobals();

afterEach(() => void vi.unstubAllGlobals());

const fail = (error: Error) => () => Promise.reject(error);
const catchFrom = (failing: Promise<unknown>): Promise<unknown> =>
  failing.then(
    () => null,
    (error: unknown) => error,
  );
const codeOf = (error: unknown) => describeError(error).code;

describe('an error', () => {
  test('of a failed fetch is a lost connection', async () => {
    const failed = fail(new TypeError('Failed to fetch'));
    expect(codeOf(await catchFrom(markConnectionErrors(failed)))).toBe('offline');
    vi.stubGlobal('fetch', failed);
    const { signal } = new AbortController();
    expect(codeOf(await catchFrom(download('/exports', () => {}, signal)))).toBe('offline');
  });

  test('of a download that a proxy refuses is a lost connection', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('<html>', { status: 502 })));
    const { signal } = new AbortController();
    expect(codeOf(await catchFrom(download('/exports', () => {}, signal)))).toBe('offline');
  });

  test.each([
    'Failed to fetch dynamically imported module: https://example.org/assets/a.js',
    'error loading dynamically imported module: https://example.org/assets/a.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/a.css',
  ])('of a file of the dashboard is one of that file: %s', (message) => {
    expect(codeOf(new TypeError(message))).toBe('file');
  });

  test('in code is a mistake of the page, and not a lost connection', async () => {
    const mistakes = [
      new TypeError("Cannot read properties of undefined (reading 'slice')"),
      new RangeError('Invalid time value'),
      'text',
    ];
    expect(mistakes.map(codeOf)).toEqual(['page', 'page', 'page']);
    const aborted = new DOMException('Aborted', 'AbortError');
    expect(await catchFrom(markConnectionErrors(fail(aborted)))).toBe(aborted);
  });

  test('of the API keeps its code', async () => {
    const refusal = new ApiError({
      statusCode: 404,
      error: 'Not Found',
      message: 'no app',
      code: 'not_found',
      path: '/apps/1',
      timestamp: '2026-11-21T10:00:00Z',
    });
    expect(codeOf(await catchFrom(markConnectionErrors(fail(refusal))))).toBe('not_found');
  });
});

const frames = import.meta.glob<Record<string, string>>('../../web/src/locales/*/frame.json', {
  import: 'default',
  eager: true,
});

test.each(Object.entries(frames))(
  'a mistake of the page has texts of its own in %s',
  (_, texts) => {
    expect(texts['errors.page.title']).not.toBe(texts['errors.offline.title']);
    expect(texts['errors.page.remedy']).toBeTruthy();
  },
);
