import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface LabelledMarket {
  marketId: number;
  store: StoreName;
  country: string;
  phrase: string;
}

/** One market of each phrase that is known, whatever the device; one with hints if there is one. */
export async function listLabelledMarkets(
  db: Db,
  phrases: readonly { store: string; country: string; phrase: string }[],
): Promise<LabelledMarket[]> {
  const { rows } = await sql<
    Row<'labelled-markets', LabelledMarket, 'store'>
  >`/* labelled-markets */
    select distinct on (m.store, m.country, m.phrase)
      m.id as "marketId", m.store, m.country, m.phrase
    from unnest(${phrases.map(({ store }) => store)}::text[],
      ${phrases.map(({ country }) => country)}::text[],
      ${phrases.map(({ phrase }) => phrase)}::text[]) as w(store, country, phrase)
    join markets m on m.store = w.store and m.country = w.country and m.phrase = w.phrase
    left join hint_evidence h on h.market_id = m.id
    order by m.store, m.country, m.phrase, h.market_id is null, m.id`.execute(db);
  return rows;
}

export interface EvaluatedKeyword {
  marketId: number;
  trackingPeriods: unknown;
}

/** Live keywords of the workspace in a store, the newest first. */
export async function listEvaluatedKeywords(
  tx: Tx,
  workspaceId: number,
  { store, limit }: { store: StoreName; limit: number },
): Promise<EvaluatedKeyword[]> {
  const { rows } = await sql<Row<'evaluated-keywords', EvaluatedKeyword>>`/* evaluated-keywords */
    select k.market_id as "marketId", k.tracking_periods as "trackingPeriods"
    from keywords k join markets m on m.id = k.market_id
    where k.workspace_id = ${workspaceId} and k.archived_at is null and m.store = ${store}
    order by k.id desc limit ${limit}`.execute(tx);
  return rows;
}
