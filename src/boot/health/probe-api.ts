import type { HealthProbe } from './serve-health.ts';

const timeoutMs = 2_000;

/** The API, for a web role that runs alone. Without a credential it responds with 401. */
export function probeApi(apiUrl: string): HealthProbe {
  return async () => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${apiUrl}/health`, { signal }).catch(() => null);
    await response?.body?.cancel();
    return [{ name: 'api', ok: response !== null && response.status < 500 }];
  };
}
