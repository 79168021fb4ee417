import './api.fixtures.ts';
import { QueryClient } from '@tanstack/react-query';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { groupEvents } from '#web/components/chart/event-marks.ts';
import { timelineEventsQuery } from '#web/queries/timeline.ts';
import { stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const days = Array.from({ length: 400 }, (_, index) => String(index));
const plot = (count: number, column: number) => ({
  column,
  shown: { first: 0, last: count - 1 },
  width: count * column + 60,
  x: (index: number) => 44 + (index + 0.5) * column,
});
const named = (indexes: number[]) =>
  indexes.map((index) => ({ date: String(index), label: `event ${index}` }));
const group = (indexes: number[], column: number, count = 30) =>
  groupEvents(named(indexes), days, plot(count, column), (size) => `${size} events`);

test('events of a day and of the next day are one mark with their number', () => {
  const marks = group([3, 3, 4, 12], 30);
  expect(marks.map(({ label, first, last }) => [label, first, last])).toEqual([
    ['3 events', 3, 4],
    ['event 12', 12, 12],
  ]);
  // The mark of a third day is a new one, because a group stays narrow.
  expect(group([3, 4, 5], 30).map(({ events }) => events.length)).toEqual([2, 1]);
});

test('days that are narrow share a mark, and one without space shows only a number', () => {
  expect(group([3, 6, 20], 8).map(({ events }) => events.length)).toEqual([2, 1]);
  expect(group([3, 9], 8).map(({ isShort }) => isShort)).toEqual([false, true]);
});

test('events outside of the shown days have no mark', () => {
  const shown = { first: 5, last: 9 };
  const marks = groupEvents(named([4, 5, 9, 10]), days, { ...plot(30, 30), shown }, String);
  expect(marks.map(({ first }) => first)).toEqual([5, 9]);
});

test('each event is in one mark, and no two marks overlap', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(364), { minLength: 1, maxLength: 120 }),
      fc.double({ min: 0.8, max: 40, noNaN: true }),
      (indexes, column) => {
        const marks = group(indexes, column, 365);
        const all = marks.flatMap(({ events }) => events.map(({ date }) => Number(date)));
        expect(all).toEqual(indexes.toSorted((a, b) => a - b));
        for (const [number, mark] of marks.entries()) {
          expect(mark.width).toBeGreaterThanOrEqual(24);
          const next = marks[number + 1];
          if (next)
            expect(mark.labelX + mark.width / 2).toBeLessThanOrEqual(
              next.labelX - next.width / 2 + 0.01,
            );
        }
      },
    ),
  );
});

test('the events of a span are read to the last page', async () => {
  stubApi((_method, path) => {
    const isLast = path.includes('cursor=next');
    return {
      items: [{ kind: isLast ? 'provider' : 'change' }],
      nextCursor: isLast ? null : 'next',
    };
  });
  const span = { from: '2026-11-01', to: '2026-11-30' };
  const { items } = await new QueryClient().fetchQuery(timelineEventsQuery(1, span));
  expect(items.map(({ kind }) => kind)).toEqual(['change', 'provider']);
});
