import { setTimeout as sleep } from 'node:timers/promises';
import { WaitingError, Worker as Bull, type Job, type WorkerOptions } from 'bullmq';
import { keyPrefix, type QueueConnection } from './connection.ts';
import type { JobHandler, PoisonedJob, RunningJob, Worker, WorkOptions } from './queue.ts';
import type { Quarantine } from './quarantine.ts';
import type { OnQueueError } from './quiet-errors.ts';

interface WorkerSetup extends WorkOptions {
  name: string;
  connection: QueueConnection;
  timing: { stalledIntervalMs: number; lockDurationMs: number; retryPauseMs: number };
  onError: OnQueueError;
  quarantine: Quarantine;
  handler: JobHandler;
}

const failureLimit = 5;
const reconnectPauseMs = 1_000;
const maxRetryPauseMs = 60_000;
const handBackMs = 5_000;

/** BullMQ asks for the next job again at once when asking failed, thousands of times a second on a full Redis. */
class PatientBull extends Bull {
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      await sleep(reconnectPauseMs, undefined, { ref: false });
      throw error;
    }
  }
}

export function startBullWorker(setup: WorkerSetup): Worker {
  const closing = new AbortController();
  const timeUp = new AbortController();
  let current: Bull | null = null;

  // A BullMQ worker whose first connection failed, or whose loop ended, never recovers: it is replaced.
  const loop = (async () => {
    while (!closing.signal.aborted) {
      const bull = createBull(setup, timeUp.signal);
      current = bull;
      try {
        await bull.waitUntilReady();
        if (!closing.signal.aborted) await bull.run();
      } catch (error) {
        setup.onError(error as Error, `worker ${setup.name}`);
      }
      if (closing.signal.aborted) return;
      await bull.close(true).catch(() => undefined);
      await sleep(reconnectPauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  })();

  const close = async (timeoutMs: number) => {
    closing.abort();
    const timer = setTimeout(() => timeUp.abort(new Error('the worker is closing')), timeoutMs);
    const drained = (current?.close() ?? Promise.resolve()).then(() => loop);
    // A handler that does not listen to its signal, or a store that is away, must not keep the process.
    const patience = sleep(timeoutMs + handBackMs, undefined, { ref: false });
    await Promise.race([drained, patience]).catch(() => undefined);
    clearTimeout(timer);
    timeUp.abort(new Error('the worker is closed'));
  };
  let closed: Promise<void> | null = null;
  return { close: (timeoutMs) => (closed ??= close(timeoutMs)) };
}

function createBull(setup: WorkerSetup, timeUp: AbortSignal): Bull {
  const { name, connection, timing } = setup;
  const options: WorkerOptions = {
    connection: connection.consumer as never,
    prefix: keyPrefix,
    autorun: false,
    concurrency: setup.concurrency,
    // Not all at one moment: workers without work would want a connection each, and keep them open for it.
    drainDelay: connection.idlePollSeconds * (1 + Math.random() / 2),
    lockDuration: timing.lockDurationMs,
    stalledInterval: timing.stalledIntervalMs,
    // BullMQ's own limit turns two kills of a worker into a failed job; the quarantine decides instead.
    maxStalledCount: 1_000,
    runRetryDelay: reconnectPauseMs,
  };
  const process = (job: Job, token?: string) => processJob(setup, job, token ?? '', timeUp);
  const factory = connection.factory as never;
  const bull =
    factory === undefined
      ? new PatientBull(name, process, options)
      : new PatientBull(name, process, options, factory);
  bull.on('error', (error) => setup.onError(error, `worker ${name}`));
  return bull;
}

async function processJob(
  setup: WorkerSetup,
  job: Job,
  token: string,
  timeUp: AbortSignal,
): Promise<void> {
  const { quarantine } = setup;
  const run = () => runJob(setup, job, token, timeUp);
  if (!quarantine.isSuspect(job)) return run();
  if (quarantine.isConvicted(job))
    return setup.onPoison({ ...factsOf(job), reason: 'crashed', error: null });
  return quarantine.run(job, run);
}

async function runJob(
  setup: WorkerSetup,
  job: Job,
  token: string,
  timeUp: AbortSignal,
): Promise<void> {
  const facts = factsOf(job);
  try {
    await runUntil(setup.handler, { ...facts, signal: timeUp }, timeUp);
  } catch (error) {
    if (timeUp.aborted) return handBack(job, token);
    await giveUpOrPause(setup, job, facts, error as Error, timeUp);
    if (timeUp.aborted) return handBack(job, token);
  }
}

function factsOf(job: Job): Pick<RunningJob, 'id' | 'name' | 'data'> {
  return { id: job.id ?? '', name: job.name, data: job.data as Record<string, unknown> };
}

/** Ends with the handler, or with the signal even where the handler does not look at it. */
async function runUntil(handler: JobHandler, job: RunningJob, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([handler(job), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Returns when the job is done with for good, throws for another try. The pause keeps the place, never a delayed job. */
async function giveUpOrPause(
  setup: WorkerSetup,
  job: Job,
  facts: Omit<PoisonedJob, 'reason' | 'error'>,
  error: Error,
  signal: AbortSignal,
): Promise<void> {
  const failures = job.attemptsMade + 1;
  if (failures >= failureLimit)
    return setup.onPoison({ ...facts, reason: 'failed', error: error.message });
  setup.onError(error, `job ${facts.name}`);
  const pauseMs = Math.min(maxRetryPauseMs, setup.timing.retryPauseMs * 4 ** job.attemptsMade);
  await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  if (!signal.aborted) throw error;
}

/** Back to the front of the queue for another worker, without counting as a try. */
async function handBack(job: Job, token: string): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}
