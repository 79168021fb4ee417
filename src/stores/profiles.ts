/** The list of stores. All other code that differs by store reads it. */
import { androidProfile } from './android/profile.ts';
import { iosProfile } from './ios/profile.ts';
import type { Device, StoreProfile, StoreTaskKind } from './profile.ts';

export * from './profile.ts';

/** Lists and reports show the stores in this order. */
const profiles = [iosProfile, androidProfile] as const;

export type StoreName = (typeof profiles)[number]['id'];

export const storeProfiles: readonly StoreProfile<StoreName>[] = profiles;
export const storeNames = profiles.map(({ id }) => id) as [StoreName, ...StoreName[]];

const profilesById = new Map<string, StoreProfile<StoreName>>(
  storeProfiles.map((profile) => [profile.id, profile]),
);

export function isStoreName(text: string): text is StoreName {
  return profilesById.has(text);
}

/** Throws for an unknown store, so that none is ever mistaken for another one. */
export function profileOf(store: StoreName): StoreProfile<StoreName> {
  const profile = profilesById.get(store);
  if (!profile)
    throw new Error(`unknown store "${store as string}"; known are ${storeNames.join(', ')}`);
  return profile;
}

export function mapStores<Value>(
  make: (profile: StoreProfile<StoreName>) => Value,
): Record<StoreName, Value> {
  return Object.fromEntries(storeProfiles.map((profile) => [profile.id, make(profile)])) as Record<
    StoreName,
    Value
  >;
}

/** The devices of all stores. */
export const deviceIds = [
  ...new Set(storeProfiles.flatMap(({ devices }) => devices.map(({ id }) => id))),
] as [string, ...string[]];

/** The device of a keyword that names none. */
export const defaultDeviceOf = (store: StoreName): string => profileOf(store).devices[0].id;

export const listDeviceIds = (store: StoreName): string[] =>
  profileOf(store).devices.map(({ id }) => id);

const devicesById = new Map(
  storeProfiles.flatMap(({ devices }) => devices.map((device) => [device.id, device])),
);

/** Undefined for an id that no store has. */
export const deviceOf = (id: string): Device | undefined => devicesById.get(id);

const otherDevices = new Map(
  storeProfiles.flatMap(({ devices }) => devices.slice(1).map(({ id, name }) => [id, name])),
);

/** The name of a device where texts name it: null for the first one of a store. */
export const nameOtherDevice = (device: string | undefined): string | null =>
  otherDevices.get(device ?? '') ?? null;

/** The devices whose results a search provider has; none for an unknown provider. */
export const devicesServedBy = (store: StoreName, provider: string): readonly string[] =>
  profileOf(store).search.providers.find(({ name }) => name === provider)?.devices ?? [];

export const servesDevice = (store: StoreName, provider: string, device: string): boolean =>
  devicesServedBy(store, provider).includes(device);

/** The search providers that are asked unless the operator chooses. */
export const defaultProvidersOf = ({ search }: StoreProfile): string[] =>
  search.providers.filter(({ isDefault }) => isDefault).map(({ name }) => name);

/** The first provider whose results all have the facts of their apps. */
export function detailedProviderOf(store: StoreName): string {
  const { providers } = profileOf(store).search;
  return (providers.find(({ hasAllCards }) => hasAllCards) ?? providers[0]).name;
}

/**
 * The most requests that a search takes. The SQL function `search_requests` has the same formula.
 */
export function searchRequests(store: StoreName, depth: number): number {
  const { firstPage, nextPage } = profileOf(store).search;
  return 1 + Math.ceil(Math.max(0, depth - firstPage) / nextPage);
}

/** A day's requests for the names of results that a provider gives by id alone, by country. */
export function resultLookups(store: StoreName, provider: string): 0 | 1 {
  const found = profileOf(store).search.providers.find(({ name }) => name === provider);
  return found === undefined || found.hasAllCards ? 0 : 1;
}

/** The host with a pace of its own to which a provider's searches go. */
export const searchHostOf = (store: StoreName, provider: string | undefined): string | undefined =>
  profileOf(store).search.providers.find(({ name }) => name === provider)?.host;

/** The same for a kind of tasks. */
export const taskHostOf = (store: StoreName, kind: StoreTaskKind): string | undefined =>
  profileOf(store).tasks[kind]?.host;

export function hasTask(store: StoreName, kind: StoreTaskKind): boolean {
  return profileOf(store).tasks[kind] !== undefined;
}

/** The requests of one task before its own are known; 0 for a kind that the store lacks. */
export function usualTaskRequests(store: StoreName, kind: StoreTaskKind): number {
  return profileOf(store).tasks[kind]?.usualRequests ?? 0;
}

/**
 * The locale that a storefront shows first; null for a store whose requests name a language.
 */
export function storefrontLocaleOf(store: StoreName, country: string): string | null {
  const { storefrontLocales } = profileOf(store);
  if (!storefrontLocales) return null;
  const { countries, elsewhere } = storefrontLocales;
  const entry = Object.entries(countries).find(([, shown]) => shown.split(' ').includes(country));
  return entry?.[0] ?? elsewhere;
}

/** The longest keyword field of any store. The profile has the limit of each store. */
export const maxKeywordFieldCharacters = Math.max(
  0,
  ...storeProfiles.map(({ texts }) => texts.keywordField?.max ?? 0),
);

/** True for an id that the store could have assigned. */
export function isAppIdOf({ appId }: StoreProfile, text: unknown): text is string {
  return typeof text === 'string' && text.length <= appId.maxLength && appId.pattern.test(text);
}

/** The id in a text that looks like an id of this store, or null. */
export function readTypedAppId({ appId }: StoreProfile, text: string): string | null {
  return appId.typed.exec(text.trim())?.[1] ?? null;
}

/** True for a web address, and for one of a store whose scheme is missing. */
export function isTypedAddress(text: string): boolean {
  const address = text.toLowerCase();
  return (
    /^https?:\/\//.test(address) ||
    storeProfiles.some(({ appAddress }) =>
      appAddress.hosts.some((host) => address.startsWith(`${host}/`)),
    )
  );
}

/**
 * The part of a picture's address that identifies it, whatever its size. Null for an address that
 * is not on one of the store's image servers.
 */
export function imageIdentityOf(store: StoreName, address: string): string | null {
  const { images } = profileOf(store);
  if (images === null || address.length > 1_000 || !URL.canParse(address)) return null;
  const { protocol, host, username, password, pathname } = new URL(address);
  const isPlain = protocol === 'https:' && username === '' && password === '';
  if (!isPlain || ![images.host, ...images.otherHosts].includes(host)) return null;
  const identity = pathname.replace(images.size.pattern, '');
  // A path is longer than its address where characters are encoded.
  return identity.startsWith('/') && identity.length <= 1_000 ? identity : null;
}
