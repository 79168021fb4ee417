import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import type { Dispatcher } from '#domain/scheduling/runs/store-work.ts';
import { registry } from '#jobs/registry.ts';
import { startScheduler, type Leadership } from '#jobs/scheduler.ts';
import { systemClock } from '#lib/clock.ts';
import { silentLogger } from '#lib/logger.ts';

const { everyMs, maxIdleMs } = registry.pollInterval;

describe('a scheduler', () => {
  let ticks = 0;
  let snapshot: string | null = null;
  let notifyChange: () => void = () => undefined;
  let scheduler: ReturnType<typeof startScheduler>;

  const write = () => {
    snapshot = `${Number(snapshot) + 1}`;
    notifyChange();
  };
  const ticksIn = async (ms: number) => {
    const before = ticks;
    await vi.advanceTimersByTimeAsync(ms);
    return ticks - before;
  };

  let whileTicking: () => void = () => undefined;
  const onTick = () => {
    ticks += 1;
    whileTicking();
    whileTicking = () => undefined;
  };

  beforeEach(() => {
    vi.useFakeTimers();
    [ticks, snapshot] = [0, '1'];
    // Not the leader: its ticks then run nothing but the tasks of each process.
    const leadership: Leadership = {
      decided: Promise.resolve(),
      isLeader: () => false,
      snapshot: () => snapshot,
      onChange: (listener) => (notifyChange = listener),
    };
    const counting = registry.entries
      .filter(({ name }) => name === 'sync-field-watch')
      .map((entry) => ({ ...entry, trigger: { every: 0 }, run: async () => onTick() }));
    const services = { clock: systemClock, log: silentLogger } as CheckServices;
    scheduler = startScheduler(
      services,
      {} as Dispatcher,
      { ...registry, entries: counting as typeof registry.entries },
      leadership,
    );
  });
  afterEach(async () => {
    await scheduler.close();
    vi.useRealTimers();
  });

  test('ticks at the poll interval while there are writes', async () => {
    await ticksIn(1);
    for (let second = 0; second < 30; second += 1) {
      write();
      expect(await ticksIn(everyMs)).toBe(1);
    }
  });

  test('is late by half the time since the last write at most, and never by more', async () => {
    await ticksIn(4 * maxIdleMs);
    expect(await ticksIn(2 * maxIdleMs)).toBe(2);
    write();
    await ticksIn(2 * everyMs);
    // A retry that is due four seconds after the write.
    expect(await ticksIn(4 * everyMs)).toBeGreaterThanOrEqual(2);
  });

  test('ticks at once after a write and when it is woken', async () => {
    await ticksIn(6 * maxIdleMs + 500);
    write();
    expect(await ticksIn(1)).toBe(1);
    await ticksIn(6 * maxIdleMs + 500);
    scheduler.wake();
    expect(await ticksIn(1)).toBe(1);
  });

  test('ticks again soon after a write during a tick', async () => {
    await ticksIn(6 * maxIdleMs + 500);
    whileTicking = write;
    scheduler.wake();
    expect(await ticksIn(everyMs + 1)).toBe(2);
  });

  test('ticks at the poll interval while the snapshot is not known', async () => {
    snapshot = null;
    expect(await ticksIn(30 * everyMs)).toBeGreaterThanOrEqual(29);
  });
});
