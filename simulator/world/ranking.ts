import { toLowerCase } from '#lib/lower-case.ts';
import type { Catalogue, SimApp } from './apps.ts';
import { wordsOf } from './apps.ts';
import { demoPhrases } from './demo-apps.ts';
import { bell, hashText, mix, unit } from './hash.ts';
import { isOffered, titleEra } from './listing.ts';

/** The daily noise, fitted to 310 recorded days of a chart (tests/simulator/movement.test.ts). */
const noise = { memory: 0.85, windowDays: 18, scale: 0.075, headStart: 10, dayVolatility: 0.6 };

/**
 * All apps that a phrase can find in a country, best first, and the number of them that a day
 * shows.
 */
export interface Field {
  key: number;
  phrase: string;
  apps: Uint16Array;
  results: number;
}

export interface CandidateFieldQuery {
  seed: number;
  phrase: string;
  country: string;
  /** The most results of a phrase; null for the world's own numbers. */
  resultsPerSearch: number | null;
}

export function normalizePhrase(text: string): string {
  return toLowerCase(text.normalize('NFC').trim()).replace(/\s+/g, ' ');
}

export function findField(catalogue: Catalogue, query: CandidateFieldQuery): Field {
  const { seed, phrase, country, resultsPerSearch } = query;
  const subjectKey = hashText(phrase, seed);
  const key = mix(subjectKey, hashText(country));
  const isDemo = demoPhrases.some((entry) => entry.phrase === phrase);
  const own = isDemo ? 230 + (key % 60) : countResults(subjectKey, key);
  const results = Math.min(own, resultsPerSearch ?? own, Math.floor(catalogue.apps.length * 0.6));
  const size = results === 0 ? 0 : Math.ceil(results * 1.45) + 6;
  const matches = matchApps(catalogue, phrase);
  const chosen = fillField(catalogue, matches, subjectKey, size);
  const score = (index: number) => {
    const app = catalogue.apps[index]!;
    return (matches.get(index) ?? 0) * 2.5 + app.popularity * 0.55 + bell(mix(key, index)) * 1.2;
  };
  const scored = chosen.map((index) => ({ index, score: score(index) }));
  scored.sort((a, b) => b.score - a.score || a.index - b.index);
  return { key, phrase, apps: Uint16Array.from(scored, (entry) => entry.index), results };
}

/** Most phrases find 200 apps or more, some find dozens, a few find hardly any. */
function countResults(subjectKey: number, key: number): number {
  const share = unit(subjectKey);
  if (share < 0.04) return key % 6;
  if (share < 0.2) return 20 + (key % 131);
  return 205 + (key % 90);
}

/** The number of the phrase's words that each app has. */
function matchApps(catalogue: Catalogue, phrase: string): Map<number, number> {
  const found = new Map<number, number>();
  for (const word of new Set(wordsOf(phrase))) {
    for (const index of catalogue.byWord.get(word) ?? [])
      found.set(index, (found.get(index) ?? 0) + 1);
  }
  return found;
}

/**
 * Apps with the words, best matches first, then others of the likely subjects until the field is
 * full.
 */
function fillField(
  catalogue: Catalogue,
  matches: Map<number, number>,
  subjectKey: number,
  size: number,
): number[] {
  const chosen = new Set<number>();
  const ranked = [...matches.entries()].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  for (const [index] of ranked.slice(0, size)) chosen.add(index);
  const first =
    catalogue.apps[ranked[0]?.[0] ?? -1]?.subject ?? subjectKey % catalogue.bySubject.length;
  for (let round = 0; round < catalogue.bySubject.length && chosen.size < size; round++) {
    const shelf = catalogue.bySubject[(first + round * 7) % catalogue.bySubject.length] ?? [];
    const start = mix(subjectKey, round) % Math.max(1, shelf.length);
    for (let step = 0; step < shelf.length && chosen.size < size; step++) {
      chosen.add(shelf[(start + step) % shelf.length]!);
    }
  }
  return [...chosen];
}

/**
 * The field in the order of one day, without apps that are not offered, cut to the phrase's number
 * of results.
 */
export function rankField(
  catalogue: Catalogue,
  field: Field,
  country: string,
  day: number,
): SimApp[] {
  const weights = dayWeights(field.key, day);
  const demo = demoPhrases.find((entry) => entry.phrase === field.phrase);
  const scored: { app: SimApp; score: number }[] = [];
  for (const index of field.apps) {
    const app = catalogue.apps[index]!;
    if (!isOffered(app, country, day)) continue;
    const base = app.demo && demo ? demoIndex(demo, app, day) : scored.length;
    scored.push({ app, score: positionScore(base) + appNoise(field.key, app, day, weights) });
  }
  insertDemoApp(catalogue, scored, field, day);
  scored.sort((a, b) => b.score - a.score || a.app.index - b.app.index);
  return scored.slice(0, field.results).map((entry) => entry.app);
}

/** Adds the demo app to the candidates of its own phrases when others have filled them. */
function insertDemoApp(
  catalogue: Catalogue,
  scored: { app: SimApp; score: number }[],
  field: Field,
  day: number,
): void {
  const demo = demoPhrases.find((entry) => entry.phrase === field.phrase);
  const app = catalogue.apps[0];
  if (!demo || !app?.demo || scored.some((entry) => entry.app === app)) return;
  const noiseNow = appNoise(field.key, app, day, dayWeights(field.key, day));
  scored.push({ app, score: positionScore(demoIndex(demo, app, day)) + noiseNow });
}

/**
 * Lower positions are closer together: the same noise moves position 80 far and position 3 hardly.
 */
function positionScore(index: number): number {
  return -Math.log(index + noise.headStart);
}

function demoIndex(demo: (typeof demoPhrases)[number], app: SimApp, day: number): number {
  const position = demo.position[app.store];
  if (position === undefined) throw new Error(`no position of the demo app of ${app.store}`);
  const angle = (2 * Math.PI * (day + (hashText(demo.phrase) % 97))) / demo.periodDays;
  return Math.max(0, position * Math.exp(demo.swing * Math.sin(angle)) - 1);
}

/**
 * An AR(1) process as a sum over past shocks, so that any day is computed without the days before
 * it.
 */
function dayWeights(key: number, day: number): Float64Array {
  const weights = new Float64Array(noise.windowDays);
  for (let back = 0; back < noise.windowDays; back++) {
    const restless = Math.exp(noise.dayVolatility * bell(mix(key, day - back)));
    weights[back] = noise.scale * noise.memory ** back * restless;
  }
  return weights;
}

function appNoise(key: number, app: SimApp, day: number, weights: Float64Array): number {
  const own = mix(key, app.seed);
  let sum = 0;
  for (let back = 0; back < weights.length; back++)
    sum += weights[back]! * bell(mix(own, day - back));
  const age = day - app.releasedOn;
  const warmUp = age < 60 ? -Math.exp(-age / 12) : 0;
  // The search index reads a rewritten title: the app moves on that day and stays there.
  return sum + warmUp + 0.08 * bell(mix(own, 7_000 + titleEra(app, day)));
}

/**
 * The same apps in the order of another page of the store: each at most `distance` places higher or
 * lower, always the same way.
 */
export function moveApps(
  ranked: readonly SimApp[],
  page: string,
  distance: number,
): readonly SimApp[] {
  const salt = hashText(page);
  return ranked
    .map((app, index) => ({ app, at: index + distance * (2 * unit(mix(app.seed, salt)) - 1) }))
    .sort((a, b) => a.at - b.at)
    .map(({ app }) => app);
}

/** The same apps after a share of the positions, 0–1, changed hands among themselves. */
export function rerank(ranked: readonly SimApp[], share: number, key: number): readonly SimApp[] {
  const moved = [...ranked.keys()].filter((index) => unit(mix(key, index)) < share);
  const order = [...ranked];
  const shift = moved.length >> 1;
  for (const [ordinal, index] of moved.entries())
    order[index] = ranked[moved[(ordinal + shift) % moved.length]!]!;
  return order;
}
