import { updateEndpointHealth, type EndpointHealth } from '#db/queries/pacing/endpoint-health.ts';
import type { Queryable } from '#db/queries/pacing/pacing.ts';

export interface HealthWriter {
  note(health: EndpointHealth): void;
  /** Resolves when everything noted is written. */
  close(): Promise<void>;
}

/**
 * Writes the health of endpoints for other processes, which send too few requests to know it. Of
 * one that changes during a write only the newest state is written.
 */
export function createHealthWriter(options: {
  db: Queryable;
  onError: (error: unknown) => void;
}): HealthWriter {
  const waiting = new Map<string, EndpointHealth>();
  let writing: Promise<void> | null = null;
  const writeAll = async () => {
    // Includes what is noted meanwhile.
    for (const [endpoint, health] of waiting) {
      waiting.delete(endpoint);
      await updateEndpointHealth(options.db, health).catch(options.onError);
    }
    writing = null;
  };
  return {
    note(health) {
      waiting.set(health.endpoint, health);
      writing ??= writeAll();
    },
    async close() {
      await writing;
    },
  };
}
