import { useQuery } from '@tanstack/react-query';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { marketsQuery } from '../queries/apps.ts';
import { maxDays, type Scope } from '../scope.ts';

/** The first day with data of an app in the country of the scope, within the longest range. */
export function useFirstDay(appId: number | undefined, { country }: Scope): string | undefined {
  const { data } = useQuery({ ...marketsQuery(appId ?? 0), enabled: appId !== undefined });
  const [first] = (data?.items ?? [])
    .filter((market) => country === undefined || market.country === country)
    .map(({ firstDay }) => firstDay)
    .toSorted();
  const earliest = addDays(utcDayOf(new Date()), 1 - maxDays);
  return first === undefined || first > earliest ? first : earliest;
}
