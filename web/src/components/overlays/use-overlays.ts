import { useState } from 'react';
import type * as library from './library.tsx';

export type Overlays = typeof library;

/**
 * Loads the overlays, with contents that a folder adds to them. It is one function for each folder,
 * because what it has loaded is kept for it.
 */
export type LoadOverlays<Loaded extends Overlays = Overlays> = () => Promise<Loaded>;

const kept = new Map<LoadOverlays, Overlays>();

const loadLibrary: LoadOverlays = () => import('./library.tsx');

interface OverlaysInUse<Loaded> {
  /** Missing until they are requested and loaded. */
  overlays: Loaded | null;
  /** Loads them without using them, so that a request is faster. Failures are ignored. */
  prepare: () => void;
  /** Rejects if they cannot be loaded. */
  request: () => Promise<void>;
}

export function useOverlays(): OverlaysInUse<Overlays>;
export function useOverlays<Loaded extends Overlays>(
  load: LoadOverlays<Loaded>,
): OverlaysInUse<Loaded>;
/** Menus, lists and tooltips, which load when a control that opens one is used. */
export function useOverlays(load: LoadOverlays = loadLibrary): OverlaysInUse<Overlays> {
  const [overlays, setOverlays] = useState(() => kept.get(load) ?? null);
  const keep = async () => {
    const loaded = await load();
    kept.set(load, loaded);
    return loaded;
  };
  const prepare = () => void keep().catch(() => undefined);
  // Without waiting if they are loaded, so that a key press reaches what it opens.
  const request = async () => setOverlays(kept.get(load) ?? (await keep()));
  return { overlays, prepare, request };
}
