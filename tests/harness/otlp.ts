import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { listenOn } from './listen-on.ts';
import { Message } from './protobuf.ts';

type Attributes = Record<string, string | number>;

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  attributes: Attributes;
  hasFailed: boolean;
  startNs: bigint;
  endNs: bigint;
  resource: Attributes;
}

export interface ReceivedGauge {
  name: string;
  unit: string;
  points: { attributes: Attributes; value: number }[];
  resource: Attributes;
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** Every gauge of every export, in the order of their arrival. */
  gauges: ReceivedGauge[];
  requests: { path: string; headers: IncomingHttpHeaders }[];
  /** Its response from now on; 200 at first. */
  respond: (response: ServerResponse) => void;
  close(): Promise<void>;
}

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

/** Receives OTLP over HTTP with Protocol Buffers, on a real socket of 127.0.0.1. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const sent = Buffer.concat(chunks);
      const body = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      receiver.requests.push({ path, headers });
      if (path.endsWith('/v1/traces')) receiver.spans.push(...readSpans(body));
      if (path.endsWith('/v1/metrics')) receiver.gauges.push(...readGauges(body));
      receiver.respond(response);
    });
  });
  const { port, close } = await listenOn(server);
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${port}`,
    spans: [],
    gauges: [],
    requests: [],
    respond: (response) => response.writeHead(200, { 'content-type': contentType }).end(),
    close,
  };
  return receiver;
}

const contentType = 'application/x-protobuf';

function readSpans(body: Buffer): ReceivedSpan[] {
  return new Message(body).all(1).flatMap((ofResource) => {
    const resource = readAttributes(ofResource.one(1), 1);
    return ofResource
      .all(2)
      .flatMap((scope) => scope.all(2))
      .map((span) => readSpan(span, resource));
  });
}

const readSpan = (span: Message, resource: Attributes): ReceivedSpan => ({
  traceId: span.bytes(1).toString('hex'),
  spanId: span.bytes(2).toString('hex'),
  parentId: span.bytes(4).toString('hex'),
  name: span.text(5),
  kind: kinds[span.number(6) ?? 0]!,
  attributes: readAttributes(span, 9),
  hasFailed: span.one(15).number(3) === 2,
  startNs: span.bytes(7).readBigUInt64LE(),
  endNs: span.bytes(8).readBigUInt64LE(),
  resource,
});

function readGauges(body: Buffer): ReceivedGauge[] {
  return new Message(body).all(1).flatMap((ofResource) => {
    const resource = readAttributes(ofResource.one(1), 1);
    return ofResource
      .all(2)
      .flatMap((scope) => scope.all(2))
      .map((metric) => ({
        name: metric.text(1),
        unit: metric.text(3),
        points: metric
          .one(5)
          .all(1)
          .map((point) => ({ attributes: readAttributes(point, 7), value: point.number(4) ?? 0 })),
        resource,
      }));
  });
}

function readAttributes(message: Message, field: number): Attributes {
  return Object.fromEntries(
    message.all(field).map((pair) => {
      const value = pair.one(2);
      return [pair.text(1), value.number(3) ?? value.number(4) ?? value.text(1)];
    }),
  );
}
