import { storeNames, storeProfiles, type StoreName } from '#stores/profiles.ts';
import type { Setting } from './env.ts';
import { integer } from './parsers.ts';

export type PaceSettingName = `SCRAPE_${Uppercase<StoreName>}_RPM`;

/** The setting that names a store's pace: `SCRAPE_IOS_RPM` for `ios`. */
export function paceSettingOf(store: StoreName): PaceSettingName {
  return `SCRAPE_${store.toUpperCase() as Uppercase<StoreName>}_RPM`;
}

/** One setting for each store; its default is the pace of the store's profile. */
export const paceSettings = Object.fromEntries(
  storeProfiles.map(({ id, name, pace }) => [
    paceSettingOf(id),
    {
      parse: integer(1, 1_000_000),
      fallback: String(pace.requestsPerMinute),
      meaning: `Requests per minute to the ${name} store, for each egress address.`,
    },
  ]),
) as Record<PaceSettingName, Setting<number> & { fallback: string }>;

/** The same value for the pace of every store. */
export function everyPace<Value>(value: Value): Record<PaceSettingName, Value> {
  return Object.fromEntries(storeNames.map((store) => [paceSettingOf(store), value])) as Record<
    PaceSettingName,
    Value
  >;
}
