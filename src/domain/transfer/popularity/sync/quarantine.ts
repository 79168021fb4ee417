import type { z } from 'zod';
import type { popularity } from '#contract/popularity.ts';
import { activatePopularitySets } from '#db/queries/popularity/sets.ts';
import {
  decidePopularityWeek,
  listFirstTerms,
  listQuarantinedWeeks,
  lockQuarantinedWeek,
  setQuarantinedState,
} from '#db/queries/popularity/weeks.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { assertManagesPopularity } from '../assert-manages-popularity.ts';
import { rescoreCountries } from '../rescore-countries.ts';
import type { ImplausibleReason } from './implausible-week.ts';

type Quarantine = z.input<(typeof popularity)['GET /popularity/quarantine']['responses'][200]>;

const shownTerms = 10;

/** Weeks that wait for a decision, the newest first. Throws forbidden. */
export async function listQuarantine(ctx: Ctx): Promise<Quarantine> {
  await assertManagesPopularity(ctx);
  const weeks = await listQuarantinedWeeks(ctx.systemDb);
  const setIds = weeks.flatMap(({ setId }) => setId ?? []);
  const first = Map.groupBy(
    await listFirstTerms(ctx.systemDb, setIds, shownTerms),
    ({ setId }) => setId,
  );
  return {
    items: weeks.map(({ setId, country, week, terms, termsBefore, unreadable, ...row }) => ({
      id: setId!,
      country,
      week,
      terms,
      termsBefore,
      unreadable,
      reasons: row.reasons as ImplausibleReason[],
      readAt: row.updatedAt.toISOString(),
      first: (first.get(setId) ?? []).map(({ term, genre, rank, popularity: value }) => ({
        term,
        genre,
        rankInGenre: rank,
        popularity: value,
      })),
    })),
  };
}

/** Makes a quarantined week visible. Throws forbidden, not_found. */
export async function acceptQuarantined(
  ctx: Ctx,
  setId: number,
): Promise<{ id: number; accepted: true }> {
  await decide(ctx, setId, 'accepted');
  return { id: setId, accepted: true };
}

/** Discards a quarantined week; what was visible stays. Throws forbidden, not_found. */
export async function discardQuarantined(
  ctx: Ctx,
  setId: number,
): Promise<{ id: number; discarded: true }> {
  await decide(ctx, setId, 'discarded');
  return { id: setId, discarded: true };
}

async function decide(ctx: Ctx, setId: number, decision: 'accepted' | 'discarded'): Promise<void> {
  await assertManagesPopularity(ctx);
  const isAccepted = decision === 'accepted';
  const { country } = await inSystem(ctx, async (tx) => {
    const found = await lockQuarantinedWeek(tx, setId);
    if (!found) throw notFound();
    await setQuarantinedState(tx, setId, isAccepted ? 'staging' : 'discarded');
    if (isAccepted) await activatePopularitySets(tx, [{ id: setId, terms: found.terms }]);
    await decidePopularityWeek(tx, {
      setId,
      outcome: isAccepted ? 'synced' : 'discarded',
      by: ctx.actor.email,
      now: ctx.clock.now(),
    });
    await writeAudit(tx, ctx, {
      action: `popularity.week_${decision}`,
      subject: 'popularity',
      detail: { country: found.country, week: found.week },
    });
    return found;
  });
  if (isAccepted) await rescoreCountries(ctx.systemDb, [country]);
}
