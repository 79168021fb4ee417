import { useSessionStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { isTypedAddress, readTypedAppId, storeProfiles } from '#stores/profiles.ts';
import type { Listing, Store } from '#web/api.ts';
import { setupKey } from '#web/frame/finished-setups.ts';
import { sessionQuery } from '#web/queries/session.ts';

export type Step = 'app' | 'countries' | 'keywords' | 'positions';
export const steps: Step[] = ['app', 'countries', 'keywords', 'positions'];

export interface WizardState {
  step: Step;
  /** The input, kept through errors and reloads. */
  input: string;
  /** The country to search in; null for the country of the browser. */
  country: string | null;
  listing: Listing | null;
  appId: number | null;
  countries: string[];
  /** All suggested or typed phrases in order. */
  phrases: { phrase: string; source: string }[];
  ticked: string[];
  /** Ids of keywords with pending first positions. */
  addedIds: number[];
}

const blank: WizardState = {
  step: 'app',
  input: '',
  country: null,
  listing: null,
  appId: null,
  countries: [],
  phrases: [],
  ticked: [],
  addedIds: [],
};

/** BigInt cannot be stored as JSON; the wizard does not show installs. */
const serialize = (value: WizardState) =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? Number(member) : member,
  );

export function useWizardState() {
  const { data: session } = useQuery(sessionQuery);
  const [state, setState, clear] = useSessionStorage<WizardState>({
    key: setupKey(session?.workspace.id ?? 0),
    defaultValue: blank,
    serialize,
    deserialize: (text) => (text ? { ...blank, ...(JSON.parse(text) as WizardState) } : blank),
  });
  const change = (next: Partial<WizardState>) => setState((before) => ({ ...before, ...next }));
  return { state, change, clear };
}

const pretickCount = 10;

/** The phrases of a listing with the best ten selected. */
export function pickInitialPhrases(listing: Listing): Pick<WizardState, 'phrases' | 'ticked'> {
  const phrases = listing.phrases.slice(0, 40);
  return { phrases, ticked: phrases.slice(0, pretickCount).map(({ phrase }) => phrase) };
}

export type WizardInput =
  | { kind: 'url'; value: string }
  | { kind: 'id'; value: string; store: Store }
  | { kind: 'name'; value: string };

/** A URL or id is looked up; anything else is searched by name. */
export function readInput(text: string): WizardInput {
  const value = text.trim();
  if (isTypedAddress(value)) return { kind: 'url', value };
  for (const profile of storeProfiles) {
    const id = readTypedAppId(profile, value);
    if (id !== null) return { kind: 'id', value: id, store: profile.id };
  }
  return { kind: 'name', value };
}

/** Whether a URL names the country of its store. */
export const namesCountry = (url: string): boolean =>
  storeProfiles.some(({ appAddress }) => appAddress.country.test(url));
