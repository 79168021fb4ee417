import { refused, unreadable } from '../store-errors.ts';
import { missingRpc } from './islands.ts';

const guard = ")]}'";

/** Codes of google.rpc that mean "nothing" or "rejected": invalid argument and not found. */
const codesOfNothing: readonly unknown[] = [3, 5];

/**
 * The payload of the first of these rpcs in a batchexecute response; null when the store sent none,
 * which means "nothing" or "rejected", depending on the rpc. Several names are old and new names of
 * one rpc. Throws StoreError `refused`, marker `rpc-error` for an error inside the response, or
 * `unreadable`.
 */
export function readRpcPayload(body: string, ...rpcIds: [string, ...string[]]): unknown {
  const frames = readFrames(body, rpcIds[0]);
  if (frames.some(isRpcError)) throw refused('android', 'rpc-error');
  const frame = frames.find(([kind, rpcId]) => kind === 'wrb.fr' && rpcIds.includes(String(rpcId)));
  // Behind the guard the response is Play's own. Words of a gatekeeper in it only repeat the query.
  if (frame === undefined)
    throw unreadable('android', 'rpc-missing', `no ${rpcIds[0]} among the frames`);
  const [, , payload, ...others] = frame;
  if (others.some((part) => typeof part === 'string' && part.startsWith('[')))
    throw unreadable('android', 'payload-moved', 'a payload in another place');
  if (payload === null) return null;
  if (typeof payload !== 'string')
    throw unreadable('android', 'payload', 'a payload that is not text');
  return parseJson(payload);
}

/**
 * Play also throttles within status 200: the frame then has a status with details, such as
 * `[13, null, [["type.googleapis.com/….PlayGatewayError", …]]]`. Only a bare code means "nothing".
 */
function isRpcError([kind, , , , , status]: unknown[]): boolean {
  if (kind !== 'wrb.fr' || status === null || status === undefined) return false;
  const [code, ...details] = Array.isArray(status) ? status.flat(9) : [status];
  const isBare = details.every((detail) => detail === null);
  return code !== undefined && !(isBare && codesOfNothing.includes(code));
}

/**
 * Either one array after the guard, or chunks of a length line and an array. Each array holds
 * frames.
 */
function readFrames(body: string, rpcId: string): unknown[][] {
  const start = body.trimStart();
  if (!start.startsWith(guard)) throw missingRpc(body, rpcId);
  const text = start.slice(guard.length).trim();
  const chunks = /^\d{1,10}\s/.test(text)
    ? text.split('\n').filter((line) => line.startsWith('['))
    : [text];
  return chunks.flatMap((chunk) => {
    const frames = parseJson(chunk);
    if (!Array.isArray(frames)) throw unreadable('android', 'frames', 'frames that are not a list');
    return frames.filter((frame): frame is unknown[] => Array.isArray(frame));
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('android', 'json', 'a frame that is not JSON');
  }
}
