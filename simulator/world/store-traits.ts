import type { SearchMode } from './search-modes.ts';
import type { Subject } from './words.ts';

/** The parts of the world's settings that stores read. */
export interface StoreSettings {
  androidMode: SearchMode;
  androidFirstPage: number;
  /** Adds an app with more installs than a signed 64-bit integer can count up from. */
  hugeInstalls: boolean;
}

/** An app whose exact installs never change. */
export interface CountedApp {
  storeAppId: string;
  brand: string;
  installs: bigint;
}

/** Everything in which the content of stores differs. */
export interface StoreTraits {
  /** Added to the world's seed, so that each store has apps of its own. */
  seedOffset: number;
  makeAppId(index: number, bundleId: string): string;
  /** From two random numbers. */
  makeReviewId(a: number, b: number): string;
  /** The country whose reviews a country shows. */
  reviewsCountryOf(country: string): string;
  /** The text below the title, within the store's limit. */
  makeSubtitle(text: string, quality: string): string;
  /** The English name of a subject's category. */
  categoryName(subject: Subject): string;
  isInCategory(subject: Subject, categoryId: string): boolean;
  /** The store's category id for all apps, or ''. */
  allAppsCategory: string;
  maxHints: number;
  listCountedApps(settings: StoreSettings): readonly CountedApp[];
  standardMode(settings: StoreSettings): SearchMode;
  /** The number of a market's results that a client can see. */
  countVisible(available: number, mode: SearchMode, settings: StoreSettings): number;
}
