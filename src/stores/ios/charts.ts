import type { ChartResponse, ChartName, Cost, StoreRequestOptions } from '#domain/base/ports.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import type { HostRoot } from '../urls.ts';
import { parseItunesChart } from './parse-chart.ts';
import { readReply } from './results.ts';
import { chartUrl } from './urls.ts';

/**
 * A top chart for iPhone of up to 200 positions in one request; the depth is that of the response.
 */
export async function readChart(
  context: StoreRequestContext & { root: HostRoot },
  query: { chart: ChartName; category: string | null; country: string; limit: number },
  options: StoreRequestOptions,
): Promise<ChartResponse> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const request = {
    kind: 'chart' as const,
    url: chartUrl(context.root, query),
    headers: { accept: '*/*' },
    consentHeaders: null,
    read: readReply((body) => parseItunesChart(body, query)),
  };
  const items = await requestWithRetry(context, request, options, cost);
  return { items, depthReached: items.length, cost };
}
