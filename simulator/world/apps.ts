import type { StoreName } from '../store-name.ts';
import { demoApps, type DemoApp } from './demo-apps.ts';
import { hashText, mix, pick, unit } from './hash.ts';
import { brandEnds, brandStarts, companyForms, qualities, subjects } from './words.ts';

/** One invented app. Days are whole days since 1970-01-01; what changes from day to day is in listing.ts. */
export interface SimApp {
  store: StoreName;
  /** Place in the store's catalogue. */
  index: number;
  seed: number;
  storeAppId: string;
  bundleId: string;
  brand: string;
  descriptor: string;
  quality: string;
  developer: string;
  developerId: string;
  subject: number;
  /** About 0–10; installs and ratings grow with its power. */
  popularity: number;
  releasedOn: number;
  /** First day it is gone from every country, or null. */
  removedOn: number | null;
  /** In cents; 0 for a free app. */
  priceCents: number;
  /** Exact installs that never change, where a test needs to know them. */
  fixedInstalls: bigint | null;
  demo: DemoApp | null;
  /** Lowercase words it can be found by. */
  words: ReadonlySet<string>;
}

/** 2026-01-01: releases before it lie up to eight years back, releases after it come in over three years. */
const worldBegins = 20_454;

export interface CatalogueOptions {
  seed: number;
  apps: number;
  /** Adds an Android app with 2^63-1 installs. */
  hugeInstalls: boolean;
}

export interface Catalogue {
  apps: readonly SimApp[];
  byId: ReadonlyMap<string, SimApp>;
  byBundle: ReadonlyMap<string, SimApp>;
  byWord: ReadonlyMap<string, readonly number[]>;
  bySubject: readonly (readonly number[])[];
}

export function buildCatalogue(store: StoreName, options: CatalogueOptions): Catalogue {
  const apps: SimApp[] = [...listFamousApps(store, options)];
  const taken = new Set(apps.map((app) => app.storeAppId));
  for (let index = apps.length; index < options.apps; index++) {
    const app = inventApp(store, index, mix(options.seed + (store === 'ios' ? 1 : 2), index));
    if (taken.has(app.storeAppId)) app.storeAppId = app.bundleId = `${app.bundleId}.n${index}`;
    taken.add(app.storeAppId);
    apps.push(app);
  }
  return { apps, ...indexCatalogue(apps) };
}

function inventApp(store: StoreName, index: number, seed: number): SimApp {
  const draw = (salt: string) => mix(seed, hashText(salt));
  const subjectIndex = draw('subject') % subjects.length;
  const subject = pick(subjects, subjectIndex);
  const brand = pick(brandStarts, draw('start')) + pick(brandEnds, draw('end'));
  const company = pick(brandStarts, draw('company')) + pick(brandEnds, draw('company end'));
  const descriptor = pick(subject.nouns, draw('noun'));
  const fresh = unit(draw('fresh')) < 0.15;
  const bundleId = `com.${company.toLowerCase()}.${brand.toLowerCase()}${index}`;
  return withWords({
    store,
    index,
    seed,
    storeAppId:
      store === 'ios' ? String(1_000_000_000 + ((index * 131_071) % 480_000_000)) : bundleId,
    bundleId,
    brand,
    descriptor,
    quality: pick(qualities, draw('quality')),
    developer: `${company} ${pick(companyForms, draw('form'))}`,
    developerId: String(
      300_000_000 + (draw('company') % 900) * 1_000 + (draw('company end') % 900),
    ),
    subject: subjectIndex,
    popularity: 10 * unit(draw('popularity')) ** 1.6,
    releasedOn: worldBegins + (fresh ? draw('released') % 1_100 : -30 - (draw('released') % 2_900)),
    removedOn: unit(draw('removed')) < 0.02 ? worldBegins + (draw('removed on') % 900) : null,
    priceCents: unit(draw('paid')) < 0.08 ? pick([99, 199, 299, 499, 999], draw('price')) : 0,
    fixedInstalls: null,
    demo: null,
    words: new Set(),
  });
}

function withWords(app: SimApp): SimApp {
  const subject = subjects[app.subject];
  const text = app.demo
    ? `${app.demo.title} ${app.demo.laterTitle} ${app.demo.subtitle} ${app.demo.laterSubtitle}`
    : `${app.brand} ${app.descriptor} ${Object.values(subject?.local ?? {}).join(' ')} ${subject?.name ?? ''}`;
  return { ...app, words: new Set(wordsOf(text)) };
}

export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The demo apps, and the ones whose installs prove that big integers stay exact. */
function listFamousApps(store: StoreName, options: CatalogueOptions): SimApp[] {
  const famous: SimApp[] = [];
  const add = (details: Partial<SimApp>) => {
    const base = inventApp(store, famous.length, mix(options.seed, 77 + famous.length));
    famous.push(
      withWords({
        ...base,
        releasedOn: worldBegins - 900,
        removedOn: null,
        priceCents: 0,
        ...details,
      }),
    );
  };
  for (const demo of demoApps.filter((app) => app.store === store)) {
    const subject = subjects.findIndex((entry) => entry.name === demo.subject);
    const { storeAppId, bundleId, brand, developer } = demo;
    add({
      demo,
      storeAppId,
      bundleId,
      brand,
      developer,
      developerId: '1500000000',
      subject,
      popularity: 6.4,
    });
  }
  if (store === 'ios') return famous;
  const counted = (storeAppId: string, brand: string, fixedInstalls: bigint) =>
    add({ storeAppId, bundleId: storeAppId, brand, fixedInstalls, popularity: 9.9 });
  counted('app.babel.translate', 'Babel', 1_619_908_402n);
  counted('app.exact.counter', 'Exacta', 9_007_199_254_740_993n);
  if (options.hugeInstalls) counted('app.limit.counter', 'Limita', 9_223_372_036_854_775_807n);
  return famous;
}

function indexCatalogue(apps: readonly SimApp[]): Omit<Catalogue, 'apps'> {
  const byWord = new Map<string, number[]>();
  const bySubject: number[][] = subjects.map(() => []);
  for (const app of apps) {
    if (app.demo === null) bySubject[app.subject]?.push(app.index);
    for (const word of app.words) {
      const found = byWord.get(word);
      if (found) found.push(app.index);
      else byWord.set(word, [app.index]);
    }
  }
  return {
    byId: new Map(apps.map((app) => [app.storeAppId, app])),
    byBundle: new Map(apps.map((app) => [app.bundleId, app])),
    byWord,
    bySubject,
  };
}
