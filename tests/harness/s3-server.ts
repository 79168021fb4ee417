import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOn } from './listen-on.ts';
import { findSignatureError } from './s3-signature.ts';

export const s3Key = {
  accessKeyId: 'access-key-of-tests',
  secretAccessKey: 'secret-of-tests/with+signs',
  region: 'eu-test-1',
};

export interface S3Request {
  method: string;
  bucket: string;
  key: string;
  query: URLSearchParams;
}

/**
 * An error of S3; a connection that is cut before the request takes effect, in the middle of the
 * response, or after the effect without any response.
 */
export type S3Fault = { status: number; code: string } | 'drop' | 'truncate' | 'lose';

interface Part {
  bytes: Buffer;
  etag: string;
}

interface Upload {
  key: string;
  begunAt: Date;
  metadata: Record<string, string>;
  parts: Map<number, Part>;
}

export interface S3Object {
  bytes: Buffer;
  etag: string;
  metadata: Record<string, string>;
}

export interface S3Server {
  url: string;
  bucket: string;
  objects: Map<string, S3Object>;
  uploads: Map<string, Upload>;
  /** Every request whose signature was valid. */
  requests: S3Request[];
  /** Called for each of these requests; it may take its time. */
  fault: (request: S3Request) => S3Fault | null | Promise<S3Fault | null>;
  /** Added to the server's clock. */
  skewMs: number;
  /** Parts and objects beyond it are refused. */
  capacityBytes: number;
  close(): Promise<void>;
}

const minPartBytes = 5 * 2 ** 20;

class S3Error extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/**
 * A small S3 server with one bucket, in memory: it verifies every signature, has multipart uploads
 * with their rules, and fails on demand. Real servers are tested besides, where they are installed.
 */
export async function startS3Server(bucket = 'backups-of-tests', port = 0): Promise<S3Server> {
  const state: Omit<S3Server, 'url' | 'close'> = {
    bucket,
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    fault: () => null,
    skewMs: 0,
    capacityBytes: Infinity,
  };
  const server = createServer((request, response) => {
    respond(state, request, response).catch((error: unknown) => {
      const { status, code } =
        error instanceof S3Error ? error : { status: 500, code: 'InternalError' };
      sendXml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    });
  });
  const { port: found, close } = await listenOn(server, '127.0.0.1', port);
  return Object.assign(state, { url: `http://localhost:${found}`, close });
}

type State = Omit<S3Server, 'url' | 'close'>;

async function respond(
  state: State,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url: target = '', headers } = incoming;
  const body = await buffer(incoming);
  const now = new Date(Date.now() + state.skewMs);
  response.setHeader('date', now.toUTCString());
  const request = readRequest(method, target, headers.host ?? '');
  const refusal = findSignatureError({ method, target, headers, body }, s3Key, now);
  if (refusal !== null) throw new S3Error(refusal.startsWith('Auth') ? 400 : 403, refusal);
  if (request.bucket !== state.bucket) throw new S3Error(404, 'NoSuchBucket');
  state.requests.push(request);
  const fault = await state.fault(request);
  if (fault === 'drop') return void incoming.socket.destroy();
  if (typeof fault === 'object' && fault !== null) throw new S3Error(fault.status, fault.code);
  const operation = operations[operationOf(request)];
  if (!operation) throw new S3Error(501, 'NotImplemented');
  if (fault === 'lose')
    response.write = response.end = () => void incoming.socket.destroy() as never;
  operation({ state, request, body, headers, response, isCut: fault === 'truncate' });
}

function readRequest(method: string, target: string, host: string): S3Request {
  const url = new URL(target, 'http://localhost');
  const path = decodeURIComponent(url.pathname).slice(1);
  const virtual = /^([^.]+)\.localhost(:\d+)?$/.exec(host)?.[1];
  const [first = '', ...rest] = path.split('/');
  const [bucket, key] = virtual ? [virtual, path] : [first, rest.join('/')];
  return { method, bucket, key, query: url.searchParams };
}

function operationOf({ method, key, query }: S3Request): string {
  if (key === '') return query.has('uploads') ? 'listUploads' : '';
  if (query.has('uploads')) return method === 'POST' ? 'begin' : '';
  if (query.has('uploadId')) return `${method} part`;
  return `${method} object`;
}

interface Call {
  state: State;
  request: S3Request;
  body: Buffer;
  headers: IncomingMessage['headers'];
  response: ServerResponse;
  isCut: boolean;
}

const operations: Record<string, (call: Call) => void> = {
  listUploads: ({ state, request, response }) => {
    const prefix = request.query.get('prefix') ?? '';
    const items = [...state.uploads]
      .filter(([, { key }]) => key.startsWith(prefix))
      .map(
        ([id, { key, begunAt }]) =>
          `<Upload><Key>${key}</Key><UploadId>${id}</UploadId>` +
          `<Initiated>${begunAt.toISOString()}</Initiated></Upload>`,
      );
    sendXml(
      response,
      200,
      `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${items.join('')}` +
        '</ListMultipartUploadsResult>',
    );
  },
  begin: ({ state, request, headers, response }) => {
    const id = randomBytes(16).toString('hex');
    state.uploads.set(id, {
      key: request.key,
      begunAt: new Date(Date.now() + state.skewMs),
      metadata: readMetadata(headers),
      parts: new Map(),
    });
    sendXml(
      response,
      200,
      `<InitiateMultipartUploadResult><Bucket>${request.bucket}</Bucket><Key>${request.key}</Key>` +
        `<UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  },
  'PUT part': ({ state, request, body, response }) => {
    const upload = findUpload(state, request);
    const number = Number(request.query.get('partNumber'));
    if (!(number >= 1 && number <= 10_000)) throw new S3Error(400, 'InvalidArgument');
    if (countBytes(state) + body.length > state.capacityBytes)
      throw new S3Error(507, 'XMinioStorageFull');
    const etag = `"${md5(body)}"`;
    upload.parts.set(number, { bytes: body, etag });
    response.writeHead(200, { etag }).end();
  },
  'GET part': ({ state, request, response }) => {
    const items = [...findUpload(state, request).parts]
      .toSorted(([a], [b]) => a - b)
      .map(
        ([number, { bytes, etag }]) =>
          `<Part><PartNumber>${number}</PartNumber><Size>${bytes.length}</Size>` +
          `<ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`,
      );
    sendXml(
      response,
      200,
      `<ListPartsResult><IsTruncated>false</IsTruncated>${items.join('')}</ListPartsResult>`,
    );
  },
  'POST part': ({ state, request, body, response }) => {
    const upload = findUpload(state, request);
    const named = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, text = '']) => ({
      number: Number(/<PartNumber>(\d+)</.exec(text)?.[1]),
      etag: /<ETag>(.*?)</.exec(text)?.[1]?.replaceAll('&quot;', '"'),
    }));
    const parts = named.map(({ number, etag }, index) => {
      const part = upload.parts.get(number);
      if (part?.etag !== etag) throw new S3Error(400, 'InvalidPart');
      if (index < named.length - 1 && part!.bytes.length < minPartBytes)
        throw new S3Error(400, 'EntityTooSmall');
      return part!;
    });
    const hashes = parts.map((part) => Buffer.from(part.etag.slice(1, -1), 'hex'));
    const etag = `"${md5(Buffer.concat(hashes))}-${parts.length}"`;
    const bytes = Buffer.concat(parts.map((part) => part.bytes));
    state.objects.set(upload.key, { bytes, etag, metadata: upload.metadata });
    state.uploads.delete(request.query.get('uploadId')!);
    sendXml(
      response,
      200,
      `<CompleteMultipartUploadResult><Key>${request.key}</Key>` +
        `<ETag>${etag.replaceAll('"', '&quot;')}</ETag></CompleteMultipartUploadResult>`,
    );
  },
  'DELETE part': ({ state, request, response }) => {
    findUpload(state, request);
    state.uploads.delete(request.query.get('uploadId')!);
    response.writeHead(204).end();
  },
  'HEAD object': ({ state, request, response }) => {
    const { bytes, ...object } = findObject(state, request);
    response.writeHead(200, { ...headersOf(object), 'content-length': bytes.length }).end();
  },
  'GET object': ({ state, request, headers, response, isCut }) => {
    const { bytes, ...object } = findObject(state, request);
    const given = headers['if-match'];
    if (given !== undefined && given !== object.etag) throw new S3Error(412, 'PreconditionFailed');
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '');
    const [start, last] = range ? [Number(range[1]), Number(range[2])] : [0, bytes.length - 1];
    if (start >= bytes.length) throw new S3Error(416, 'InvalidRange');
    const end = Math.min(last, bytes.length - 1);
    response.writeHead(206, {
      ...headersOf(object),
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${bytes.length}`,
    });
    const sent = bytes.subarray(start, end + 1);
    if (!isCut) return void response.end(sent);
    response.write(sent.subarray(0, Math.floor(sent.length / 2)), () => response.destroy());
  },
  'DELETE object': ({ state, request, response }) => {
    state.objects.delete(request.key);
    response.writeHead(204).end();
  },
};

function findUpload(state: State, { key, query }: S3Request): Upload {
  const upload = state.uploads.get(query.get('uploadId') ?? '');
  if (upload?.key !== key) throw new S3Error(404, 'NoSuchUpload');
  return upload;
}

function findObject(state: State, { key }: S3Request): S3Object {
  const object = state.objects.get(key);
  if (!object) throw new S3Error(404, 'NoSuchKey');
  return object;
}

const headersOf = ({ etag, metadata }: Omit<S3Object, 'bytes'>) => ({
  etag,
  ...Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]),
  ),
});

const readMetadata = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith('x-amz-meta-'))
      .map(([name, value]) => [name.slice('x-amz-meta-'.length), String(value)]),
  );

const countBytes = ({ objects, uploads }: State): number =>
  [
    ...objects.values(),
    ...[...uploads.values()].flatMap(({ parts }) => [...parts.values()]),
  ].reduce((sum, { bytes }) => sum + bytes.length, 0);

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');

function sendXml(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
}
