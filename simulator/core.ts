import { utcDayOf, type UtcDay } from '../src/lib/dates.ts';
import {
  AddressLimits,
  standardLimits,
  type AddressLimitOptions,
} from './faults/address-limits.ts';
import { FaultBook, type FaultRule } from './faults/rules.ts';
import { RequestLog } from './http/request-log.ts';
import type { StoreName } from './store-name.ts';
import type { RegimeRule } from './world/regimes.ts';
import type { Planting } from './world/plants.ts';
import { createTruths } from './world/truths.ts';
import { createWorld, type Truth, type WorldOptions } from './world/world.ts';

export interface CoreOptions {
  seed?: number | undefined;
  /** Stops the virtual clock at this instant; without it the clock of the machine is followed. */
  now?: Date | undefined;
  world?: WorldOptions | undefined;
  /** Throttles each address as the iOS store does; off. */
  rateLimits?: boolean | Partial<AddressLimitOptions> | undefined;
}

export interface TruthQuestion {
  store: StoreName;
  phrase: string;
  country: string;
  /** The virtual clock's day when left out. */
  day?: UtcDay;
  storeAppId: string;
}

export type SimulatorCore = ReturnType<typeof createCore>;

/** The simulator without its sockets: world, clock, log and rules. */
export function createCore(options: CoreOptions) {
  const seed = options.seed ?? 1;
  const world = createWorld(seed, options.world);
  const faultBook = new FaultBook(seed);
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
    faultBook,
    requestLog,
    limits,
    now,
    day,
    /** Stops the virtual clock at this instant. */
    setNow(instant: Date) {
      stopped = new Date(instant);
    },
    /** What an app's place really is, whatever the faults make of it. */
    truth: (question: TruthQuestion): Truth => world.truth({ day: day(), ...question }),
    /** The true order of a market, best first. */
    order: (market: Omit<TruthQuestion, 'storeAppId'>): string[] =>
      world.order({ day: day(), ...market }).map((app) => app.storeAppId),
    ...createTruths(world, now),
    /** Adds reviews, releases and entrants to the invented world. */
    plant(planting: Planting) {
      world.plants.add(planting);
      generation++;
    },
    planted: () => world.plants.list(),
    clearPlants() {
      world.plants.clear();
      generation++;
    },
    log: (since = 0) => requestLog.list(since),
    clearLog: () => requestLog.clear(),
    counts: () => requestLog.counts(),
    faults: () => faultBook.list(),
    setFaults(rules: readonly FaultRule[], how: { append?: boolean } = {}) {
      faultBook.set(rules, how.append);
      generation++;
    },
    regimes: () => world.regimeRules(),
    setRegime(rules: readonly RegimeRule[]) {
      world.setRegimes(rules);
      generation++;
    },
    /** Changes whenever a remembered answer may be out of date. */
    generation: () => generation,
  };
}
