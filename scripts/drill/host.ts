import { everyPace } from '#config/pace-settings.ts';
import { createClient, type Client } from '#client/http.ts';
import { startToprung, type Child } from '#tests/harness/process.ts';
import type { Drill } from './drill.ts';

/** A process with one role on a server of one's own, as another host would run it. */
export function startHost(
  drill: Drill,
  role: 'api' | 'worker',
  environment: Record<string, string>,
): Child {
  return startToprung(['start', '--role', role], {
    STORE_BASE_URL: drill.simulator.baseUrl,
    // Slow enough that work is left when something is lost.
    ...everyPace('600'),
    API_PORT: '0',
    QUEUE_STALL_SECONDS: '1',
    DATA_DIR: drill.folder,
    ...environment,
  });
}

export async function waitForWorker(worker: Child): Promise<void> {
  await worker.waitFor('The worker is up');
}

/** A client of an API process, once it serves. */
export async function waitForApi(api: Child, token: string): Promise<Client> {
  const announced = / API: +(http\S+)/;
  await api.waitFor(announced);
  return createClient({ baseUrl: announced.exec(api.output())![1]!, token });
}
