import type pg from 'pg';
import { seedHistory, scales } from '#tests/harness/history.ts';
import { openBenchDatabase } from './database.ts';
import type { Measurement } from './measurement.ts';

/**
 * Bytes on disk of a stored rank, everything included: daily ranks, depths and times, indexes,
 * TOAST. Filled in day by day, and without autovacuum, so that nothing cleans up after the updates.
 */
export async function* measure(expected: string[]): AsyncGenerator<Measurement> {
  for (const scale of ['target', 'stress'] as const) {
    if (!expected.includes(scale)) continue;
    const database = await openBenchDatabase();
    try {
      for (const table of ['rank_months', 'market_months'])
        await database.pool.query(`alter table ${table} set (autovacuum_enabled = false)`);
      const plan = scales[scale];
      // Ninety days that touch four months, the third and last of which are open: neither the best
      // case nor the worst.
      await seedHistory(database.pool, { ...plan, lastDay: '2026-11-21', fill: 'days' });
      const bytes = await sizeOf(database.pool);
      yield {
        name: 'bytes per ranking row, all in',
        scale,
        measured: bytes / (plan.markets * plan.days),
        unit: 'B',
        goal: 25,
      };
    } finally {
      await database.close();
    }
  }
}

async function sizeOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(`
    select c.relname, pg_relation_size(c.oid)::float8 as heap,
      pg_total_relation_size(c.oid)::float8 as total, n_tup_upd::float8 as updates,
      n_tup_hot_upd::float8 as hot
    from pg_class c join pg_stat_user_tables s on s.relid = c.oid
      where c.relname in ('rank_months', 'market_months')`);
  if (process.env.BENCH_VERBOSE) console.error(rows);
  return rows.reduce((sum, row) => sum + row.total, 0);
}
