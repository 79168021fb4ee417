import { getHealth } from '#domain/scheduling/health/get-health.ts';
import { probeQueue } from '../probe-queue.ts';
import type { Runtime } from '../services.ts';
import type { Role } from '../start.ts';
import type { HealthProbe } from './serve-health.ts';

/**
 * What a role needs. Pages can be read while nothing can be written or enqueued, so an API is ready
 * while the database responds; a worker also needs writes and the queue. `GET /health` reports all.
 */
export function probeRuntime({ services, queues }: Runtime, role: Role): HealthProbe {
  const queue = { ...probeQueue(queues), waiting: () => Promise.resolve(null) };
  return async () => {
    const health = await getHealth(services, null, queue);
    if (role !== 'worker') return [{ name: 'database', ok: health.db.latencyMs !== null }];
    return [
      { name: 'database', ok: health.db.ok },
      { name: 'queue', ok: health.queue.ok },
    ];
  };
}
