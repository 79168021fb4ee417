import { storeProfiles, type StoreName } from '#stores/profiles.ts';
import type { HostPace } from '#stores/profile.ts';
import type { Setting } from './env.ts';
import { integer } from './parsers.ts';

type PaceSetting = Setting<number> & { fallback: string };
export type PaceSettingName = `SCRAPE_${Uppercase<StoreName>}_RPM`;

/** The setting that names a store's pace: `SCRAPE_IOS_RPM` for `ios`. */
export function paceSettingOf(store: StoreName): PaceSettingName {
  return `SCRAPE_${store.toUpperCase() as Uppercase<StoreName>}_RPM`;
}

/** The setting that names the pace of a store's host: `SCRAPE_IOS_WEB_RPM`. */
const hostPaceSettingOf = (store: StoreName, { name }: HostPace): string =>
  `SCRAPE_${store}_${name}_RPM`.toUpperCase();

/** The configured pace of each host that has its own, by host. */
export function hostPacesIn(config: object): Record<string, number> {
  const values = config as Record<string, number>;
  return Object.fromEntries(
    storeProfiles.flatMap(({ id, pace }) =>
      (pace.hosts ?? []).map((host) => [host.host, values[hostPaceSettingOf(id, host)]!]),
    ),
  );
}

const paceSetting = (requestsPerMinute: number, to: string): PaceSetting => ({
  parse: integer(1, 1_000_000),
  fallback: String(requestsPerMinute),
  meaning: `Requests per minute to ${to}, for each egress address.`,
});

/** One setting for each store and for each host with a pace of its own, as in its profile. */
export const paceSettings = Object.fromEntries(
  storeProfiles.flatMap(({ id, name, pace }) => [
    [paceSettingOf(id), paceSetting(pace.requestsPerMinute, `the ${name} store`)],
    ...(pace.hosts ?? []).map((host) => [
      hostPaceSettingOf(id, host),
      paceSetting(host.requestsPerMinute, `${host.host}, which has ${host.serves}`),
    ]),
  ]),
) as Record<PaceSettingName, PaceSetting>;

/** The same value for the pace of every store and host. */
export function everyPace<Value>(value: Value): Record<PaceSettingName, Value> {
  const names = Object.keys(paceSettings) as PaceSettingName[];
  return Object.fromEntries(names.map((name) => [name, value])) as Record<PaceSettingName, Value>;
}
