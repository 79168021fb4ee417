import type { ResponseMutation } from '../http/response-context.ts';
import type { StoreName } from '#stores/profiles.ts';
import { mix, unit } from '../world/hash.ts';
import { isFieldFault } from './field-faults.ts';
import { normalizePhrase } from '../world/ranking.ts';

/** Faults that replace the response by a refusal. */
export const refusals = ['403', '429', '502', '503', 'sorry', 'captcha', 'consent'] as const;
/** Faults of the delivery of a correct response. */
export const deliveries = [
  'hang',
  'drip',
  'reset',
  'truncated-gzip',
  'empty',
  'huge',
  'gzip-bomb',
] as const;
export const responseMutations = [
  'no-results',
  'shorter',
  'halved',
  'thinned',
  'ds-shifted',
  'rpc-renamed',
  'index-moved',
  'null-payload',
  'rpc-error',
  'soft-empty',
  'entries-withheld',
  'genre-ignored',
  'wrong-intent',
  'wrong-platform',
  'sections-split',
] as const satisfies ResponseMutation[];
/**
 * `stale` responds for an earlier day; `gone` removes an app from a country; the others change a
 * field of every listing in a response.
 */
export const otherFaults = ['stale', 'gone', 'field-null', 'field-renamed'] as const;

export type FaultName =
  | (typeof refusals)[number]
  | (typeof deliveries)[number]
  | (typeof responseMutations)[number]
  | (typeof otherFaults)[number];

export interface FaultRule {
  fault: FaultName;
  /** Conditions. A missing one matches everything. */
  store?: StoreName;
  kind?: string;
  address?: string;
  country?: string;
  phrase?: string;
  /** Phrases that are not affected. */
  except?: readonly string[];
  host?: string;
  /** A part of the path with its query. */
  path?: string;
  /** For `gone`: the app that is gone. */
  storeAppId?: string;
  /** For `field-null` a fact of listings, for `field-renamed` a key of the response. */
  field?: string;
  /** The virtual instant from which on the rule applies, ISO. */
  from?: string;
  /** The number of matching requests that pass first. */
  after?: number;
  /** The number of requests that fail; unlimited unless given. */
  times?: number;
  /** 0–1, drawn from the world's seed; 1 by default. */
  probability?: number;
  /** The Retry-After header of 403, 429 and 503. */
  retryAfterSeconds?: number;
  /** The pause between the pieces of `drip`; 200 by default. */
  intervalMs?: number;
  /** The size of `huge` and of the unpacked `gzip-bomb`; 64 MiB by default. */
  bytes?: number;
  /** The age of a `stale` response in days; 1 by default. */
  days?: number;
}

export interface FaultTarget {
  store: StoreName | null;
  kind: string;
  host: string;
  address: string;
  country: string | null;
  phrase: string | null;
  path: string;
  cookie: string;
}

interface ActiveRule {
  rule: FaultRule;
  seen: number;
  struck: number;
}

const names = new Set<string>([...refusals, ...deliveries, ...responseMutations, ...otherFaults]);

export function isFaultRule(value: unknown): value is FaultRule {
  if (typeof value !== 'object' || value === null || !('fault' in value)) return false;
  const rule = value as FaultRule;
  const isField = rule.fault === 'field-null' || rule.fault === 'field-renamed';
  return names.has(String(rule.fault)) && (!isField || isFieldFault(rule));
}

/** The current fault rules. Chance is drawn from the seed, so that a run can be repeated. */
export class FaultInjector {
  private rules: ActiveRule[] = [];
  private draws = 0;
  private readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  set(rules: readonly FaultRule[], append = false): void {
    const live = rules.map((rule) => ({ rule, seen: 0, struck: 0 }));
    this.rules = append ? [...this.rules, ...live] : live;
    if (!append) this.draws = 0;
  }

  list(): (FaultRule & { seen: number; struck: number })[] {
    return this.rules.map(({ rule, seen, struck }) => ({ ...rule, seen, struck }));
  }

  /** The first rule that affects this request. */
  strike(request: FaultTarget, now: Date): FaultRule | null {
    for (const live of this.rules) {
      if (live.rule.fault === 'gone' || !matches(live.rule, request)) continue;
      if (live.rule.from !== undefined && now < new Date(live.rule.from)) continue;
      // A client with the consent cookie has passed the consent page.
      if (live.rule.fault === 'consent' && /\b(SOCS|CONSENT)=/.test(request.cookie)) continue;
      live.seen++;
      if (live.seen <= (live.rule.after ?? 0) || live.struck >= (live.rule.times ?? Infinity))
        continue;
      const { probability = 1 } = live.rule;
      if (probability < 1 && unit(mix(this.seed, this.draws++)) >= probability) continue;
      live.struck++;
      return live.rule;
    }
    return null;
  }

  isGone(storeAppId: string, request: FaultTarget): boolean {
    return this.rules.some(
      ({ rule }) =>
        rule.fault === 'gone' && rule.storeAppId === storeAppId && matches(rule, request),
    );
  }
}

function matches(rule: FaultRule, request: FaultTarget): boolean {
  return (
    (rule.store ?? request.store) === request.store &&
    (rule.kind ?? request.kind) === request.kind &&
    (rule.host ?? request.host) === request.host &&
    (rule.address ?? request.address) === request.address &&
    (rule.country ?? request.country) === request.country &&
    (rule.phrase === undefined || normalizePhrase(rule.phrase) === request.phrase) &&
    !(rule.except ?? []).some((phrase) => normalizePhrase(phrase) === request.phrase) &&
    (rule.path === undefined || request.path.includes(rule.path))
  );
}
