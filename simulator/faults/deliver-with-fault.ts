import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { SimulatedResponse } from '../http/response.ts';
import type { FaultRule } from './fault-injector.ts';

const defaultBytes = 64 * 1024 * 1024;
const pieceBytes = 1024 * 1024;

/**
 * Sends a response with a delivery fault. Resolves when everything is sent or the client is gone.
 */
export async function deliverWithFault(
  rule: FaultRule,
  made: SimulatedResponse,
  response: ServerResponse,
): Promise<void> {
  switch (rule.fault) {
    case 'hang':
      return;
    case 'empty':
      response.writeHead(200, { ...made.headers, 'content-length': 0 }).end();
      return;
    case 'drip':
      response.writeHead(made.status, { ...made.headers, 'content-length': made.body.length });
      return drip(made.body, rule.intervalMs ?? 200, response);
    case 'reset':
      response.writeHead(made.status, { ...made.headers, 'content-length': made.body.length + 1 });
      response.write(made.body.subarray(0, made.body.length >> 1), () =>
        response.socket?.resetAndDestroy(),
      );
      return;
    case 'truncated-gzip': {
      const whole = gzipSync(made.body);
      const half = whole.subarray(0, whole.length >> 1);
      response
        .writeHead(200, {
          ...made.headers,
          'content-encoding': 'gzip',
          'content-length': half.length,
        })
        .end(half);
      return;
    }
    case 'huge':
      response.writeHead(200, made.headers);
      return pour(Buffer.alloc(pieceBytes, ' '), rule.bytes ?? defaultBytes, response);
    case 'gzip-bomb':
      response.writeHead(200, { ...made.headers, 'content-encoding': 'gzip' });
      // Many gzip members in a row are one valid stream and cheap to write.
      return pour(gzipSync(Buffer.alloc(pieceBytes)), rule.bytes ?? defaultBytes, response);
    default:
      return;
  }
}

async function drip(body: Buffer, intervalMs: number, response: ServerResponse): Promise<void> {
  for (let at = 0; at < body.length && !response.closed; at += 16) {
    response.write(body.subarray(at, at + 16));
    await new Promise((resolve) => setTimeout(resolve, intervalMs).unref());
  }
  response.end();
}

/** Repeats the piece until it unpacks to `bytes`, no faster than the client reads. */
async function pour(piece: Buffer, bytes: number, response: ServerResponse): Promise<void> {
  for (let sent = 0; sent < bytes && !response.closed; sent += pieceBytes) {
    if (response.write(piece)) continue;
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.on('drain', done).on('close', done);
    });
  }
  response.end();
}
