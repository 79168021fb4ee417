import type { z } from 'zod';
import type { health } from '#contract/service.ts';
import type { Ctx } from '#domain/base/context.ts';
import { getHealth } from '#domain/scheduling/health/get-health.ts';
import type { ApiContext } from './plugins/context.ts';

/** The state of this process and of all that it needs. */
export async function reportHealth(
  ctx: Ctx | null,
  api: Pick<ApiContext, 'services' | 'queue' | 'replica' | 'version' | 'startedAtMs'>,
): Promise<z.input<typeof health>> {
  const facts = await getHealth(api.services, ctx, api.queue, api.replica);
  return {
    status: facts.db.ok && facts.queue.ok ? 'ok' : 'degraded',
    version: api.version,
    uptimeSeconds: Math.floor((performance.now() - api.startedAtMs) / 1_000),
    ...facts,
  };
}
