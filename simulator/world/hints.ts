import type { UtcDay } from '#lib/dates.ts';
import type { StoreName } from '#stores/profiles.ts';
import type { Catalogue } from './apps.ts';
import { languageOf } from './countries.ts';
import { dayNumber } from './day-number.ts';
import { demoPhrases } from './demo-apps.ts';
import { bell, hashText, mix, unit } from './hash.ts';
import { normalizePhrase } from './ranking.ts';
import { subjects } from './words.ts';
import type { World } from './world.ts';

export interface HintsQuery {
  store: StoreName;
  country: string;
  prefix: string;
  day: UtcDay;
}

const endings = 'free,app,offline,widget,for kids,for beginners,no ads,with reminders,& more'.split(
  ',',
);
const maxBrands = 400;

interface Candidate {
  phrase: string;
  /** 0–1, whatever the country and day. */
  weight: number;
}

/** The suggestions of a store for a typed `prefix`, the most popular phrase first; may be empty. */
export function hintsOf(world: World, { store, country, prefix, day }: HintsQuery): string[] {
  const typed = normalizePhrase(prefix);
  if (typed === '') return [];
  const inside = ` ${typed}`;
  const catalogue = world.catalogues[store];
  const found = candidatesOf(catalogue, country).filter(
    ({ phrase }) => phrase.startsWith(typed) || phrase.includes(inside),
  );
  const scored = found.map(({ phrase, weight }) => ({
    phrase,
    score:
      weight +
      (phrase.startsWith(typed) ? 1 : 0) +
      demandFor(phrase, country, world.dayIn(country, day)),
  }));
  scored.sort((a, b) => b.score - a.score || (a.phrase < b.phrase ? -1 : 1));
  return scored.slice(0, catalogue.traits.maxHints).map(({ phrase }) => phrase);
}

/** The true demand of every phrase that people of the country search for, in no order. */
export function demandsOf(
  world: World,
  { store, country, day }: Omit<HintsQuery, 'prefix'>,
): { phrase: string; demand: number }[] {
  return candidatesOf(world.catalogues[store], country).map(({ phrase, weight }) => ({
    phrase,
    demand: weight + demandFor(phrase, country, world.dayIn(country, day)),
  }));
}

/** The most searched phrases of a country on a day. */
export function trendsOf(
  world: World,
  { store, country, ...query }: Omit<HintsQuery, 'prefix'>,
): string[] {
  const day = world.dayIn(country, query.day);
  const scored = candidatesOf(world.catalogues[store], country).map(({ phrase, weight }) => ({
    phrase,
    score:
      weight +
      demandFor(phrase, country, day) +
      0.3 * bell(mix(hashText(phrase, 72), dayNumber(day))),
  }));
  scored.sort((a, b) => b.score - a.score || (a.phrase < b.phrase ? -1 : 1));
  return scored.slice(0, 10).map(({ phrase }) => phrase);
}

/** The popularity of a phrase depends on the country, and a little on the week. */
export function demandFor(phrase: string, country: string, day: UtcDay): number {
  const taste = hashText(phrase, hashText(country));
  return 0.4 * unit(taste) + 0.04 * bell(mix(taste, Math.floor(dayNumber(day) / 7)));
}

/**
 * All phrases that can be suggested: words of every subject with common additions, words of the
 * country's language, and the best known brands.
 */
function candidatesOf(catalogue: Catalogue, country: string): readonly Candidate[] {
  const language = languageOf(country);
  let known = kept.get(catalogue);
  if (known === undefined) kept.set(catalogue, (known = new Map()));
  let candidates = known.get(language);
  if (candidates === undefined) {
    const local = subjects.flatMap((subject) => subject.local[language]?.toLowerCase() ?? []);
    known.set(
      language,
      (candidates = [
        ...commonCandidates(catalogue),
        ...local.map((phrase) => ({ phrase, weight: 0.95 })),
      ]),
    );
  }
  return candidates;
}

/** Keyed by language: countries of one language have the same candidates. */
const kept = new WeakMap<Catalogue, Map<string, Candidate[]>>();

function commonCandidates(catalogue: Catalogue): Candidate[] {
  const weights = new Map<string, number>();
  const add = (phrase: string, weight: number) =>
    weights.set(phrase, Math.max(weight, weights.get(phrase) ?? 0));
  for (const { phrase } of demoPhrases) add(phrase, 0.9);
  for (const noun of subjects.flatMap((subject) => subject.nouns)) {
    add(noun, 1);
    endings.forEach((ending, index) => add(`${noun} ${ending}`, 0.6 - index * 0.04));
  }
  const famous = [...catalogue.apps]
    .sort((a, b) => b.popularity - a.popularity || a.index - b.index)
    .slice(0, maxBrands);
  for (const app of famous) add(app.brand.toLowerCase(), app.popularity / 10);
  return [...weights].map(([phrase, weight]) => ({ phrase, weight }));
}
