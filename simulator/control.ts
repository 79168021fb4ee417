import { isUtcDay } from '../src/lib/dates.ts';
import { isFaultRule } from './faults/rules.ts';
import {
  readChartTruth,
  readHintsTruth,
  readPlanting,
  readReviewsTruth,
} from './control-truths.ts';
import { answer, type Answer } from './http/answer.ts';
import { answerPicture } from './http/pictures.ts';
import type { SimulatorCore } from './core.ts';
import { regimeNames, type RegimeRule } from './world/regimes.ts';

/** The `/_sim/…` paths: clock, log, truth, faults, regimes and pictures. */
export function answerControl(core: SimulatorCore, method: string, url: URL, body: string): Answer {
  const picture = answerPicture(url.pathname);
  if (picture) return picture;
  try {
    return route(core, method, url, body);
  } catch (error) {
    return reply(400, { error: error instanceof Error ? error.message : String(error) });
  }
}

function route(core: SimulatorCore, method: string, url: URL, body: string): Answer {
  switch (`${method} ${url.pathname.slice('/_sim'.length)}`) {
    case 'GET /clock':
      return reply(200, { now: core.now().toISOString(), day: core.day() });
    case 'POST /clock':
      core.setNow(readInstant(body));
      return reply(200, { now: core.now().toISOString(), day: core.day() });
    case 'GET /log':
      return reply(200, { entries: core.log(Number(url.searchParams.get('since') ?? 0)) });
    case 'DELETE /log':
      core.clearLog();
      return reply(200, { cleared: true });
    case 'GET /counts':
      return reply(200, core.counts());
    case 'GET /truth':
      return reply(200, core.truth({ ...readMarket(url), storeAppId: need(url, 'storeAppId') }));
    case 'GET /order':
      return reply(200, { storeAppIds: core.order(readMarket(url)) });
    case 'GET /reviews':
      return reply(200, readReviewsTruth(core, url));
    case 'GET /chart':
      return reply(200, readChartTruth(core, url));
    case 'GET /hints':
      return reply(200, readHintsTruth(core, url));
    case 'GET /plant':
      return reply(200, core.planted());
    case 'POST /plant':
      core.plant(readPlanting(body));
      return reply(200, core.planted());
    case 'DELETE /plant':
      core.clearPlants();
      return reply(200, { cleared: true });
    case 'GET /faults':
      return reply(200, { rules: core.faults() });
    case 'POST /faults':
      return postFaults(core, body);
    case 'GET /regime':
      return reply(200, { rules: core.regimes() });
    case 'POST /regime':
      core.setRegime(readRegimes(body));
      return reply(200, { rules: core.regimes() });
    default:
      return reply(404, { error: 'no such control path' });
  }
}

function postFaults(core: SimulatorCore, body: string): Answer {
  const parsed = JSON.parse(body) as { rules?: unknown[]; append?: boolean };
  const rules = (parsed.rules ?? []).map((rule) => {
    if (!isFaultRule(rule)) throw new Error(`not a fault rule: ${JSON.stringify(rule)}`);
    return rule;
  });
  core.setFaults(rules, { append: parsed.append === true });
  return reply(200, { rules: core.faults() });
}

function readRegimes(body: string): RegimeRule[] {
  const { rules } = JSON.parse(body) as { rules: RegimeRule[] };
  for (const { regime } of rules) {
    if (regime !== undefined && !regimeNames.includes(regime))
      throw new Error(`not a regime: ${regime}`);
  }
  return rules;
}

function readInstant(body: string): Date {
  const { now } = JSON.parse(body) as { now: string };
  const instant = new Date(now);
  if (Number.isNaN(instant.getTime())) throw new Error(`not an instant: ${now}`);
  return instant;
}

function readMarket(url: URL): {
  store: 'ios' | 'android';
  phrase: string;
  country: string;
  day?: string;
} {
  const store = need(url, 'store');
  if (store !== 'ios' && store !== 'android') throw new Error(`not a store: ${store}`);
  const day = url.searchParams.get('day');
  if (day !== null && !isUtcDay(day)) throw new Error(`not a day: ${day}`);
  const country = need(url, 'country').toLowerCase();
  return { store, phrase: need(url, 'phrase'), country, ...(day === null ? {} : { day }) };
}

function need(url: URL, name: string): string {
  const value = url.searchParams.get(name);
  if (value === null) throw new Error(`missing: ${name}`);
  return value;
}

function reply(status: number, value: unknown): Answer {
  return answer(status, 'json', JSON.stringify(value));
}
