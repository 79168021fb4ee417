import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** A phrase in a country, on the device of its request. */
export interface MarketName {
  phrase: string;
  country: string;
}

export interface CountryScoreRow extends MarketName {
  id: number;
  device: string;
  requestedAt: Date;
  /** The job that has still to score it; null when none has. */
  openJobId: number | null;
  failedAt: Date | null;
  failure: string | null;
  scoredAt: Date | null;
  position: number | null;
  depth: number | null;
  traffic: number | null;
  difficulty: number | null;
  certainty: unknown;
}

const openJobId = sql`(select j.id::float8 from jobs j
  where j.id = c.job_id and j.state in ('queued', 'running'))`;

/** The rows of an app, in the order of their first request. */
export async function listCountryScoreRows(
  tx: Tx,
  workspaceId: number,
  filter: { appId: number; device: string; phrase: string | null; country: string | null },
): Promise<CountryScoreRow[]> {
  const { rows } = await sql<Row<'list-country-scores', CountryScoreRow>>`
    /* list-country-scores */
    select c.id::float8 as id, c.phrase, c.country, c.device, c.requested_at as "requestedAt",
      ${openJobId} as "openJobId", c.failed_at as "failedAt", c.failure, c.scored_at as "scoredAt",
      c.position, c.depth, c.traffic, c.difficulty, c.certainty
    from country_scores c
    where c.workspace_id = ${workspaceId} and c.app_id = ${filter.appId}
      and c.device = ${filter.device}
      and (${filter.phrase}::text is null or c.phrase = ${filter.phrase})
      and (${filter.country}::text is null or c.country = ${filter.country})
    order by c.id`.execute(tx);
  return rows;
}

/** The rows of the workspace that an open job has still to score. */
export async function countOpenCountryScores(tx: Tx, workspaceId: number): Promise<number> {
  const { rows } = await sql<Row<'count-open-country-scores'>>`/* count-open-country-scores */
    select count(*)::int as total from jobs j join country_scores c on c.job_id = j.id
    where j.workspace_id = ${workspaceId} and j.kind = 'country-scores'
      and j.state in ('queued', 'running')`.execute(tx);
  return rows[0]!.total;
}

/** Records a request. Rows with `isToScore` become part of the job. */
export async function upsertCountryScores(
  tx: Tx,
  workspaceId: number,
  request: {
    appId: number;
    device: string;
    names: readonly (MarketName & { isToScore: boolean })[];
    jobId: number | null;
    now: Date;
  },
): Promise<void> {
  const { appId, device, names, jobId, now } = request;
  await sql`
    insert into country_scores as kept
      (workspace_id, app_id, country, device, phrase, requested_at, job_id, due_at)
    select ${workspaceId}, ${appId}, n.country, ${device}, n.phrase, ${now},
      case when n.is_to_score then ${jobId}::bigint end,
      case when n.is_to_score then ${now}::timestamptz end
    from unnest(${names.map(({ country }) => country)}::text[],
      ${names.map(({ phrase }) => phrase)}::text[],
      ${names.map(({ isToScore }) => isToScore)}::boolean[]) as n(country, phrase, is_to_score)
    on conflict (app_id, device, phrase, country) do update set
      requested_at = excluded.requested_at,
      job_id = coalesce(excluded.job_id, kept.job_id),
      due_at = coalesce(excluded.due_at, kept.due_at),
      attempts = case when excluded.job_id is null then kept.attempts else 0 end
  `.execute(tx);
}

/** Deletes rows that nobody requested since an instant. */
export async function deleteOldCountryScores(
  tx: Tx,
  workspaceId: number,
  before: Date,
): Promise<void> {
  await tx
    .deleteFrom('country_scores')
    .where('workspace_id', '=', workspaceId)
    .where('requested_at', '<', before)
    .execute();
}
