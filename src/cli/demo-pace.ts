import type { RuntimeOptions } from '../boot/services.ts';

type WrapPacer = NonNullable<RuntimeOptions['wrapPacer']>;

/** Simulated stores on a clock of their own need no pace: a store's first grant is everybody's, and no refusal cools it. */
export const withoutPace: WrapPacer = (pacer) => {
  const grants = new Map<string, ReturnType<typeof pacer.acquire>>();
  return {
    ...pacer,
    acquire: (store, options) => {
      const grant = grants.get(store) ?? pacer.acquire(store, options);
      grants.set(store, grant);
      return grant;
    },
    refused: async () => undefined,
  };
};
