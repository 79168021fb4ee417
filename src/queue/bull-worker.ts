import { setTimeout as sleep } from 'node:timers/promises';
import { WaitingError, Worker as Bull, type Job, type WorkerOptions } from 'bullmq';
import { keyPrefix, type QueueConnection } from './connection.ts';
import type { DeadLetter, JobHandler, RunningJob, Worker, WorkOptions } from './queue.ts';
import type { Quarantine } from './quarantine.ts';
import type { OnQueueError } from './throttle-errors.ts';

interface WorkerSetup extends WorkOptions {
  name: string;
  connection: QueueConnection;
  timing: { stalledIntervalMs: number; lockDurationMs: number };
  onError: OnQueueError;
  quarantine: Quarantine;
  /** The jobs of this queue that run in this process. */
  inFlight: Map<string, Promise<void>>;
  handler: JobHandler;
}

const reconnectPauseMs = 1_000;
const returnToQueueMs = 5_000;

/**
 * Without this pause BullMQ would repeat a failed request for the next job at once, thousands of
 * times a second on a full Redis.
 */
class BackoffWorker extends Bull {
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      await sleep(reconnectPauseMs, undefined, { ref: false });
      throw error;
    }
  }
}

export function startBullWorker(options: Omit<WorkerSetup, 'inFlight'>): Worker {
  const setup: WorkerSetup = { ...options, inFlight: new Map() };
  const closing = new AbortController();
  const timeUp = new AbortController();
  let current: Bull | null = null;

  // A BullMQ worker whose first connection failed, or whose loop ended, never recovers, so it is
  // replaced.
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
    // A handler that ignores its signal, or an unavailable store, must not keep the process alive.
    const deadline = sleep(timeoutMs + returnToQueueMs, undefined, { ref: false });
    await Promise.race([drained, deadline]).catch(() => undefined);
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
    // With jitter: idle workers that poll at the same moment would need a connection each.
    drainDelay: connection.idlePollSeconds * (1 + Math.random() / 2),
    lockDuration: timing.lockDurationMs,
    stalledInterval: timing.stalledIntervalMs,
    // BullMQ's own limit fails a job after two kills of its worker; the quarantine decides instead.
    maxStalledCount: 1_000,
    runRetryDelay: reconnectPauseMs,
  };
  const runJob = (job: Job, token?: string) => processJob(setup, job, token ?? '', timeUp);
  const factory = connection.factory as never;
  const bull =
    factory === undefined
      ? new BackoffWorker(name, runJob, options)
      : new BackoffWorker(name, runJob, options, factory);
  bull.on('error', (error) => setup.onError(error, `worker ${name}`));
  return bull;
}

/**
 * A job that lost its lock while this process was too busy to renew it is still running here: the
 * same run then serves both.
 */
function processJob(
  setup: WorkerSetup,
  job: Job,
  token: string,
  timeUp: AbortSignal,
): Promise<void> {
  const { inFlight } = setup;
  const id = job.id ?? '';
  const known = inFlight.get(id);
  if (known !== undefined) return known;
  const run = startJob(setup, job, token, timeUp).finally(() => inFlight.delete(id));
  inFlight.set(id, run);
  return run;
}

async function startJob(
  setup: WorkerSetup,
  job: Job,
  token: string,
  timeUp: AbortSignal,
): Promise<void> {
  const { quarantine } = setup;
  if (quarantine.isPoison(job))
    return storeDeadLetter(setup, { ...factsOf(job), reason: 'crashed', error: null }, timeUp);
  return quarantine.run(job, (survived) => runJob(setup, job, { token, timeUp, survived }), timeUp);
}

interface JobRun {
  token: string;
  timeUp: AbortSignal;
  survived: () => Promise<void>;
}

async function runJob(
  setup: WorkerSetup,
  job: Job,
  { token, timeUp, survived }: JobRun,
): Promise<void> {
  const facts = factsOf(job);
  try {
    await runUntil(setup.handler, { ...facts, signal: timeUp, survived }, timeUp);
  } catch (error) {
    if (timeUp.aborted) return returnToQueue(job, token);
    await failOrBackOff(setup, job, facts, error as Error, timeUp);
    if (timeUp.aborted) return returnToQueue(job, token);
  }
}

function factsOf(job: Job): Pick<RunningJob, 'id' | 'name' | 'data'> {
  return { id: job.id ?? '', name: job.name, data: job.data as Record<string, unknown> };
}

/** Ends with the handler, or at the abort if the handler ignores its signal. */
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

/**
 * Throws for another attempt; returns once the job is a dead letter. The job keeps its slot during
 * the pause, because BullMQ's delayed jobs lose their priority.
 */
async function failOrBackOff(
  setup: WorkerSetup,
  job: Job,
  facts: Omit<DeadLetter, 'reason' | 'error'>,
  error: Error,
  signal: AbortSignal,
): Promise<void> {
  const delayMs = setup.retryDelaysMs[job.attemptsMade];
  if (delayMs === undefined)
    return storeDeadLetter(setup, { ...facts, reason: 'failed', error: error.message }, signal);
  setup.onError(error, `job ${facts.name}`);
  await sleep(delayMs, undefined, { signal }).catch(() => undefined);
  if (!signal.aborted) throw error;
}

/** Pauses before it throws, because BullMQ takes a job that failed again at once. */
async function storeDeadLetter(
  setup: WorkerSetup,
  job: DeadLetter,
  signal: AbortSignal,
): Promise<void> {
  try {
    await setup.onDeadLetter(job);
  } catch (error) {
    setup.onError(error as Error, `dead-lettering job ${job.name}`);
    const pauseMs = setup.retryDelaysMs.at(-1) ?? reconnectPauseMs;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    throw error;
  }
}

/**
 * Returns the job to the front of the queue for another worker. This does not count as an attempt.
 */
async function returnToQueue(job: Job, token: string): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}
