/** The kinds of work of a store's day besides searches and refreshes of listings. */
export const storeTaskKinds = ['reviews', 'chart', 'page', 'hints'] as const;
export type StoreTaskKind = (typeof storeTaskKinds)[number];

export const chartNames = ['free', 'paid', 'grossing'] as const;
export type ChartName = (typeof chartNames)[number];

/** The texts of a listing, in the order in which people see them. */
export const listingTexts = [
  'title',
  'subtitle',
  'summary',
  'description',
  'keywordField',
] as const;
export type ListingText = (typeof listingTexts)[number];

export interface TextLimit {
  /** The most characters (code points) that the store accepts. */
  readonly max: number;
  /** The store is known to match searches with this text. */
  readonly isSearched: boolean;
}

/** The genres of published popularity, in the order of the table `popularity_genres`. */
export const popularityGenres = [
  'business',
  'education',
  'entertainment',
  'finance',
  'food_drink',
  'games',
  'health_fitness',
  'lifestyle',
  'new_publication',
  'photo_video',
  'productivity_utilities',
  'shopping',
  'social_networking',
  'sports',
  'travel',
] as const;
export type PopularityGenre = (typeof popularityGenres)[number];

/** A host with a pace of its own, because the store throttles it by itself. */
export interface HostPace {
  readonly host: string;
  /** In the name of its setting: `web` for `SCRAPE_<ID>_WEB_RPM`. */
  readonly name: string;
  /** The content of the host, for the setting's description. */
  readonly serves: string;
  readonly requestsPerMinute: number;
}

export interface StoreTask {
  readonly usualRequests: number;
  /** Set for one whose requests go to a host with a pace of its own. */
  readonly host?: string;
}

export const imageKinds = ['icon', 'screenshot'] as const;
export type ImageKind = (typeof imageKinds)[number];

/** The formats in which pictures are stored. None can run a script. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** The servers of a store's pictures, which send them in any size that the address names. */
export interface ImageServers {
  /** Every picture is requested from it. It has a pace of its own (`pace.hosts`). */
  readonly host: string;
  /** They have the same pictures; addresses alternate between all of them. */
  readonly otherHosts: readonly string[];
  /** The end of an address's path that says the size, and the ends that are requested. */
  readonly size: { readonly pattern: RegExp } & Readonly<Record<ImageKind, string>>;
}

/** A device with search results of its own. */
export interface Device {
  /** Lowercase letters and digits, as in requests and rows. */
  readonly id: string;
  /** The name for people, in every language. */
  readonly name: string;
  /** For its icon. */
  readonly form: 'phone' | 'tablet' | 'computer';
}

/** A source of results, with an order of its own. */
export interface SearchProvider {
  /** Lowercase letters and digits, as in requests, rows and settings. */
  readonly name: string;
  /** A description for people. */
  readonly description: string;
  /** False for one that is asked only where the operator names it. */
  readonly isDefault: boolean;
  /** Set for one whose requests go to a host with a pace of its own. */
  readonly host?: string;
  /** Every result has the facts of its app; otherwise only the first ones have. */
  readonly hasAllCards: boolean;
  /** The ids of the devices whose results it has. */
  readonly devices: readonly [string, ...string[]];
}

/** The store's own id, its English name, and the id of its parent category. */
export type CategoryRow = readonly [id: string, name: string, parentId: string | null];

/**
 * Everything in which one store differs from another, as plain data. Server, dashboard and
 * documentation read it, so a profile imports nothing but this interface.
 */
export interface StoreProfile<Id extends string = string> {
  /**
   * Lowercase letters and digits. The id appears in requests, rows, metrics and queue names, and in
   * capitals in the setting `SCRAPE_<ID>_RPM`.
   */
  readonly id: Id;
  /** The name for people, in every language. */
  readonly name: string;
  /** The first one is that of a keyword that names none. */
  readonly devices: readonly [Device, ...Device[]];
  readonly appId: {
    readonly pattern: RegExp;
    readonly maxLength: number;
    /** Matches an id that somebody types without naming the store; the first group is the id. */
    readonly typed: RegExp;
    /** For people: `the digits of an App Store id, like 310633997`. */
    readonly example: string;
  };
  readonly appAddress: {
    readonly hosts: readonly string[];
    /** Matches an address that names its country. */
    readonly country: RegExp;
    readonly example: string;
  };
  readonly search: {
    /** In the order in which they are asked, unless the operator chooses. */
    readonly providers: readonly [SearchProvider, ...SearchProvider[]];
    /** The number of results in the first response, and in each further one. */
    readonly firstPage: number;
    readonly nextPage: number;
    /** A first search of a market with fewer results is confirmed by a second one. */
    readonly minFirstResults: number;
  };
  /** A search with plenty of results, run before each day's other work. */
  readonly probe: { readonly phrase: string; readonly country: string };
  readonly listingsPerRequest: number;
  readonly reviewsPerPage: number;
  /**
   * True for a store that shows one review in several countries. It then counts once, in the one
   * where it was read first.
   */
  readonly sharesReviews?: boolean;
  readonly hints: {
    /** The most suggestions that the store shows for a prefix. */
    readonly positions: number;
    /** One more request confirms an empty response, once for all markets of a country. */
    readonly emptyNeedsConfirmation: boolean;
  };
  /** The kinds of tasks that the store has, each with its usual number of requests. */
  readonly tasks: Readonly<Partial<Record<StoreTaskKind, StoreTask>>>;
  readonly charts: readonly ChartName[];
  readonly categories: readonly CategoryRow[];
  /** Null: listings of this store have no such text. */
  readonly texts: Readonly<Record<ListingText, TextLimit | null>>;
  /**
   * The locale that each storefront shows first, as the store documents it: countries by locale,
   * and the locale of all others. Missing where requests to the store name a language.
   */
  readonly storefrontLocales?: {
    readonly countries: Readonly<Record<string, string>>;
    readonly elsewhere: string;
  };
  readonly pace: {
    /** The default of `SCRAPE_<ID>_RPM`. */
    readonly requestsPerMinute: number;
    /**
     * The pauses after the first, second and third refusal in a row, where the store states none.
     */
    readonly cooldownSeconds: readonly [number, number, number];
    /** Statuses of 500 and more with which the store refuses an address, although it works. */
    readonly refusalStatuses?: readonly number[];
    /** Markers of refusals that last: even the first pause is as long as the third. */
    readonly lastingRefusals?: readonly string[];
    readonly hosts?: readonly HostPace[];
  };
  /** The parts of the score formulas that depend on the store. */
  readonly scores: {
    readonly difficulty: {
      readonly weights: Readonly<
        Record<'strength' | 'leaders' | 'titles' | 'quality' | 'age', number>
      >;
      /** An app with at most this many ratings has no strength. */
      readonly ratingsForNone: number;
      /** An app with this many ratings has full strength. */
      readonly ratingsForFull: number;
      /** An app without a shown rating count has no ratings; otherwise their number is unknown. */
      readonly unknownRatingsAreNone: boolean;
    };
    readonly traffic: {
      readonly weights: Readonly<
        Record<'early' | 'rank' | 'continuations' | 'length' | 'charts' | 'serp', number>
      >;
      /** The store seldom suggests a single word itself: its continuations and plural count. */
      readonly suggestsSingleWordsSeldom: boolean;
    };
  };
  /** The search popularity that the store publishes by genre; null: it publishes none. */
  readonly popularity: {
    /** The ids of the devices whose searches it counts. */
    readonly devices: readonly string[];
    /** The ids of the categories of each genre, separated by spaces. */
    readonly categories: Readonly<Record<PopularityGenre, string>>;
  } | null;
  /** Null: the store's pictures are not fetched. */
  readonly images: ImageServers | null;
  /** The corner radius of app icons, in percent of their size. */
  readonly iconRadiusPercent: number;
}

/** A store may show more pages of reviews, but they are not worth the requests of a day. */
export const maxReviewPages = 10;
