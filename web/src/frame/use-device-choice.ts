import { useQuery } from '@tanstack/react-query';
import { listDeviceIds } from '#stores/profiles.ts';
import type { App } from '../api.ts';
import { marketsQuery } from '../queries/apps.ts';
import type { Scope } from '../scope.ts';

export interface DeviceChoice {
  devices: string[];
  /** The default of pages that show one device. Other pages show all devices. */
  initial: string | undefined;
}

/** Pages about keywords. The others do not differ by device. */
const withDevice =
  /^\/apps\/\d+(\/(keywords|distribution|competitors|suggestions|keyword-field|listing-drafts))?$/;

const ofOneDevice = /\/(suggestions|keyword-field|listing-drafts)$/;

/** The devices to choose from on a page; null if there is no choice. */
export function useDeviceChoice(
  app: App | undefined,
  path: string,
  scope: Scope,
): DeviceChoice | null {
  const all = app && withDevice.test(path) ? listDeviceIds(app.store) : [];
  const hasSeveral = all.length > 1;
  const { data } = useQuery({ ...marketsQuery(app?.id ?? 0), enabled: hasSeveral });
  if (!hasSeveral) return null;
  if (ofOneDevice.test(path)) return { devices: all, initial: all[0] };
  const tracked = new Set(data?.items.flatMap(({ devices }) => devices));
  const devices = all.filter((device) => tracked.has(device) || device === scope.device);
  return devices.length > 1 || scope.device ? { devices, initial: undefined } : null;
}
