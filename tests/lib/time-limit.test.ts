import { expect, test, vi } from 'vitest';
import { TimeoutError, withTimeLimit } from '#lib/time-limit.ts';

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

test('a run within its limit returns its result', async () => {
  expect(await withTimeLimit({ timeoutMs: 60_000 }, async () => 'done')).toBe('done');
});

test('a run that fails within its limit throws its own error', async () => {
  const failing = withTimeLimit({ timeoutMs: 60_000 }, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
});

test('a run over its limit is aborted and throws a timeout', async () => {
  const error = await withTimeLimit({ timeoutMs: 20 }, untilAborted).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error.message).toBe('timeout: not finished within 20 ms');
});

test('a run that handles the abort ends with its own outcome', async () => {
  const handled = withTimeLimit({ timeoutMs: 20 }, (signal) =>
    untilAborted(signal).catch(() => 'rescheduled'),
  );
  expect(await handled).toBe('rescheduled');
});

test('a run is aborted with the error that its caller chose', async () => {
  const timeoutError = () => new RangeError('late');
  await expect(withTimeLimit({ timeoutMs: 20, timeoutError }, untilAborted)).rejects.toThrow(
    RangeError,
  );
});

test('a run that ignores its signal is abandoned after the grace period', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const limit = { timeoutMs: 20, graceMs: 30 };
  await expect(withTimeLimit(limit, () => promise)).rejects.toThrow(TimeoutError);
  resolve();
});

test('the caller’s own signal reaches the run, also when it was aborted before', async () => {
  const caller = new AbortController();
  const running = withTimeLimit({ timeoutMs: 60_000, signal: caller.signal }, untilAborted);
  caller.abort(new Error('closing'));
  await expect(running).rejects.toThrow('closing');
  const late = withTimeLimit({ timeoutMs: 60_000, signal: caller.signal }, async (signal) =>
    signal.throwIfAborted(),
  );
  await expect(late).rejects.toThrow('closing');
});

test('a run that has ended leaves no timer and no listener', async () => {
  vi.useFakeTimers();
  try {
    const caller = new AbortController();
    const remove = vi.spyOn(caller.signal, 'removeEventListener');
    await withTimeLimit({ timeoutMs: 60_000, signal: caller.signal }, async () => undefined);
    expect(vi.getTimerCount()).toBe(0);
    expect(remove).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
