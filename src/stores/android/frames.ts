import { unreadable } from '../failures.ts';
import { missingRpc } from './islands.ts';

const guard = ")]}'";

/**
 * The payload of the first of these rpcs in an answer of batchexecute; null where the store gave none, which means
 * "nothing" or "rejected" as the rpc has it. Several names are those one rpc has had.
 * Throws StoreError `refused` or `unreadable`.
 */
export function readRpcPayload(body: string, ...rpcIds: [string, ...string[]]): unknown {
  const frame = readFrames(body, rpcIds[0]).find(
    ([kind, rpcId]) => kind === 'wrb.fr' && rpcIds.includes(String(rpcId)),
  );
  // Behind the guard it is Play's own answer, and a gatekeeper's word in it an echo of what was asked for.
  if (frame === undefined)
    throw unreadable('android', 'rpc-missing', `no ${rpcIds[0]} among the frames`);
  const payload = frame[2];
  if (payload === null || payload === undefined) return null;
  if (typeof payload !== 'string')
    throw unreadable('android', 'payload', 'a payload that is not text');
  return parseJson(payload);
}

/** One array after the guard, or chunks of a length line and an array; each array holds frames. */
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
