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

/** Everything in which the content of one store differs from another's. */
export interface StoreTraits {
  /** Added to the world's seed, so that each store has apps of its own. */
  seedOffset: number;
  makeAppId(index: number, bundleId: string): string;
  /** From two random numbers. */
  makeReviewId(a: number, b: number): string;
  /** The text below the title: as long as the store allows. */
  makeSubtitle(text: string, quality: string): string;
  /** The English name of a subject's category. */
  categoryName(subject: Subject): string;
  isInCategory(subject: Subject, categoryId: string): boolean;
  /** The store's id for all apps, where it has one. */
  allAppsCategory: string;
  maxHints: number;
  listCountedApps(settings: StoreSettings): readonly CountedApp[];
  standardMode(settings: StoreSettings): SearchMode;
  /** How many of the results of a market a client can see. */
  countVisible(available: number, mode: SearchMode, settings: StoreSettings): number;
}
