import { isUtcDay } from '#lib/dates.ts';
import type { StoreName } from '#stores/profiles.ts';
import { isFaultRule } from './faults/fault-injector.ts';
import {
  getChartGroundTruth,
  getHintsGroundTruth,
  parseOverrides,
  getReviewsGroundTruth,
  requireStore,
} from './control-ground-truth.ts';
import { respond, type SimulatedResponse } from './http/response.ts';
import type { AdsKey } from './apple-ads/apple-ads.ts';
import type { SimulatorCore } from './core.ts';
import { searchModes, type SearchModeRule } from './world/search-modes.ts';

/** The `/_sim/…` paths: clock, log, ground truth, overrides, faults and search modes. */
export function handleControl(
  core: SimulatorCore,
  method: string,
  url: URL,
  body: string,
): SimulatedResponse {
  try {
    return route(core, method, url, body);
  } catch (error) {
    return reply(400, { error: error instanceof Error ? error.message : String(error) });
  }
}

function route(core: SimulatorCore, method: string, url: URL, body: string): SimulatedResponse {
  switch (`${method} ${url.pathname.slice('/_sim'.length)}`) {
    case 'GET /clock':
      return reply(200, { now: core.now().toISOString(), day: core.day() });
    case 'POST /clock':
      core.setNow(readInstant(body));
      return reply(200, { now: core.now().toISOString(), day: core.day() });
    // As if the public key were pasted at Account Settings, API.
    case 'POST /apple-ads/keys':
      core.appleAds.register(JSON.parse(body) as AdsKey);
      return reply(200, { registered: true });
    case 'GET /log':
      return reply(200, { entries: core.log(Number(url.searchParams.get('since') ?? 0)) });
    case 'DELETE /log':
      core.clearLog();
      return reply(200, { cleared: true });
    case 'GET /counts':
      return reply(200, core.counts());
    case 'GET /ground-truth':
      return reply(
        200,
        core.groundTruth({ ...parseMarketQuery(url), storeAppId: need(url, 'storeAppId') }),
      );
    case 'GET /order':
      return reply(200, { storeAppIds: core.order(parseMarketQuery(url)) });
    case 'GET /reviews':
      return reply(200, getReviewsGroundTruth(core, url));
    case 'GET /chart':
      return reply(200, getChartGroundTruth(core, url));
    case 'GET /hints':
      return reply(200, getHintsGroundTruth(core, url));
    case 'GET /overrides':
      return reply(200, core.overrides());
    case 'POST /overrides':
      core.addOverrides(parseOverrides(body));
      return reply(200, core.overrides());
    case 'DELETE /overrides':
      core.clearOverrides();
      return reply(200, { cleared: true });
    case 'GET /faults':
      return reply(200, { rules: core.faults() });
    case 'POST /faults':
      return setFaultsFromBody(core, body);
    case 'GET /search-modes':
      return reply(200, { rules: core.searchModes() });
    case 'POST /search-modes':
      core.setSearchModes(parseSearchModes(body));
      return reply(200, { rules: core.searchModes() });
    default:
      return reply(404, { error: 'no such control path' });
  }
}

function setFaultsFromBody(core: SimulatorCore, body: string): SimulatedResponse {
  const parsed = JSON.parse(body) as { rules?: unknown[]; append?: boolean };
  const rules = (parsed.rules ?? []).map((rule) => {
    if (!isFaultRule(rule)) throw new Error(`not a fault rule: ${JSON.stringify(rule)}`);
    return rule;
  });
  core.setFaults(rules, { append: parsed.append === true });
  return reply(200, { rules: core.faults() });
}

function parseSearchModes(body: string): SearchModeRule[] {
  const { rules } = JSON.parse(body) as { rules: SearchModeRule[] };
  for (const { mode } of rules) {
    if (mode !== undefined && !searchModes.includes(mode))
      throw new Error(`not a search mode: ${mode}`);
  }
  return rules;
}

function readInstant(body: string): Date {
  const { now } = JSON.parse(body) as { now: string };
  const instant = new Date(now);
  if (Number.isNaN(instant.getTime())) throw new Error(`not an instant: ${now}`);
  return instant;
}

function parseMarketQuery(url: URL): {
  store: StoreName;
  phrase: string;
  country: string;
  day?: string;
  shownOn?: string;
} {
  const store = requireStore(need(url, 'store'));
  const day = url.searchParams.get('day');
  if (day !== null && !isUtcDay(day)) throw new Error(`not a day: ${day}`);
  const country = need(url, 'country').toLowerCase();
  const shownOn = url.searchParams.get('shownOn');
  return {
    store,
    phrase: need(url, 'phrase'),
    country,
    ...(day !== null && { day }),
    ...(shownOn !== null && { shownOn }),
  };
}

function need(url: URL, name: string): string {
  const value = url.searchParams.get(name);
  if (value === null) throw new Error(`missing: ${name}`);
  return value;
}

function reply(status: number, value: unknown): SimulatedResponse {
  return respond(status, 'json', JSON.stringify(value));
}
