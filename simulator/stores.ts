import type { StoreName } from '#stores/profiles.ts';
import { androidStore } from './android/store.ts';
import { iosStore } from './ios/store.ts';
import type { SimulatedStore } from './simulated-store.ts';

/** The simulator of each store. A listed store without one does not compile. */
export const simulatedStores: Readonly<Record<StoreName, SimulatedStore>> = {
  ios: iosStore,
  android: androidStore,
};
