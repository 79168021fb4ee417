import { useSessionStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Listing } from '../../api.ts';
import { sessionQuery } from '../../queries/session.ts';

export type Step = 'app' | 'countries' | 'keywords' | 'positions';
export const steps: Step[] = ['app', 'countries', 'keywords', 'positions'];

export interface WizardState {
  step: Step;
  /** As typed, kept through errors and reloads. */
  input: string;
  /** Whose stores are searched; null: the one the browser is at home in. */
  country: string | null;
  listing: Listing | null;
  appId: number | null;
  countries: string[];
  /** Every phrase offered or typed, in order. */
  phrases: { phrase: string; source: string }[];
  ticked: string[];
  /** Keyword ids whose first positions are awaited. */
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

/** Big integers cannot be kept as JSON; the wizard does not show installs. */
const serialize = (value: WizardState) =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? Number(member) : member,
  );

export function useWizardState() {
  const { data: session } = useQuery(sessionQuery);
  const [state, setState, clear] = useSessionStorage<WizardState>({
    key: `toprung.welcome.${session?.workspace.id ?? 0}`,
    defaultValue: blank,
    serialize,
    deserialize: (text) => (text ? { ...blank, ...(JSON.parse(text) as WizardState) } : blank),
  });
  const change = (next: Partial<WizardState>) => setState((before) => ({ ...before, ...next }));
  return { state, change, clear };
}

const pretickCount = 10;

/** The phrases of a listing, the best ten ticked. */
export function takePhrases(listing: Listing): Pick<WizardState, 'phrases' | 'ticked'> {
  const phrases = listing.phrases.slice(0, 40);
  return { phrases, ticked: phrases.slice(0, pretickCount).map(({ phrase }) => phrase) };
}

/** An address or a bare id is looked up; anything else is a name to search for. */
export function readInput(text: string): {
  kind: 'url' | 'ios-id' | 'android-id' | 'name';
  value: string;
} {
  const value = text.trim();
  if (
    /^https?:\/\//i.test(value) ||
    /^(apps\.apple|itunes\.apple|play\.google)\.com\//i.test(value)
  )
    return { kind: 'url', value: /^https?:/i.test(value) ? value : `https://${value}` };
  if (/^(id)?\d{5,}$/i.test(value)) return { kind: 'ios-id', value: value.replace(/^id/i, '') };
  if (/^[a-z]\w*(\.\w+)+$/i.test(value)) return { kind: 'android-id', value };
  return { kind: 'name', value };
}

/** Whether an address says itself which country's store it is of. */
export const namesCountry = (url: string): boolean =>
  /apple\.com\/[a-z]{2}\//i.test(url) || /[?&]gl=[a-z]{2}\b/i.test(url);
