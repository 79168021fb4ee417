import type { z } from 'zod';
import { eventSamples, type EventObject } from '../../src/contract/events.ts';
import { webhooks } from '../../src/contract/webhooks.ts';
import { inSystem, type Ctx } from '../../src/domain/context.ts';
import { emitEvents, type NewEvent } from '../../src/domain/events/emit.ts';
import { registerWebhook } from '../../src/domain/webhooks/register-webhook.ts';
import type { WebhookRecord } from '../../src/domain/webhooks/present-webhook.ts';
import { startPipeline, type Pipeline } from './pipeline.ts';

export const secretsKey = 'a key for the secrets of a test, long enough';

export interface Deliveries {
  pipeline: Pipeline;
  /** Someone of a new workspace. */
  join(): Promise<Ctx>;
  register(
    ctx: Ctx,
    body: Partial<z.input<(typeof webhooks)['POST /webhooks']['body']>> & { url: string },
  ): Promise<WebhookRecord & { secret?: string }>;
  emit(ctx: Ctx, events: (Partial<NewEvent> & { key: string })[]): Promise<EventObject[]>;
  /** Beats until nothing is due at this instant and all that was due is done. */
  settle(): Promise<void>;
  /** Moves to the instant at which something is due next; false when nothing is. */
  goOn(): Promise<boolean>;
  close(): Promise<void>;
}

/** The real queue and workers that deliver to real sockets, on virtual time. */
export async function startDeliveries(
  day: string,
  options: { work?: boolean } = {},
): Promise<Deliveries> {
  const pipeline = await startPipeline({
    day,
    ...options,
    environment: { WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8', SECRETS_KEY: secretsKey },
  });
  const { db, runtime, clock } = pipeline;
  const { services } = runtime;
  const isIdle = async () => {
    const counts = await Promise.all(
      ['house', 'deliveries'].map((name) => runtime.queues.queue(name).counts()),
    );
    return counts.every(({ waiting, active }) => waiting + active === 0);
  };
  const one = async (text: string, values: unknown[] = []) =>
    (await db.pool.query(text, values)).rows[0];
  return {
    pipeline,
    join: async () => {
      const { id } = await one("insert into workspaces (name) values ('test') returning id");
      return {
        ...services,
        workspaceId: id,
        workspaceState: 'live',
        actor: {
          kind: 'session',
          userId: 1,
          sessionId: 1,
          role: 'owner',
          email: 'a@b.c',
          operator: false,
        },
      };
    },
    register: (ctx, body) =>
      registerWebhook(
        ctx,
        webhooks['POST /webhooks'].body.parse({ events: ['rank.dropped'], ...body }),
      ),
    emit: (ctx, events) => {
      const whole = events.map((event) => {
        const type = event.type ?? 'rank.dropped';
        return {
          workspaceId: ctx.workspaceId,
          type,
          appId: null,
          occurredAt: clock.now(),
          data: eventSamples[type],
          ...event,
        } as NewEvent;
      });
      return inSystem(services, (tx) => emitEvents(tx, services, whole));
    },
    settle: async () => {
      for (let dispatched = 1; dispatched > 0;) {
        dispatched = await pipeline.beat();
        while (!(await isIdle())) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    goOn: async () => {
      const { at } = await one("select min(next_at) as at from deliveries where state = 'pending'");
      if (at !== null && at > clock.now()) clock.set(at);
      return at !== null;
    },
    close: () => pipeline.close(),
  };
}
