import { currentTracer, inSpan, errorTypeOf, type NewSpan, type Tracer } from '#lib/tracing.ts';
import type { QueueJob, QueueStore } from '#queue/queue.ts';

type Operation = 'send' | 'process';

/** Adds jobs to a queue. Those that continue a trace get a span, whose end begins their wait. */
export async function addTraced(queues: QueueStore, name: string, jobs: QueueJob[]): Promise<void> {
  const tracer = currentTracer();
  const queue = queues.queue(name);
  if (tracer === null) return queue.addAll(jobs);
  const traced = jobs.map((job) => startSending(tracer, name, job));
  const spans = traced.flatMap(({ span }) => span ?? []);
  try {
    await queue.addAll(traced.map(({ job }) => job));
  } catch (error) {
    for (const span of spans) span.fail(errorTypeOf(error));
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

function startSending(tracer: Tracer, queue: string, job: QueueJob) {
  const { traceparent } = job.data;
  if (typeof traceparent !== 'string') return { job, span: null };
  const span = tracer.start(describe('send', queue, job.name, traceparent));
  return { job: { ...job, data: { ...job.data, ...span.headers() } }, span };
}

/** Runs a job in a span of the trace that it came with, or else of a trace of its own. */
export function runTraced(
  queue: string,
  job: { name: string; data: Record<string, unknown> },
  run: () => Promise<void>,
): Promise<void> {
  const { traceparent } = job.data;
  return inSpan(
    describe('process', queue, job.name, typeof traceparent === 'string' ? traceparent : undefined),
    run,
  );
}

function describe(
  operation: Operation,
  queue: string,
  job: string,
  traceparent: string | undefined,
): NewSpan {
  return {
    name: `${operation} ${queue}`,
    kind: operation === 'send' ? 'producer' : 'consumer',
    attributes: {
      'messaging.system': 'bullmq',
      'messaging.destination.name': queue,
      'messaging.operation.name': operation,
      'messaging.operation.type': operation,
      'toprung.job': job,
    },
    continues: { traceparent },
  };
}
