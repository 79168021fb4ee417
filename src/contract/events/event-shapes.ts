import { z } from 'zod';
import { nameOtherDevice, profileOf, type StoreName } from '#stores/profiles.ts';
import { country, device, id, storeName } from '../common.ts';

export const keywordFields = {
  keywordId: id,
  phrase: z.string(),
  country,
  /** An event is stored as it was delivered, so older ones have none. */
  device: device
    .optional()
    .meta({ description: 'Missing in old events, which are about the first device of the store.' }),
};

/** `us`, or `us, iPad`: the first device of a store goes without saying. */
export function formatCountryAndDevice({
  country: where,
  device: on,
}: {
  country: string;
  device?: string | undefined;
}): string {
  const name = nameOtherDevice(on);
  return name === null ? where : `${where}, ${name}`;
}

/** `Lumen Habits (iOS)`: one app has the same name in both stores. */
export const nameWithStore = ({ name, store }: { name: string; store: StoreName }): string =>
  `${name} (${profileOf(store).name})`;

export const eventListing = z.strictObject({
  store: storeName,
  storeAppId: z.string(),
  name: z.string().nullable(),
  developer: z.string().nullable(),
});

/** The keyword and the listing of the samples. */
export const sampleKeyword = {
  keywordId: 481,
  phrase: 'habit tracker',
  country: 'us',
  device: 'iphone',
};
export const sampleListing = {
  store: 'ios' as const,
  storeAppId: '1500000007',
  name: 'Lumen Habits',
  developer: 'Lumen Labs',
};
