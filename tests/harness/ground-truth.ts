import type pg from 'pg';
import type { Simulator } from '#simulator/server.ts';
import type { TrackedMarket } from './pipeline.ts';

const words = [
  'habit',
  'tracker',
  'mood',
  'journal',
  'daily',
  'planner',
  'focus',
  'timer',
  'sleep',
  'budget',
  'photo',
  'run',
  'water',
  'chess',
  'guitar',
];
const countries = ['us', 'de', 'jp', 'br'];

/** Phrases that the demo apps rank for, then any others, spread over countries. */
export function makePhrases(count: number): { phrase: string; country: string }[] {
  const known = ['habit tracker', 'mood journal', 'daily planner', 'habit', 'journal'];
  return Array.from({ length: count }, (_, index) => {
    const phrase =
      index < known.length
        ? known[index]!
        : `${words[index % words.length]} ${words[(index * 7 + 3) % words.length]} ` +
          `${Math.floor(index / 15)}`;
    return { phrase, country: countries[index % countries.length]! };
  });
}

export interface Verdict {
  rows: number;
  ranked: number;
  notFound: number;
  gaps: number;
  wrong: string[];
  falseNotFound: string[];
  withoutOutcome: string[];
  withTwoOutcomes: string[];
}

/** Compares every stored market-day with the simulator's ground truth. */
export async function compareWithGroundTruth(
  pipeline: { db: { pool: pg.Pool }; simulator: Simulator },
  tracked: readonly Omit<TrackedMarket, 'keywordId' | 'depth'>[],
  days: string[],
): Promise<Verdict> {
  const verdict: Verdict = {
    rows: 0,
    ranked: 0,
    notFound: 0,
    gaps: 0,
    wrong: [],
    falseNotFound: [],
    withoutOutcome: [],
    withTwoOutcomes: [],
  };
  const { rows } = await pipeline.db.pool.query<{
    market_id: number;
    date: string;
    position: number | null;
    depth: number;
  }>('select market_id, date::text as date, position, depth from rankings');
  const stored = new Map(rows.map((row) => [`${row.market_id} ${row.date}`, row]));
  const gapRows = await pipeline.db.pool.query<{ market_id: number; on_date: string }>(
    'select market_id, on_date::text from market_gaps',
  );
  const gaps = new Set(gapRows.rows.map((row) => `${row.market_id} ${row.on_date}`));
  for (const market of tracked) {
    for (const day of days) {
      const key = `${market.marketId} ${day}`;
      const row = stored.get(key);
      if (row && gaps.has(key)) verdict.withTwoOutcomes.push(key);
      if (!row && !gaps.has(key)) verdict.withoutOutcome.push(key);
      if (gaps.has(key)) verdict.gaps++;
      if (!row) continue;
      verdict.rows++;
      if (row.position === null) verdict.notFound++;
      else verdict.ranked++;
      const truth = pipeline.simulator.groundTruth({
        store: market.store,
        phrase: market.phrase,
        country: market.country,
        shownOn: market.device,
        storeAppId: market.storeAppId,
        day,
      });
      const expected =
        truth.position !== null && truth.position <= row.depth ? truth.position : null;
      if (row.position === expected) continue;
      const text =
        `${market.store} ${market.phrase} ${market.country} ${market.device} ${day}: stored ` +
        `${row.position} of ${row.depth}, true ${truth.position}`;
      if (row.position === null) verdict.falseNotFound.push(text);
      else verdict.wrong.push(text);
    }
  }
  return verdict;
}
