import { useState } from 'react';
import type * as overlaysModule from './overlays.tsx';

export type Overlays = typeof overlaysModule;

let loaded: Overlays | null = null;

interface OverlaysInUse {
  /** Missing until they are requested and loaded. */
  overlays: Overlays | null;
  /** Loads them without using them, so that a request is faster. Failures are ignored. */
  prepare: () => void;
  /** Rejects if they cannot be loaded. */
  request: () => Promise<void>;
}

const load = async (): Promise<Overlays> => (loaded ??= await import('./overlays.tsx'));

/** Menus, lists and tooltips, which load when a control that opens one is used. */
export function useOverlays(): OverlaysInUse {
  const [overlays, setOverlays] = useState(loaded);
  const prepare = () => void load().catch(() => undefined);
  // Without waiting if they are loaded, so that a key press reaches what it opens.
  const request = async () => setOverlays(loaded ?? (await load()));
  return { overlays, prepare, request };
}
