import { chunk } from '#lib/chunk.ts';
import { call, type ResponseOf } from '#web/api.ts';

type Price = ResponseOf<'POST /apps/{id}/keywords/preview'>['items'][number];

/** Keywords of a request. */
export const most = 200;

/** The costs of phrases in countries, in as few requests as their limit allows. */
export async function requestPrices(
  appId: number,
  phrases: readonly string[],
  countries: string[],
  signal: AbortSignal,
): Promise<Price[]> {
  const responses = await Promise.all(
    chunk(phrases, Math.max(1, Math.floor(most / countries.length))).map((some) =>
      call(
        'POST /apps/{id}/keywords/preview',
        { params: { id: appId }, body: { phrases: some, countries } },
        signal,
      ),
    ),
  );
  return responses.flatMap(({ items }) => items);
}
