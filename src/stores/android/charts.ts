import {
  withCost,
  type ChartResponse,
  type ChartName,
  type Cost,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import { notOffered } from '../store-errors.ts';
import type { HostRoot } from '../urls.ts';
import { chartArgument, chartRpc } from './chart-request.ts';
import { parsePlayChart } from './parse-chart.ts';
import { callRpc } from './rpc.ts';

/**
 * A top chart in one request. Throws `not_offered` where the store has no such chart: then no
 * position is known.
 */
export async function readChart(
  context: StoreRequestContext & { root: HostRoot },
  query: { chart: ChartName; category: string | null; country: string; limit: number },
  options: StoreRequestOptions,
): Promise<ChartResponse> {
  const { country } = query;
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const request = callRpc(context, {
    kind: 'chart',
    rpcId: chartRpc,
    argument: chartArgument(query),
    country,
    parse: parsePlayChart,
  });
  const apps = await requestWithRetry(context, request, options, cost);
  if (apps === null || apps.length === 0)
    throw withCost(notOffered('android', 'no-chart', 'a chart the store does not have'), cost);
  const items = apps.slice(0, query.limit);
  return { items, depthReached: items.length, cost };
}
