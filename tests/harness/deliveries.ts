import type { z } from 'zod';
import { eventSamples, type EventObject } from '#contract/events.ts';
import { webhooks } from '#contract/webhooks.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { emitEvents, type NewEvent } from '#domain/alerting/events/emit-events.ts';
import { registerWebhook } from '#domain/alerting/webhooks/register-webhook.ts';
import type { WebhookRecord } from '#domain/alerting/webhooks/present-webhook.ts';
import { rowQueues } from '#domain/scheduling/runs/store-work.ts';
import type { Registry } from '#jobs/registry-entry.ts';
import type { Logger } from '#lib/logger.ts';
import { startPipeline, type Pipeline } from './pipeline.ts';

export const secretsKey = 'a key for the secrets of a test, long enough';

export interface Deliveries {
  pipeline: Pipeline;
  /** A person with a new workspace. */
  join(): Promise<Ctx>;
  register(
    ctx: Ctx,
    body: Partial<z.input<(typeof webhooks)['POST /webhooks']['body']>> & { url: string },
  ): Promise<WebhookRecord & { secret?: string }>;
  emit(ctx: Ctx, events: (Partial<NewEvent> & { key: string })[]): Promise<EventObject[]>;
  /** Ticks until nothing is due at this instant and every enqueued job has ended. */
  runUntilIdle(): Promise<void>;
  /** Moves to the instant at which something is due next; false when nothing is. */
  goOn(): Promise<boolean>;
  close(): Promise<void>;
}

/** The real queue and workers that deliver to real sockets, on virtual time. */
export async function startDeliveries(
  day: string,
  options: { work?: boolean; registry?: Registry; log?: Logger } = {},
): Promise<Deliveries> {
  const pipeline = await startPipeline({
    day,
    ...options,
    environment: { WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8', ENCRYPTION_KEY: secretsKey },
  });
  const { db, runtime, clock } = pipeline;
  const { services } = runtime;
  const isIdle = async () => {
    const counts = await Promise.all(rowQueues.map((name) => runtime.queues.queue(name).counts()));
    return counts.every(({ waiting, active }) => waiting + active === 0);
  };
  const one = async (text: string, values: unknown[] = []) =>
    (await db.pool.query(text, values)).rows[0];
  return {
    pipeline,
    join: async () => {
      const { id } = await one("insert into workspaces (name) values ('test') returning id");
      const email = `person-of-${id}@example.org`;
      const { userId, sessionId } = await one(
        `with person as (insert into users (email, password_hash) values ($2, '') returning id)
         insert into sessions
           (id_hash, user_id, workspace_id, created_at, last_seen_at, expires_at)
         select sha256($2::bytea), id, $1, $3, $3, 'infinity' from person
         returning user_id as "userId", id as "sessionId"`,
        [id, email, clock.now()],
      );
      return {
        ...services,
        workspaceId: id,
        workspaceState: 'live',
        actor: {
          kind: 'session',
          userId,
          sessionId,
          role: 'owner',
          email,
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
    runUntilIdle: async () => {
      for (let dispatched = 1; dispatched > 0;) {
        dispatched = await pipeline.tick();
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
