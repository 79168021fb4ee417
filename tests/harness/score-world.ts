import { mapStores, type StoreName, type Stores } from '#domain/base/ports.ts';
import type { MarketEvidence, TopApp } from '#domain/insights/scores/evidence.ts';
import { fetchHints } from '#domain/insights/scores/fetch-hints.ts';
import { readPositions } from '#domain/insights/scores/formulas.ts';
import { toSerp } from '#domain/insights/scores/read-evidence.ts';
import { toWords } from '#domain/insights/scores/title-match.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { SimApp } from '#simulator/world/apps.ts';
import { chartOf } from '#simulator/world/charts.ts';
import { languageOf } from '#simulator/world/countries.ts';
import { demandsOf, hintsOf } from '#simulator/world/hints.ts';
import { createWorld, type World } from '#simulator/world/world.ts';
import { simulatedStores } from '#simulator/stores.ts';
import { qualities, subjects } from '#simulator/world/words.ts';

/** A phrase of the simulator's world with its evidence and its true demand. */
export interface LabelledMarket {
  evidence: MarketEvidence;
  genre: string | null;
  /** 0–100; null: nobody searches for it. */
  popularity: number | null;
}

const day: UtcDay = '2026-03-01';
const maxDemand = 1.5;
/** Phrases nobody searches for, as users track them too. */
const unsearchedPerNoun = 2;

/**
 * The evidence of every phrase with demand in a country, as the product would read it from the
 * simulated store: hints by its own search for the shortest prefix, the first results, and the
 * charts; of every phrase, or of a part. Google Play's results show no rating counts, so they are
 * unknown here too.
 */
export async function readScoreWorld(
  store: StoreName,
  { seed, country, every = 1 }: { seed: number; country: string; every?: number },
): Promise<LabelledMarket[]> {
  const world = createWorld(
    seed,
    mapStores(({ id }) => simulatedStores[id].traits),
  );
  const chart = readChart(world, store, country);
  const searched = demandsOf(world, { store, country, day });
  const known = new Set(searched.map(({ phrase }) => phrase));
  const unsearched = subjects
    .flatMap(({ nouns }) => nouns)
    .flatMap((noun, index) =>
      Array.from({ length: unsearchedPerNoun }, (_, offset) => ({
        phrase: `${qualities[(index + offset * 5) % qualities.length]!.toLowerCase()} ${noun}`,
        demand: null,
      })),
    )
    .filter(({ phrase }) => !known.has(phrase));
  const stores = toHintStores(world, country);
  return Promise.all(
    [...searched, ...unsearched]
      .filter((_, index) => index % every === 0)
      .map(async ({ phrase, demand }) => ({
        evidence: await readMarket(world, stores, chart, { store, country, phrase }),
        genre: genreOf(phrase),
        popularity: demand === null ? null : Math.round((100 * demand) / maxDemand),
      })),
  );
}

function genreOf(phrase: string): string | null {
  return (
    subjects.find(({ nouns }) =>
      nouns.some((noun) => phrase === noun || phrase.startsWith(`${noun} `)),
    )?.name ?? null
  );
}

/** The stores' hints, each prefix computed once. */
function toHintStores(world: World, country: string): Stores {
  const cost = { requests: 1, bytes: 0, ms: 0 };
  return mapStores(({ id: store }) => {
    const known = new Map<string, string[]>();
    return {
      hints({ prefix }: { prefix: string }) {
        const terms = known.get(prefix) ?? hintsOf(world, { store, country, prefix, day });
        known.set(prefix, terms);
        return Promise.resolve({ terms, cost });
      },
    };
  }) as unknown as Stores;
}

function readChart(world: World, store: StoreName, country: string): Map<SimApp, number> {
  const best = new Map<SimApp, number>();
  for (const chart of ['free', 'paid', 'grossing'] as const) {
    chartOf(world, { store, country, chart, category: null, day }).forEach((app, index) =>
      best.set(app, Math.min(index + 1, best.get(app) ?? Number.MAX_SAFE_INTEGER)),
    );
  }
  return best;
}

async function readMarket(
  world: World,
  stores: Stores,
  chart: ReadonlyMap<SimApp, number>,
  { store, country, phrase }: { store: StoreName; country: string; phrase: string },
): Promise<MarketEvidence> {
  const ranked = world.order({ store, phrase, country, day });
  const visible = world.visibleCount({ store, phrase, country, day }, ranked.length);
  const shown = ranked.slice(0, visible);
  const top = shown
    .slice(0, readPositions)
    .map((app) => toTopApp(world, app, country, chart.get(app)));
  const offered = await fetchHints(stores, { store, country, phrase }, {
    lane: 'run',
    signal: new AbortController().signal,
  } as never);
  return {
    store,
    country,
    phrase: toWords(phrase),
    asOf: day,
    serp: toSerp(
      {
        date: day,
        resultCount: shown.length,
        ended: shown.length < readPositions ? 'exhausted' : 'depth',
      },
      top,
    ),
    hints: { date: day, offered },
    chartsKnown: true,
    popularity: null,
    popularityBound: null,
  };
}

function toTopApp(
  world: World,
  app: SimApp,
  country: string,
  chartPosition: number | undefined,
): TopApp {
  const { title, rating, ratingCount } = world.listing(app, {
    country,
    language: languageOf(country),
    day,
  });
  return {
    title: toWords(title),
    developer: toWords(app.developer),
    rating,
    ratingCount: app.store === 'android' ? null : ratingCount,
    releasedOn: app.store === 'android' ? null : utcDayOf(new Date(app.releasedOn * 86_400_000)),
    chartPosition: chartPosition ?? null,
  };
}
