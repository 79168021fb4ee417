import type { ChartAnswer, ChartName, Cost, StoreRequestOptions } from '../../domain/ports.ts';
import { ask, type AskContext } from '../ask.ts';
import type { HostRoot } from '../urls.ts';
import { parseItunesChart } from './parse-chart.ts';
import { readReply } from './results.ts';
import { chartUrl } from './urls.ts';

/** A top chart of up to 200 places in one request, for iPhone; depth is what the store gave. */
export async function readChart(
  context: AskContext & { root: HostRoot },
  query: { chart: ChartName; category: string | null; country: string; limit: number },
  options: StoreRequestOptions,
): Promise<ChartAnswer> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const question = {
    kind: 'chart' as const,
    url: chartUrl(context.root, query),
    headers: { accept: '*/*' },
    consentHeaders: null,
    read: readReply((body) => parseItunesChart(body, query.limit)),
  };
  const items = await ask(context, question, options, cost);
  return { items, depthReached: items.length, cost };
}
