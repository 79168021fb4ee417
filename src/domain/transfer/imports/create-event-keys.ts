import type { EventData } from '#contract/events.ts';
import type { ImportedRow } from '#contract/import-rows.ts';
import { listKnownListings, listMarketsOf } from '#db/queries/imports/imported-tracking.ts';
import { keyOf } from '#domain/alerting/alerts/alert.ts';
import type { ImportRun } from './import-run.ts';
import type { IdMap } from './id-map.ts';

type ImportedEvent = ImportedRow<'events'>;

interface Here {
  ids: IdMap;
  /** Keywords of this instance. */
  markets: ReadonlyMap<number, number>;
  /** By store and the store's id. */
  listings: ReadonlyMap<string, number>;
}

/**
 * The keys that imported alerts have here, so that none is reported again and cooldowns continue.
 * Facts identified by ids without a meaning here get a key that no local fact can have.
 */
export async function createEventKeys(
  { tx, ctx, ids }: ImportRun,
  events: readonly ImportedEvent[],
): Promise<string[]> {
  const entrants = events.flatMap(({ type, body }) =>
    type === 'serp.entrant' ? [body.data as EventData['serp.entrant']] : [],
  );
  const keywordIds = entrants.map(({ keywordId }) => keywordId);
  const here: Here = {
    ids,
    markets: await listMarketsOf(tx, ctx.workspaceId, ids.pick('keyword', keywordIds)),
    listings: await listKnownListings(
      tx,
      entrants.map(({ entrant }) => entrant),
    ),
  };
  return events.map((event) => makeKey(event, here) ?? `elsewhere:${event.body.id}`);
}

function makeKey(
  { type, app_id, body }: ImportedEvent,
  { ids, markets, listings }: Here,
): string | null {
  const data = body.data as never;
  switch (type) {
    case 'rank.dropped':
    case 'rank.improved': {
      const { keywordId, to }: EventData['rank.dropped'] = data;
      const id = ids.find('keyword', keywordId);
      return id === undefined ? null : keyOf({ type, subject: String(id) }, to.date);
    }
    case 'serp.entrant': {
      const { keywordId, entrant, date }: EventData['serp.entrant'] = data;
      const marketId = markets.get(ids.of('keyword', keywordId));
      const listingId = listings.get(`${entrant.store} ${entrant.storeAppId}`);
      return marketId === undefined || listingId === undefined
        ? null
        : keyOf({ type, subject: `${marketId}:${listingId}` }, date);
    }
    case 'review.negative': {
      const { country, storeReviewId, writtenAt, ofDay }: EventData['review.negative'] = data;
      const id = app_id === null ? undefined : ids.find('app', app_id);
      if (id === undefined) return null;
      const subject = ofDay
        ? `${id}:${ofDay.date}:${ofDay.number}`
        : `${id}:${country}:${storeReviewId}`;
      return keyOf({ type, subject }, writtenAt.slice(0, 10));
    }
    case 'action.opened': {
      const { actionId }: EventData['action.opened'] = data;
      const id = ids.find('action', actionId);
      return id === undefined ? null : `action:${id}`;
    }
    case 'digest.weekly': {
      const { week }: EventData['digest.weekly'] = data;
      return `${type}:${week}`;
    }
    case 'metadata.changed':
      return null;
  }
}
