import type { StoreName } from '#stores/profiles.ts';
import { demoApps, type DemoApp } from './demo-apps.ts';
import { hashText, mix, pick, unit } from './hash.ts';
import type { StoreSettings, StoreTraits } from './store-traits.ts';
import { brandEnds, brandStarts, companyForms, qualities, subjects } from './words.ts';

/**
 * A generated app. Days are counted from 1970-01-01. Facts that change by day are in listing.ts.
 */
export interface SimApp {
  store: StoreName;
  traits: StoreTraits;
  /** Index in the store's catalogue. */
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
  /** About 0–10; installs and ratings grow exponentially with it. */
  popularity: number;
  releasedOn: number;
  /** The first day on which no country offers it, or null. */
  removedOn: number | null;
  /** In cents; 0 for a free app. */
  priceCents: number;
  /** Exact installs that never change, for tests that need to know them. */
  fixedInstalls: bigint | null;
  demo: DemoApp | null;
  /** Lowercase words that searches find it by. */
  words: ReadonlySet<string>;
}

/** 2026-01-01. Apps are released in the eight years before and the three years after it. */
const worldStart = 20_454;

/** The parts of a store that its catalogue reads. */
interface StoreIdentity {
  store: StoreName;
  traits: StoreTraits;
}

export interface CatalogueOptions extends StoreIdentity {
  seed: number;
  apps: number;
  settings: StoreSettings;
}

export interface Catalogue {
  traits: StoreTraits;
  apps: readonly SimApp[];
  byId: ReadonlyMap<string, SimApp>;
  byBundle: ReadonlyMap<string, SimApp>;
  byWord: ReadonlyMap<string, readonly number[]>;
  bySubject: readonly (readonly number[])[];
}

export function buildCatalogue(options: CatalogueOptions): Catalogue {
  const { store, traits } = options;
  const apps: SimApp[] = [...listFamousApps(options)];
  const taken = new Set(apps.map((app) => app.storeAppId));
  for (let index = apps.length; index < options.apps; index++) {
    const app = inventApp({ store, traits }, index, mix(options.seed + traits.seedOffset, index));
    if (taken.has(app.storeAppId)) app.storeAppId = app.bundleId = `${app.bundleId}.n${index}`;
    taken.add(app.storeAppId);
    apps.push(app);
  }
  return { traits, apps, ...indexCatalogue(apps) };
}

function inventApp({ store, traits }: StoreIdentity, index: number, seed: number): SimApp {
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
    traits,
    index,
    seed,
    storeAppId: traits.makeAppId(index, bundleId),
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
    releasedOn: worldStart + (fresh ? draw('released') % 1_100 : -30 - (draw('released') % 2_900)),
    removedOn: unit(draw('removed')) < 0.02 ? worldStart + (draw('removed on') % 900) : null,
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
    : `${app.brand} ${app.descriptor} ${Object.values(subject?.local ?? {}).join(' ')} ` +
      `${subject?.name ?? ''}`;
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

/** The demo apps, and apps whose installs prove that big integers stay exact. */
function listFamousApps({ store, traits, seed, settings }: CatalogueOptions): SimApp[] {
  const famous: SimApp[] = [];
  const add = (details: Partial<SimApp>) => {
    const base = inventApp({ store, traits }, famous.length, mix(seed, 77 + famous.length));
    famous.push(
      withWords({
        ...base,
        releasedOn: worldStart - 900,
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
  for (const { storeAppId, brand, installs } of traits.listCountedApps(settings))
    add({
      storeAppId,
      bundleId: storeAppId,
      brand,
      fixedInstalls: installs,
      popularity: 9.9,
    });
  return famous;
}

function indexCatalogue(apps: readonly SimApp[]): Omit<Catalogue, 'apps' | 'traits'> {
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
