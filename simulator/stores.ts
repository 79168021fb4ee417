import type { StoreName } from '#stores/profiles.ts';
import { androidStore } from './android/store.ts';
import { iosStore } from './ios/store.ts';
import type { SimulatedStore } from './simulated-store.ts';

/** Every store of the product; one without a simulator does not compile. */
export const simulatedStores: Readonly<Record<StoreName, SimulatedStore>> = {
  ios: iosStore,
  android: androidStore,
};
