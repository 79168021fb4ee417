import type { TFunction } from 'i18next';
import { formatCount, formatCountry, formatDay, formatList, formatMarket } from '#web/format.ts';
import { readText, type Facts } from './evidence/parse-facts.ts';

/** Returns null if the evidence lacks a value. */
export type FormatFacts = (facts: Facts, t: TFunction) => string | null;

const fieldNames = [
  'name',
  'subtitle',
  'summary',
  'iconUrl',
  'screenshotUrls',
  'price',
  'category',
] as const;

type Known<Values> = { [Name in keyof Values]: NonNullable<Values[Name]> };

/** Null if any value is missing. */
export function allOf<Values extends Record<string, string | number | null | undefined>>(
  values: Values,
): Known<Values> | null {
  return Object.values(values).every((value) => value !== null && value !== undefined)
    ? (values as Known<Values>)
    : null;
}

/** The count that selects the plural, and the number as it is shown. */
export const counted = (count: number | null) => ({
  count,
  shown: count === null ? null : formatCount(count),
});

export function countryOf(facts: Facts): string | null {
  const code = readText(facts, 'country');
  return code && formatCountry(code);
}

export function marketOf(facts: Facts) {
  const [country, device] = [readText(facts, 'country'), readText(facts, 'device') ?? undefined];
  return {
    phrase: readText(facts, 'phrase'),
    country: country && formatMarket({ country, device }),
  };
}

/** A day of the evidence. Null if it is invalid, as in imported files. */
export function formatFactDay(facts: Facts | null, name: string): string | null {
  const day = facts && readText(facts, name);
  return day && Number.isFinite(Date.parse(`${day}T00:00:00Z`)) ? formatDay(day) : null;
}

/** The listing's `name` field is its title. */
export const fieldWithUnusedSpace = (space: Facts): string | null =>
  space.field === 'title' ? 'name' : readText(space, 'field');

/** Null if a field is unknown, because a partial list would look complete. */
export function nameFields(fields: readonly (string | null)[], t: TFunction): string | null {
  const known = fieldNames.filter((name) => fields.includes(name));
  return known.length > 0 && known.length === new Set(fields).size
    ? formatList(known.map((name) => t(`alerts.field.${name}`)))
    : null;
}
