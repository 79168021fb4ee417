import './api.fixtures.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { newestSerpQuery } from '#web/queries/serp.ts';
import { stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

/** The newest results of a keyword with results on these days, newest first, and the requests. */
async function readNewest(days: readonly string[]) {
  const requests: string[] = [];
  stubApi((_method, path) => {
    requests.push(path);
    const { pathname, searchParams } = new URL(path, 'http://api');
    if (!pathname.endsWith('/dates')) return { date: searchParams.get('date') };
    const from = searchParams.get('from') ?? addDays(utcDayOf(new Date()), -29);
    return { items: days.filter((date) => date >= from).map((date) => ({ date })) };
  });
  const newest = await new QueryClient().fetchQuery(newestSerpQuery(1));
  return { date: newest && newest.date, requests: requests.length };
}

const daysAgo = (count: number) => addDays(utcDayOf(new Date()), -count);

test('the newest saved results are shown, however old they are', async () => {
  const recent = [daysAgo(1), daysAgo(2), daysAgo(90)];
  expect(await readNewest(recent)).toEqual({ date: daysAgo(1), requests: 2 });
  const old = [daysAgo(31), daysAgo(90)];
  expect(await readNewest(old)).toEqual({ date: daysAgo(31), requests: 3 });
  expect(await readNewest([])).toEqual({ date: null, requests: 2 });
});
