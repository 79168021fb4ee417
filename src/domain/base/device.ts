import { deviceIds, listDeviceIds, type StoreName } from './ports.ts';
import { invalid, type PlainIssue } from './errors.ts';

/**
 * The devices that an app's keywords can be on, the default first. An unknown app is rejected
 * later, so it may have any of them.
 */
export const devicesOf = (app: { store: StoreName } | undefined): readonly string[] =>
  app === undefined ? deviceIds : listDeviceIds(app.store);

/** The issue of a requested device that the store lacks. */
export function findDeviceIssue(
  path: string,
  device: string | undefined,
  devices: readonly string[],
): PlainIssue | null {
  if (device === undefined || devices.includes(device)) return null;
  return {
    path,
    code: 'not_one_of',
    message: describe(devices),
    limit: null,
    actual: device.toWellFormed(),
  };
}

/** The requested device or the store's first one. Throws invalid_request. */
export function readDevice(path: string, device: string | undefined, store: StoreName): string {
  const devices = listDeviceIds(store);
  if (device !== undefined && !devices.includes(device))
    throw invalid(path, describe(devices), device.toWellFormed());
  return device ?? devices[0]!;
}

const describe = (devices: readonly string[]): string => `one of ${devices.join(', ')}`;
