import { AppleAds } from './apple-ads/apple-ads.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import {
  AddressLimits,
  standardLimits,
  type AddressLimitOptions,
} from './faults/address-limits.ts';
import { FaultInjector, type FaultRule } from './faults/fault-injector.ts';
import { RequestLog } from './http/request-log.ts';
import { mapStores, type StoreName } from '#stores/profiles.ts';
import { simulatedStores } from './stores.ts';
import type { SearchModeRule } from './world/search-modes.ts';
import type { Overrides } from './world/overrides.ts';
import { createGroundTruth } from './world/ground-truth.ts';
import { createWorld, type GroundTruth, type WorldOptions } from './world/world.ts';

export interface CoreOptions {
  seed?: number | undefined;
  /** Stops the virtual clock at this instant; by default it follows the machine's clock. */
  now?: Date | undefined;
  world?: WorldOptions | undefined;
  /** Throttles each address in the stores that throttle; false by default. */
  rateLimits?: boolean | Partial<AddressLimitOptions> | undefined;
}

export interface GroundTruthQuery {
  store: StoreName;
  phrase: string;
  country: string;
  /** The virtual clock's day by default. */
  day?: UtcDay;
  /** The API or device that shows the order; the store's search page on phones by default. */
  shownOn?: string;
  storeAppId: string;
}

export type SimulatorCore = ReturnType<typeof createCore>;

/** The simulator without sockets: world, clock, log and rules. */
export function createCore(options: CoreOptions) {
  const seed = options.seed ?? 1;
  const traits = mapStores(({ id }) => simulatedStores[id].traits);
  const world = createWorld(seed, traits, options.world);
  const faultInjector = new FaultInjector(seed);
  const requestLog = new RequestLog();
  const limits = options.rateLimits
    ? new AddressLimits({
        ...standardLimits,
        ...(options.rateLimits === true ? {} : options.rateLimits),
      })
    : null;
  let stopped: Date | null = options.now ?? null;
  let generation = 0;

  const now = () => stopped ?? new Date();
  const day = () => utcDayOf(now());
  return {
    world,
    appleAds: new AppleAds(now),
    faultInjector,
    requestLog,
    limits,
    now,
    day,
    /** Stops the virtual clock at this instant. */
    setNow(instant: Date) {
      stopped = new Date(instant);
    },
    /** The true position of an app, unaffected by faults. */
    groundTruth: (query: GroundTruthQuery): GroundTruth =>
      world.groundTruth({ day: day(), ...query }),
    /** The true order of a market, best first. */
    order: (market: Omit<GroundTruthQuery, 'storeAppId'>): string[] =>
      world.order({ day: day(), ...market }).map((app) => app.storeAppId),
    ...createGroundTruth(world, now),
    /** Adds reviews, releases, entrants and positions to the world. */
    addOverrides(overrides: Overrides) {
      world.overrides.add(overrides);
      generation++;
    },
    overrides: () => world.overrides.list(),
    clearOverrides() {
      world.overrides.clear();
      generation++;
    },
    log: (since = 0) => requestLog.list(since),
    clearLog: () => requestLog.clear(),
    counts: () => requestLog.counts(),
    faults: () => faultInjector.list(),
    setFaults(rules: readonly FaultRule[], how: { append?: boolean } = {}) {
      faultInjector.set(rules, how.append);
      generation++;
    },
    searchModes: () => world.searchModeRules(),
    setSearchModes(rules: readonly SearchModeRule[]) {
      world.setSearchModeRules(rules);
      generation++;
    },
    /** Changes when cached responses may be out of date. */
    generation: () => generation,
  };
}
