import { join } from 'node:path';
import { readConfig, type Config } from '#config/env.ts';
import { everyPace } from '#config/pace-settings.ts';

/** Where the demo listens, how it is reached, and what it logs. */
const kept = [
  'WEB_PORT',
  'API_PORT',
  'WEB_HOST',
  'API_HOST',
  'WEB_SOCKET',
  'HEALTH_SOCKET',
  'PUBLIC_URL',
  'TRUST_PROXY',
  'INSECURE_COOKIES',
  'LOG_LEVEL',
] as const satisfies (keyof Config)[];

/**
 * The settings of the demo. All others have their defaults: in a shell with those of an instance,
 * the demo must not use its proxies, mail server, payments or backups.
 */
export function configureDemo(given: Config, storeBaseUrl: string): Config {
  return {
    ...readConfig({}),
    ...Object.fromEntries(kept.map((name) => [name, given[name]])),
    DATA_DIR: join(given.DATA_DIR, 'demo'),
    STORE_BASE_URL: storeBaseUrl,
    ...everyPace(120),
  };
}
