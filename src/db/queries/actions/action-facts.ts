import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import {
  appSpans,
  endOfOwnTexts,
  newestOwnDay,
  storefrontsOfApp,
} from '../followed-spans/followed-spans.ts';
import { nameIn } from '../listings/listing-names.ts';
import { isOwnScore } from '../suggestions/suggestions.ts';

export interface ActionApp {
  id: number;
  listingId: number;
  store: StoreName;
  name: string;
  primaryCountry: string;
}

/** The live apps of a workspace, ordered by id. */
export async function listActionApps(tx: Tx, workspaceId: number): Promise<ActionApp[]> {
  const { rows } = await sql<Row<'list-action-apps', ActionApp, 'store'>>`
    select a.id, a.listing_id as "listingId", l.store,
      coalesce(a.display_name, ${nameIn(sql`a.primary_country`)}, l.store_app_id) as name,
      a.primary_country as "primaryCountry"
    from apps a join listings l on l.id = a.listing_id
    where a.workspace_id = ${workspaceId} and a.archived_at is null order by a.id`.execute(tx);
  return rows;
}

export interface AppTextRow {
  country: string;
  name: string | null;
  developer: string | null;
  subtitle: string | null;
  isSubtitleKnown: boolean;
  summary: string | null;
  description: string | null;
  readOn: string;
}

const describedCharacters = 4_000;

/**
 * The app's listing in its primary country and in the countries of its keywords, as it was while
 * they were followed. Countries that were never read are omitted.
 */
export async function listAppTexts(
  tx: Tx,
  workspaceId: number,
  appId: number,
): Promise<AppTextRow[]> {
  const { rows } = await sql<Row<'action-app-texts', AppTextRow, 'readOn'>>`/* action-app-texts */
    select f.country, s.fields->>'name' as name, s.fields->>'developer' as developer,
      s.fields->>'subtitle' as subtitle,
      s.fields->>'subtitle' is not null or exists (
        select from store_tasks c
        where c.store = l.store and c.kind = 'page' and c.country = f.country
          and c.listing_id = a.listing_id and c.read_on is not null
      ) as "isSubtitleKnown",
      s.fields->>'summary' as summary, left(s.fields->>'description', ${describedCharacters}::int)
        as description,
      greatest((next_followed(f.spans, s.taken_at) at time zone 'UTC')::date, d.on_date)::text
        as "readOn"
    from apps a join listings l on l.id = a.listing_id
    cross join lateral (
      select country, range_agg(spans) * ${appSpans} as spans
      from (${storefrontsOfApp(workspaceId)}) as storefronts group by country
    ) f
    ${newestOwnDay(sql`a.listing_id`, sql`f.country`, sql`f.spans`)}
    cross join lateral (
      select fields, taken_at from snapshots where listing_id = a.listing_id and country = f.country
        and taken_at < ${endOfOwnTexts(sql`f.spans`)} order by id desc limit 1
    ) s
    where a.workspace_id = ${workspaceId} and a.id = ${appId}
    order by f.country`.execute(tx);
  return rows;
}

/** The current keyword field of each locale. Empty fields are omitted. */
export async function listCurrentKeywordFields(
  tx: Tx,
  workspaceId: number,
  appId: number,
): Promise<{ locale: string; normalized: string; savedOn: string }[]> {
  const { rows } = await sql<Row<'list-current-keyword-fields'>>`
    select locale, normalized, "savedOn" from (
      select distinct on (locale) locale, normalized,
        (saved_at at time zone 'UTC')::date::text as "savedOn" from keyword_fields
      where workspace_id = ${workspaceId} and app_id = ${appId} order by locale, id desc
    ) latest where normalized <> '' order by locale`.execute(tx);
  return rows;
}

export interface UnansweredRow {
  keywordId: number;
  country: string;
  trackingPeriods: unknown;
  /** Oldest first. */
  dates: string[];
  /** The reason for the most recent failure. */
  marker: string | null;
}

/**
 * Tracked keywords whose market had failed checks on days since `since`, with no successful check
 * after them.
 */
export async function listUnanswered(
  tx: Tx,
  workspaceId: number,
  appId: number,
  since: string,
): Promise<UnansweredRow[]> {
  const { rows } = await sql<
    Row<'action-unanswered', UnansweredRow, 'dates'>
  >`/* action-unanswered */
    select k.id as "keywordId", k.country, k.tracking_periods as "trackingPeriods", g.dates,
      g.marker
    from keywords k
    cross join lateral (
      select array_agg(on_date::text order by on_date) as dates,
        (array_agg(marker order by on_date desc))[1] as marker
      from market_gaps
      where market_id = k.market_id and reason = 'store_error'
        and on_date >= greatest(${since}::date, k.latest_on + 1)
    ) g
    where k.workspace_id = ${workspaceId} and k.app_id = ${appId} and k.archived_at is null
      and not k.paused and not k.held and g.dates is not null
    order by k.id`.execute(tx);
  return rows;
}

export interface UntrackedCountryRow {
  country: string;
  /** Those with the most traffic, at most `maxNamed`. */
  phrases: { phrase: string; traffic: number }[];
  phrasesInAll: number;
  trafficInAll: number;
}

/**
 * Countries in which this app tracks no keyword, while other live apps of the workspace in the same
 * store track phrases of it there with `minTraffic` or more. Before PostgreSQL has statistics it
 * would join each keyword with every listing of the store, so the other apps are found first.
 */
export async function listUntrackedCountries(
  tx: Tx,
  workspaceId: number,
  appId: number,
  { minTraffic, maxNamed }: { minTraffic: number; maxNamed: number },
): Promise<UntrackedCountryRow[]> {
  const { rows } = await sql<
    Row<'action-untracked-countries', UntrackedCountryRow, 'phrases' | 'trafficInAll'>
  >`/* action-untracked-countries */
    with others as materialized (
      select other.id
      from apps a join apps other on other.workspace_id = a.workspace_id and other.id <> a.id
        and other.archived_at is null
      where a.workspace_id = ${workspaceId} and a.id = ${appId}
        and (select store from listings where id = other.listing_id)
          = (select store from listings where id = a.listing_id)
    ), searched as (
      select k.country, k.phrase, max(s.traffic) as traffic
      from others o join keywords k on k.workspace_id = ${workspaceId} and k.app_id = o.id
        and k.archived_at is null
      join market_scores s on s.market_id = k.market_id and s.traffic >= ${minTraffic}
        and ${isOwnScore}
      where not exists (select from keywords mine
          where mine.app_id = ${appId} and mine.country = k.country and mine.archived_at is null)
        and exists (select from keywords mine
          where mine.app_id = ${appId} and mine.phrase = k.phrase and mine.archived_at is null)
      group by k.country, k.phrase
    ), numbered as (
      select *, row_number() over (partition by country
        order by traffic desc, phrase collate "C") as number from searched
    )
    select country, count(*)::int as "phrasesInAll", sum(traffic)::int as "trafficInAll",
      jsonb_agg(jsonb_build_object('phrase', phrase, 'traffic', traffic) order by number)
        filter (where number <= ${maxNamed}) as phrases
    from numbered group by country order by country`.execute(tx);
  return rows;
}

export interface WebhookRow {
  id: number;
  url: string;
  disabledBy: 'user' | 'gone' | 'failing' | null;
  failures: number;
  failingSince: Date | null;
}

export async function listWebhookHealth(tx: Tx, workspaceId: number): Promise<WebhookRow[]> {
  const { rows } = await sql<Row<'list-webhook-health', WebhookRow, 'disabledBy'>>`
    select id, url, disabled_by as "disabledBy", failures, failing_since as "failingSince"
      from webhooks
    where workspace_id = ${workspaceId} and (failing_since is not null or disabled_by is not null)
      order by id`.execute(tx);
  return rows;
}
