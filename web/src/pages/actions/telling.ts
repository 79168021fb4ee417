import type { TFunction } from 'i18next';
import { formatCount, formatCountry, formatDay, formatList } from '../../format.ts';
import { readText, type Facts } from './evidence/read.ts';

/** Null where the evidence lacks what is to be told. */
export type Tell = (facts: Facts, t: TFunction) => string | null;

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

/** Null when one of them is not known. */
export function allOf<Values extends Record<string, string | number | null | undefined>>(
  values: Values,
): Known<Values> | null {
  return Object.values(values).every((value) => value !== null && value !== undefined)
    ? (values as Known<Values>)
    : null;
}

/** What a plural goes by, and the number as it is shown. */
export const counted = (count: number | null) => ({
  count,
  shown: count === null ? null : formatCount(count),
});

export function countryOf(facts: Facts): string | null {
  const code = readText(facts, 'country');
  return code && formatCountry(code);
}

export const marketOf = (facts: Facts) => ({
  phrase: readText(facts, 'phrase'),
  country: countryOf(facts),
});

/** A day of the evidence; null where it is none, as an imported file may have it. */
export function tellDay(facts: Facts | null, name: string): string | null {
  const day = facts && readText(facts, name);
  return day && Number.isFinite(Date.parse(`${day}T00:00:00Z`)) ? formatDay(day) : null;
}

/** A room's title is what a listing calls its name. */
export const fieldOfRoom = (room: Facts): string | null =>
  room.field === 'title' ? 'name' : readText(room, 'field');

/** Null when one is new here: half a list would be told as the whole. */
export function nameFields(fields: readonly (string | null)[], t: TFunction): string | null {
  const known = fieldNames.filter((name) => fields.includes(name));
  return known.length > 0 && known.length === new Set(fields).size
    ? formatList(known.map((name) => t(`alerts.field.${name}`)))
    : null;
}
