import { availableParallelism, totalmem } from 'node:os';
import type { z } from 'zod';
import type { admin } from '#contract/admin.ts';
import { getCapacity } from '#domain/accounts/admin/get-capacity.ts';
import { listProxies, listStores } from '#domain/accounts/admin/list-stores.ts';
import type { Ctx } from '#domain/base/context.ts';
import { listBackups } from '#domain/scheduling/backups/list-backups.ts';
import { getInstanceRecord } from '#domain/scheduling/health/get-instance-record.ts';
import { createRedactor } from '#lib/redact.ts';
import { reportHealth } from './health.ts';
import type { ApiContext } from './plugins/context.ts';

export type Diagnostics = z.input<(typeof admin)['GET /admin/diagnostics']['responses'][200]>;

/**
 * One document about the instance, to be sent to others. Every text is redacted at the end, because
 * messages of other programs may quote an address or a password.
 */
export async function collectDiagnostics(ctx: Ctx, api: ApiContext): Promise<Diagnostics> {
  const [findings, health, { consumers: _, ...capacity }, stores, proxies, backups, record] =
    await Promise.all([
      api.diagnostics.examine(),
      reportHealth(ctx, api),
      getCapacity(ctx),
      listStores(ctx),
      listProxies(ctx),
      listBackups(ctx),
      getInstanceRecord(ctx),
    ]);
  const redact = createRedactor(api.diagnostics.secrets());
  return redact({
    generatedAt: ctx.clock.now().toISOString(),
    machine: describeMachine(),
    findings,
    settings: api.diagnostics.settings(),
    health,
    capacity,
    stores: stores.items,
    proxies: proxies.items,
    backups: backups.items,
    ...record,
  });
}

function describeMachine(): Diagnostics['machine'] {
  return {
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    processBytes: process.memoryUsage.rss(),
  };
}
