import { useSearch } from '@tanstack/react-router';
import { listDeviceIds } from '#stores/profiles.ts';
import { readScope, type Scope } from '../scope.ts';
import { useCurrentApp } from './current-app.ts';

/**
 * The scope of the address. A device that the app's store lacks is left out, since the address
 * keeps it when another app is opened.
 */
export function useScope(): Scope {
  const { device, ...scope } = readScope(useSearch({ strict: false }));
  const app = useCurrentApp();
  if (!device || (app && !listDeviceIds(app.store).includes(device))) return scope;
  return { ...scope, device };
}
