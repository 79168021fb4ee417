import { setTimeout as sleep } from 'node:timers/promises';
import type { RuntimeOptions } from '#boot/services.ts';

type WrapPacer = NonNullable<RuntimeOptions['wrapPacer']>;

/**
 * Simulated stores on their own clock need no pace: grants are immediate, and failures cause no
 * cooldown.
 */
export const withoutPacing: WrapPacer = (pacer) => {
  const grants = new Map<string, ReturnType<typeof pacer.acquire>>();
  return {
    ...pacer,
    acquire: (store, options) => {
      const key = `${store} ${options.host ?? ''}`;
      const grant = grants.get(key) ?? pacer.acquire(store, options);
      grants.set(key, grant);
      return grant;
    },
    refused: async () => undefined,
  };
};

/** The simulated Ads API admits five requests a second. */
const adsSpacingMs = 220;

/** Waits for published popularity as short as the simulated server allows. */
export const popularityWait: NonNullable<RuntimeOptions['popularityWait']> = (ms, signal) =>
  sleep(Math.min(ms, adsSpacingMs), undefined, { signal });
