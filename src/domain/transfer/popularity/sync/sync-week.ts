import type { Db, Tx } from '#db/database.ts';
import {
  activatePopularitySets,
  insertPopularityFloors,
  insertPopularitySet,
  insertPopularityTerms,
  type NewPopularityTerm,
} from '#db/queries/popularity/sets.ts';
import { lockPopularitySync } from '#db/queries/popularity/sync.ts';
import {
  discardHiddenWeek,
  quarantinePopularitySet,
  readWeekFigures,
  upsertPopularityWeek,
  type WeekOutcome,
} from '#db/queries/popularity/weeks.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { isClockPlausible } from '#domain/base/plausible-clock.ts';
import {
  PopularityApiError,
  popularityGenres,
  type PopularityApiRow,
  type PopularityKey,
} from '#domain/base/ports.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import { isTerm } from '../term-rows.ts';
import { findImplausible } from './implausible-week.ts';
import { publicationOf } from './published-weeks.ts';

/** 5,000 rows each; a country has at most 7,500. */
const pagesMax = 10;
/** Older weeks say nothing about this one. */
const comparedDays = 35;
/** Apple may publish later than it says. */
const lateMs = 3 * 86_400_000;

export interface WeekSync {
  key: PopularityKey;
  accountId: string;
  startedAt: Date;
  country: string;
  week: UtcDay;
  /** Counts a request and throws when the day has no more. */
  onRequest: () => Promise<void>;
  signal: AbortSignal;
}

type Used = Pick<Services, 'systemDb' | 'clock' | 'popularityApi'>;

/**
 * Reads a country's week and makes it visible, or quarantines it, in one transaction. Null when
 * the week is not published yet. Repeating it after a crash begins the week anew. Throws
 * PopularityApiError, and when another process has the sync.
 */
export async function syncWeek(services: Used, sync: WeekSync): Promise<WeekOutcome | null> {
  const { systemDb, clock } = services;
  const { country, week } = sync;
  await discardHiddenWeek(systemDb, { country, week, states: ['staging'] });
  const staged = await readTerms(services, sync);
  const now = clock.now();
  if (staged === null) {
    const isLate = now.getTime() >= publicationOf(week).getTime() + lateMs;
    // A clock that is ahead would find weeks empty that are not published yet.
    if (!isLate || !(await isClockPlausible(services))) return null;
    const row = { country, week, setId: null, terms: 0, termsBefore: null, unreadable: 0, now };
    await inSystem(services, async (tx) => {
      await assertOwnSync(tx, sync);
      await upsertPopularityWeek(tx, { ...row, outcome: 'empty', reasons: [] });
    });
    return 'empty';
  }
  const { setId, unreadable } = staged;
  await insertPopularityFloors(systemDb, setId);
  const since = addDays(week, -comparedDays);
  const figures = await readWeekFigures(systemDb, { setId, country, week, since });
  const reasons = findImplausible(figures, unreadable);
  const { terms } = figures;
  const outcome = reasons.length === 0 ? 'synced' : 'quarantined';
  await inSystem(services, async (tx) => {
    await assertOwnSync(tx, sync);
    await discardHiddenWeek(tx, { country, week, states: ['quarantined'] });
    if (outcome === 'synced') await activatePopularitySets(tx, [{ id: setId, terms }]);
    else await quarantinePopularitySet(tx, { setId, terms });
    const termsBefore = figures.before?.terms ?? null;
    const found = { country, week, setId, terms, termsBefore, unreadable, reasons };
    await upsertPopularityWeek(tx, { ...found, outcome, now });
  });
  return outcome;
}

async function assertOwnSync(tx: Tx, { startedAt }: WeekSync): Promise<void> {
  if (!(await lockPopularitySync(tx, startedAt)))
    throw new Error('the credentials were changed, or another process has taken this over');
}

/** Null when the publisher has no rows. */
async function readTerms(
  { systemDb, clock, popularityApi }: Used,
  { key, accountId, country, week, onRequest, signal }: WeekSync,
): Promise<{ setId: number; unreadable: number } | null> {
  let setId: number | null = null;
  let unreadable = 0;
  const ranks = new Set<string>();
  for (let page = 0; ; page += 1) {
    if (page === pagesMax)
      throw new PopularityApiError(
        'unreadable',
        `Apple’s list of terms has more than ${page} pages.`,
      );
    const options = { signal, lane: 'background', onRequest } as const;
    const query = { country, week, page };
    const { rows, isLast } = await popularityApi.readWeek({ key, accountId }, query, options);
    if (rows.length > 0)
      setId ??= await insertPopularitySet(systemDb, {
        country,
        granularity: 'week',
        period: week,
        source: 'api',
        importId: null,
        now: clock.now(),
      });
    const terms = rows.flatMap((row) => {
      const rank = row && `${row.genre} ${row.rank}`;
      if (!row || ranks.has(rank!) || !isTerm(row.term.trim())) {
        unreadable += 1;
        return [];
      }
      ranks.add(rank!);
      return [toTerm(row, setId!)];
    });
    await insertInBatches(systemDb, terms, signal);
    if (isLast) return setId === null ? null : { setId, unreadable };
  }
}

function toTerm(row: PopularityApiRow, setId: number): NewPopularityTerm {
  const original = row.term.trim();
  const term = normalisePhrase(original);
  return {
    setId,
    genre: popularityGenres.indexOf(row.genre),
    rank: row.rank,
    popularityInGenre: row.popularityInGenre,
    popularity: row.popularity,
    level: row.level,
    term,
    original: term === original ? null : original,
  };
}

const rowsAtOnce = 2_000;

async function insertInBatches(
  db: Db,
  terms: readonly NewPopularityTerm[],
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < terms.length; at += rowsAtOnce) {
    signal.throwIfAborted();
    await insertPopularityTerms(db, terms.slice(at, at + rowsAtOnce));
  }
}
