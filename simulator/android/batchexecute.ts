import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { listChart } from './charts.ts';
import { continueList } from './continuation.ts';
import { continueEnterprise, searchEnterprise } from './enterprise-search.ts';
import { listHints, listWebHints } from './hints.ts';
import { listPermissions } from './permissions.ts';
import type { RenderItem } from './rendered-items.ts';
import { listReviews } from './reviews.ts';
import { readCalls } from './rpc-calls.ts';

/** Returns the payload of an rpc as JSON, or null where the real store has none. */
type Rpc = (argument: unknown, context: ResponseContext, renderItem: RenderItem) => string | null;

/** The rpc is read from f.req alone: one library sends `rpcids=qnKhOb` with every request. */
const storeRpcs: Readonly<Record<string, Rpc>> = {
  qnKhOb: continueList,
  UsvDTd: listReviews,
  oCPfdb: listReviews,
  vyAe2: listChart,
  IJ4APc: listHints,
  teXCtc: listWebHints,
  xdSrCf: listPermissions,
};

const enterpriseRpcs: Readonly<Record<string, Rpc>> = {
  lGYRle: searchEnterprise,
  qnKhOb: continueEnterprise,
};

/** The store throttles so within status 200, as several public clients report. */
const gatewayError = [
  13,
  null,
  [['type.googleapis.com/com.google.play.gateway.proto.PlayGatewayError', [null, 13]]],
];

/**
 * `POST /_/PlayStoreUi/data/batchexecute`, or `/_/PlayEnterpriseWebStoreUi/…` with rpcs of its own:
 * several rpcs in a request, distinguished by their tag.
 */
export function handleBatchexecute(
  context: ResponseContext,
  renderItem: RenderItem,
): SimulatedResponse {
  const calls = readCalls(context.request.body);
  if (calls === null)
    return respond(400, 'json', `)]}'\n\n[["er",null,null,null,null,400,null,null,null,3]]`);
  const { mutation, url } = context;
  const isEnterprise = url.pathname.startsWith('/_/PlayEnterpriseWebStoreUi/');
  const rpcs = isEnterprise ? enterpriseRpcs : storeRpcs;
  const frames: unknown[] = calls.map(({ rpc, argument, tag }) => {
    const isWithheld = mutation === 'null-payload' || mutation === 'rpc-error';
    const payload = isWithheld ? null : (rpcs[rpc]?.(argument, context, renderItem) ?? null);
    const name = mutation === 'rpc-renamed' ? `x${rpc.slice(1)}` : rpc;
    const status = mutation === 'rpc-error' ? gatewayError : payload === null ? [5] : null;
    return ['wrb.fr', name, payload, null, null, status, tag];
  });
  frames.push(['di', 23], ['af.httprm', 22, '-1', 7]);
  const json = JSON.stringify(frames);
  // Charts always come in chunks, whatever the request says.
  const chunked = url.searchParams.get('rt') === 'c' || calls.some(({ rpc }) => rpc === 'vyAe2');
  const body = chunked
    ? `${json.length + 2}\n${json}\n25\n[["e",4,null,null,${json.length}]]\n`
    : json;
  const made = respond(200, 'json', `)]}'\n\n${body}`);
  if (isEnterprise) made.headers['set-cookie'] = 'NID=sim; Path=/';
  return made;
}
