import type { z } from 'zod';
import type { countryScores } from '#contract/country-scores.ts';
import { countryScoresMax } from '#contract/country-scores.ts';
import type { AppRow } from '#db/queries/apps/apps.ts';
import { getPlan } from '#db/queries/budget/budgets.ts';
import {
  listCountryScoreRows,
  type MarketName,
} from '#db/queries/country-scores/country-scores.ts';
import { sumCountryScoreUses } from '#db/queries/country-scores/uses.ts';
import { listKeywordsToRate } from '#db/queries/scores/keyword-scores.ts';
import type { Tx } from '#db/database.ts';
import { startOfDayMs, utcDayOf } from '#lib/dates.ts';
import { weightOf, type Capacity } from '#domain/base/budget/cost.ts';
import { readCapacity } from '#domain/base/budget/get-budget.ts';
import type { Ctx } from '#domain/base/context.ts';
import { readDevice } from '#domain/base/device.ts';
import { AppError, invalid } from '#domain/base/errors.ts';
import { profileOf, searchHostOf, type StoreName } from '#domain/base/ports.ts';
import { planOf, type Plan } from '#domain/base/plans/plans.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { findCountryError, findPhraseError } from '#domain/base/text/phrase.ts';
import { getActiveApp } from '#domain/tracking/apps/get-app.ts';
import { refuse } from '#domain/tracking/keywords/parse-keywords.ts';

type Operation = (typeof countryScores)['POST /apps/{id}/country-scores/preview'];
export type CountryScoresBody = z.output<Operation['body']>;
export type CountryScoreCost = z.input<Operation['responses'][200]>['cost'];

/** Scores of tracked keywords are as old. */
const freshDays = 7;
const [minuteMs, dayMs] = [60_000, 86_400_000];

export interface CountryScorePlan {
  app: AppRow;
  device: string;
  names: (MarketName & { isToScore: boolean })[];
  cost: CountryScoreCost;
  /** Null without plans. */
  plan: Plan | null;
}

/**
 * The phrases and countries of a request, with their cost. Nothing is written. Throws not_found,
 * invalid_request (also for an archived app, or too many phrases times countries), phrase_too_long,
 * too_many_words, invalid_country.
 */
export async function planCountryScores(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  body: CountryScoresBody,
): Promise<CountryScorePlan> {
  const app = await getActiveApp(tx, ctx, appId);
  const device = readDevice('device', body.device, app.store);
  const all = { appId, device: null, country: null, keywordIds: null };
  const keywords = await listKeywordsToRate(tx, ctx.workspaceId, all);
  const phrases = readPhrases(body.phrases, keywords);
  const countries = readCountries(body.countries);
  const count = phrases.length * countries.length;
  if (count > countryScoresMax)
    throw invalid('phrases × countries', 'phrases in countries', count, countryScoresMax);
  const now = ctx.clock.now();
  const keyOf = ({ phrase, country }: MarketName) => `${country} ${phrase}`;
  const tracked = new Set(keywords.filter((keyword) => keyword.device === device).map(keyOf));
  const filter = { appId, device, phrase: null, country: null };
  const rows = await listCountryScoreRows(tx, ctx.workspaceId, filter);
  const known = new Map(rows.map((row) => [keyOf(row), row]));
  const freshFrom = now.getTime() - freshDays * dayMs;
  const counts = { tracked: 0, open: 0, fresh: 0, toScore: 0 };
  const names = phrases.flatMap((phrase) =>
    countries.map((country) => {
      const name = { phrase, country };
      const row = known.get(keyOf(name));
      const isFresh = (row?.scoredAt?.getTime() ?? 0) > freshFrom;
      const state = tracked.has(keyOf(name))
        ? 'tracked'
        : row?.openJobId
          ? 'open'
          : isFresh
            ? 'fresh'
            : 'toScore';
      counts[state] += 1;
      return { ...name, isToScore: state === 'toScore' };
    }),
  );
  const plan = ctx.settings.billingEnabled
    ? planOf((await getPlan(tx, ctx.workspaceId)).plan)
    : null;
  const cost = {
    markets: names.length,
    ...counts,
    freshDays,
    ...estimate(app.store, counts.toScore, await readCapacity(tx, ctx.settings)),
    allowance: plan && (await readAllowance(tx, ctx, plan)),
  };
  return { app, device, names, cost, plan };
}

function readPhrases(
  requested: CountryScoresBody['phrases'],
  keywords: readonly { phrase: string }[],
): string[] {
  if (requested === 'tracked') {
    if (keywords.length === 0) throw invalid('phrases', 'the app tracks no phrase yet', 0);
    return [...new Set(keywords.map(({ phrase }) => phrase))];
  }
  const faults = requested.flatMap(
    (phrase, index) => findPhraseError(`phrases.${index}`, phrase) ?? [],
  );
  if (faults.length > 0) refuse(faults);
  return [...new Set(requested.map(normalisePhrase))];
}

function readCountries(requested: readonly string[]): string[] {
  const faults = requested.flatMap(
    (country, index) => findCountryError(`countries.${index}`, country) ?? [],
  );
  if (faults.length > 0) refuse(faults);
  return [...new Set(requested)];
}

/**
 * A score takes one search and one list of suggestions at least; two searches where there are few
 * results, four lists, and the names of results where the provider has only their ids, at most. A
 * provider's host may have a pace of its own, at which its searches are made.
 */
function estimate(
  store: StoreName,
  count: number,
  capacity: Capacity,
): Pick<CountryScoreCost, 'requests' | 'seconds'> {
  const { search } = profileOf(store);
  const name = capacity.providers[store][0];
  const provider = search.providers.find((one) => one.name === name);
  const names = provider?.hasAllCards === false ? 1 : 0;
  const perSearch = weightOf(capacity, store, searchHostOf(store, name));
  const perSecond = (capacity.requestsPerMinute[store] * capacity.endpoints) / 60;
  const secondsOf = (searches: number, others: number) =>
    Math.ceil(((searches * perSearch + others) * count) / perSecond);
  return {
    requests: { min: 2 * count, max: (6 + names) * count },
    seconds: { min: secondsOf(1, 1), max: secondsOf(2, 4 + names) },
  };
}

async function readAllowance(
  tx: Tx,
  ctx: Ctx,
  plan: Plan,
): Promise<NonNullable<CountryScoreCost['allowance']>> {
  const now = ctx.clock.now();
  const startMs = startOfDayMs(utcDayOf(now));
  return {
    limit: plan.countryScoresPerDay,
    used: await sumCountryScoreUses(tx, ctx.workspaceId, new Date(startMs)),
    resetSeconds: Math.max(1, Math.ceil((startMs + dayMs - now.getTime()) / 1_000)),
  };
}

/** Throws on_demand_cap when the plan allows fewer scores today. */
export function assertWithinAllowance({ cost, plan }: CountryScorePlan): void {
  if (plan === null || cost.allowance === null) return;
  const { limit, used, resetSeconds } = cost.allowance;
  if (used + cost.toScore <= limit) return;
  const left = Math.max(0, limit - used);
  throw new AppError(
    'on_demand_cap',
    `The plan allows ${limit} scores in countries a day, and ${left} are left. This request ` +
      `needs ${cost.toScore}. Choose fewer countries or phrases.`,
    {
      retryAfterSeconds: resetSeconds,
      rateLimit: {
        window: 'day',
        rateClass: 'store',
        plan: plan.name,
        limit,
        resetSeconds,
        upgradeTo: plan.upgradeTo,
      },
    },
  );
}

/** The hour in which uses of an instant are counted. */
export const hourOf = (at: Date): Date =>
  new Date(Math.floor(at.getTime() / (60 * minuteMs)) * 60 * minuteMs);
