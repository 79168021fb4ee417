import type { EventData } from '../../contract/events.ts';
import type { ImportedRow } from '../../contract/import-rows.ts';
import { listKnownListings, listMarketsOf } from '../../db/queries/imported-following.ts';
import { keyOf } from '../alerts/alert.ts';
import type { ImportRun } from './import-run.ts';
import type { NewIds } from './new-ids.ts';

type Told = ImportedRow<'events'>;

interface Here {
  ids: NewIds;
  /** Of keywords of here. */
  markets: ReadonlyMap<number, number>;
  /** By store and the store's id. */
  listings: ReadonlyMap<string, number>;
}

/**
 * The keys that the told facts would have here, so that none is told again, and each cooldown holds. What is known by ids that
 * mean nothing here gets a key that no fact of here can have.
 */
export async function makeEventKeys(
  { tx, ctx, ids }: ImportRun,
  events: readonly Told[],
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

function makeKey({ type, app_id, body }: Told, { ids, markets, listings }: Here): string | null {
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
      const { country, storeReviewId, writtenAt }: EventData['review.negative'] = data;
      const id = app_id === null ? undefined : ids.find('app', app_id);
      return id === undefined
        ? null
        : keyOf({ type, subject: `${id}:${country}:${storeReviewId}` }, writtenAt.slice(0, 10));
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
