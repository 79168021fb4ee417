import { getHealth } from '#domain/scheduling/health/get-health.ts';
import { probeQueue } from '../probe-queue.ts';
import type { Runtime } from '../services.ts';
import type { HealthProbe } from './serve-health.ts';

/** The database and the queue, as in `GET /health`. */
export function probeRuntime({ services, queues }: Runtime): HealthProbe {
  const queue = { ...probeQueue(queues), waiting: () => Promise.resolve(null) };
  return async () => {
    const health = await getHealth(services, null, queue);
    return [
      { name: 'database', ok: health.db.ok },
      { name: 'queue', ok: health.queue.ok },
    ];
  };
}
