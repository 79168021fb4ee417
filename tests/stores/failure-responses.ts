import { gzipSync } from 'node:zlib';
import type { StoreFailure } from '#domain/base/ports.ts';
import {
  islandPage,
  itunesBody,
  itunesResult,
  playItem,
  searchData,
  searchPage,
  sparse,
} from './pages.ts';
import type { Reply } from './store-server.ts';

export const send =
  (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Reply =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);
export const page = (body: string | Buffer) => send(200, body);
const gzip = { 'content-encoding': 'gzip' };
export const captcha =
  '<html><form id="captcha-form"><div class="g-recaptcha"></div></form>Our systems have ' +
  'detected unusual traffic</html>';
const consent =
  '<!doctype html><title>Before you continue</title><form ' +
  'action="https://consent.google.com/save"></form>';
const justAMoment = '<!doctype html><title>Just a moment...</title><p>Checking your browser</p>';
const tooMany = '<html><h1>429 Too Many Requests</h1>Please reduce your request rate</html>';
export const oneApp = itunesBody([itunesResult(1)]);

export interface FailurePage {
  reply: Reply;
  failure: StoreFailure;
  marker: string | RegExp;
  /** Expected attempts; 1 by default. */
  requests?: number;
  timeoutMs?: number;
}

const drip: Reply = (_request, response) => {
  response.writeHead(200, { 'content-length': '100000' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};
const bomb: Reply = (_request, response) => {
  // Gzip members in a row are one valid stream: 256 MiB in 260 KB.
  const member = gzipSync(Buffer.alloc(1024 * 1024));
  response.writeHead(200, gzip).end(Buffer.concat(Array<Buffer>(256).fill(member)));
};

export const ways: Record<string, FailurePage> = {
  '429 with HTML': { reply: send(429, tooMany), failure: 'refused', marker: '429' },
  '403 without a body': { reply: send(403), failure: 'refused', marker: '403-empty' },
  '403 with HTML': { reply: send(403, '<html>Forbidden'), failure: 'refused', marker: '403' },
  '503 with Retry-After': {
    reply: send(503, '<html>Service Unavailable', { 'retry-after': '600' }),
    failure: 'refused',
    marker: '503',
  },
  '500 without a body': { reply: send(500), failure: 'unavailable', marker: '500', requests: 3 },
  '502 of a proxy': {
    reply: send(502, 'Bad Gateway'),
    failure: 'unavailable',
    marker: '502',
    requests: 3,
  },
  '407 of a proxy': { reply: send(407), failure: 'unavailable', marker: '407', requests: 3 },
  '204 without content': { reply: send(204), failure: 'unreadable', marker: 'status-204' },
  'a redirect inward': {
    reply: send(302, '', { location: 'http://169.254.169.254/latest' }),
    failure: 'unreadable',
    marker: 'redirect',
  },
  'a redirect to nowhere': { reply: send(301), failure: 'unreadable', marker: 'redirect' },
  'a redirect to the captcha': {
    reply: send(302, '', { location: 'https://www.google.com/sorry/index?q=1' }),
    failure: 'refused',
    marker: 'sorry',
  },
  'a reset in the middle': {
    reply: (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"resultCount":0,', () => response.socket!.resetAndDestroy());
    },
    failure: 'unavailable',
    marker: 'reset',
    requests: 3,
  },
  'a disconnect before the headers': {
    reply: (request) => void request.socket.destroy(),
    failure: 'unavailable',
    marker: 'reset',
    requests: 3,
  },
  'a body shorter than announced': {
    reply: (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write(oneApp, () => response.socket!.end());
    },
    failure: 'unavailable',
    marker: /reset|truncated/,
    requests: 3,
  },
  'truncated gzip': {
    reply: send(200, gzipSync(oneApp.repeat(50)).subarray(0, 60), gzip),
    failure: 'unavailable',
    marker: 'truncated',
    requests: 3,
  },
  'invalid gzip': {
    reply: send(200, oneApp, gzip),
    failure: 'unavailable',
    marker: 'corrupt',
    requests: 3,
  },
  'invalid brotli': {
    reply: send(200, oneApp, { 'content-encoding': 'br' }),
    failure: 'unavailable',
    marker: /corrupt|truncated/,
    requests: 3,
  },
  'an encoding that was not accepted': {
    reply: send(200, oneApp, { 'content-encoding': 'zstd' }),
    failure: 'unreadable',
    marker: 'encoding',
  },
  'gzip in gzip': {
    reply: send(200, gzipSync(gzipSync(oneApp)), { 'content-encoding': 'gzip, gzip' }),
    failure: 'unreadable',
    marker: 'encoding',
  },
  'a gzip bomb': { reply: bomb, failure: 'unavailable', marker: 'oversized', requests: 3 },
  '9 MB of plain text': {
    reply: page(Buffer.alloc(9 * 1024 * 1024, ' ')),
    failure: 'unavailable',
    marker: 'oversized',
    requests: 3,
  },
  'a slow body': {
    reply: drip,
    failure: 'unavailable',
    marker: 'timeout',
    requests: 3,
    timeoutMs: 150,
  },
  silence: {
    reply: () => {},
    failure: 'unavailable',
    marker: 'timeout',
    requests: 3,
    timeoutMs: 100,
  },
  'plain text': {
    reply: page('CustomerReviews RSS page depth is limited to 10'),
    failure: 'unreadable',
    marker: /json|rpc-missing/,
  },
  'random bytes': {
    reply: page(Buffer.from([0, 255, 254, 1, 2, 3])),
    failure: 'unreadable',
    marker: /json|rpc-missing/,
  },
};

export const itunesPages: Record<string, FailurePage> = {
  '503': {
    reply: send(503, '<html>Service Unavailable'),
    failure: 'unavailable',
    marker: '503',
    requests: 3,
  },
  'an empty 200': { reply: page(''), failure: 'refused', marker: 'empty' },
  'newlines only': { reply: page('\n\n\n'), failure: 'refused', marker: 'empty' },
  'HTML instead of JSON': {
    reply: page('<!DOCTYPE html><html>'),
    failure: 'refused',
    marker: 'html',
  },
  'JSON cut off': { reply: page(oneApp.slice(0, -20)), failure: 'unreadable', marker: 'json' },
  null: { reply: page('null'), failure: 'unreadable', marker: 'envelope' },
  'an array': { reply: page('[]'), failure: 'unreadable', marker: 'envelope' },
  'no results key': { reply: page('{"resultCount":0}'), failure: 'unreadable', marker: 'results' },
  'results as an object': {
    reply: page('{"resultCount":0,"results":{}}'),
    failure: 'unreadable',
    marker: 'results',
  },
  'a resultCount that is too high': {
    reply: page('{"resultCount":3,"results":[]}'),
    failure: 'unreadable',
    marker: 'result-count',
  },
  'a resultCount that is too low': {
    reply: page(JSON.stringify({ resultCount: 0, results: [itunesResult(1)] })),
    failure: 'unreadable',
    marker: 'result-count',
  },
  'resultCount as text': {
    reply: page('{"resultCount":"0","results":[]}'),
    failure: 'unreadable',
    marker: 'result-count',
  },
  'a million results': {
    reply: page(`{"resultCount":1000000,"results":[${'{},'.repeat(999_999)}{}]}`),
    failure: 'unreadable',
    marker: 'too-many',
  },
  'results that are numbers': {
    reply: page(itunesBody([1, 2])),
    failure: 'unreadable',
    marker: 'result',
  },
  'null among the results': {
    reply: page(itunesBody([null])),
    failure: 'unreadable',
    marker: 'result',
  },
  'the kind renamed': {
    reply: page(itunesBody([itunesResult(1, { kind: 'app' })])),
    failure: 'unreadable',
    marker: 'kind',
  },
  'no kind': {
    reply: page(itunesBody([itunesResult(1, { kind: undefined })])),
    failure: 'unreadable',
    marker: 'kind',
  },
  'trackId as text': {
    reply: page(itunesBody([itunesResult(1, { trackId: '1' })])),
    failure: 'unreadable',
    marker: 'track-id',
  },
  'no trackName': {
    reply: page(itunesBody([itunesResult(1, { trackName: undefined })])),
    failure: 'unreadable',
    marker: 'track-name',
  },
  'trackName as a number': {
    reply: page(itunesBody([itunesResult(1, { trackName: 7 })])),
    failure: 'unreadable',
    marker: 'type',
  },
  'deep nesting': { reply: page('['.repeat(100_000)), failure: 'unreadable', marker: 'json' },
  'errorMessage with 200': {
    reply: page('{"errorMessage":"Invalid value(s) for key(s): [limit]"}'),
    failure: 'bad_request',
    marker: 'error-message',
  },
  'errorMessage with 400': {
    reply: send(400, '{"errorMessage":"Invalid value(s) for key(s): [term]"}'),
    failure: 'bad_request',
    marker: 'error-message',
  },
  '400 with HTML': {
    reply: send(400, '<html>Bad Request'),
    failure: 'bad_request',
    marker: 'status-400',
  },
  '400 without a body': { reply: send(400), failure: 'bad_request', marker: 'status-400' },
  '404': { reply: send(404, itunesBody([])), failure: 'unreadable', marker: 'status-404' },
};

export const playPages: Record<string, FailurePage> = {
  '503': { reply: send(503, '<html>Service Unavailable'), failure: 'refused', marker: '503' },
  'an empty 200': { reply: page(''), failure: 'refused', marker: 'empty' },
  'newlines only': { reply: page('\n\n'), failure: 'refused', marker: 'empty' },
  'a captcha': { reply: page(captcha), failure: 'refused', marker: 'captcha' },
  'a check of the browser': { reply: page(justAMoment), failure: 'refused', marker: 'challenge' },
  'a check of the browser with 503': {
    reply: send(503, justAMoment),
    failure: 'refused',
    marker: 'challenge',
  },
  'a captcha with 503': { reply: send(503, captcha), failure: 'refused', marker: 'captcha' },
  'a consent page twice': {
    reply: page(consent),
    failure: 'refused',
    marker: 'consent',
    requests: 2,
  },
  'a consent redirect twice': {
    reply: send(302, '', { location: 'https://consent.google.com/m?continue=x' }),
    failure: 'refused',
    marker: 'consent',
    requests: 2,
  },
  'a page of another kind': {
    reply: page('<html><h1>Welcome</h1></html>'),
    failure: 'unreadable',
    marker: 'rpc-missing',
  },
  'the rpc renamed': {
    reply: page(searchPage(['com.a.b']).replaceAll('lGYRle', 'qZTsme')),
    failure: 'unreadable',
    marker: 'rpc-missing',
  },
  'the rpc renamed in a search for captchas': {
    reply: page(
      islandPage([{ rpc: 'qZTsme', data: searchData(['com.a.b']), request: ['captcha solver'] }]),
    ),
    failure: 'unreadable',
    marker: 'rpc-missing',
  },
  'the rpc without its data': {
    reply: page(searchPage(['com.a.b']).replaceAll('AF_initDataCallback', 'AF_other')),
    failure: 'unreadable',
    marker: 'rpc-missing',
  },
  'the page cut off': {
    reply: page(searchPage(['com.a.b']).slice(0, -80)),
    failure: 'unreadable',
    marker: /rpc-missing|island/,
  },
  'data that are null': {
    reply: page(islandPage([{ rpc: 'lGYRle', data: null }])),
    failure: 'unreadable',
    marker: 'sections',
  },
  'data that are an empty list': {
    reply: page(islandPage([{ rpc: 'lGYRle', data: [] }])),
    failure: 'unreadable',
    marker: 'sections',
  },
  'data that are not JSON': {
    reply: page(islandPage([{ rpc: 'lGYRle', data: null, json: '{a:1}' }])),
    failure: 'unreadable',
    marker: 'island',
  },
  'the sections moved': {
    reply: page(islandPage([{ rpc: 'lGYRle', data: [[null, null, [searchData(['com.a.b'])]]] }])),
    failure: 'unreadable',
    marker: 'sections',
  },
  'the list moved': {
    reply: page(
      islandPage([
        { rpc: 'lGYRle', data: [[null, [sparse({ 24: [[playItem('com.a.b')], ['']] })]]] },
      ]),
    ),
    failure: 'unreadable',
    marker: 'list-moved',
  },
  'the list as text': {
    reply: page(islandPage([{ rpc: 'lGYRle', data: [[null, [sparse({ 22: ['x'] })]]] }])),
    failure: 'unreadable',
    marker: 'list',
  },
  'the ids moved': {
    reply: page(searchPage(['com.a.b']).replaceAll('"com.a.b",7', '7,"com.a.b"')),
    failure: 'unreadable',
    marker: 'app-id',
  },
  'ids that are numbers': {
    reply: page(searchPage(['com.a.b']).replaceAll('"com.a.b"', '12')),
    failure: 'unreadable',
    marker: 'app-id',
  },
  'names that are lists': {
    reply: page(
      islandPage([
        {
          rpc: 'lGYRle',
          data: [[null, [sparse({ 22: [[playItem('com.a.b', { 3: ['x'] })], ['']] })]]],
        },
      ]),
    ),
    failure: 'unreadable',
    marker: 'type',
  },
  'a token that is a number': {
    reply: page(searchPage(['com.a.b'], 7 as never)),
    failure: 'unreadable',
    marker: 'token',
  },
  '400': { reply: send(400, '<html>Bad Request'), failure: 'bad_request', marker: 'status-400' },
  '404 without a body': { reply: send(404), failure: 'unreadable', marker: 'status-404' },
  '404 for a search': {
    reply: send(404, '<html>Not found'),
    failure: 'unreadable',
    marker: 'rpc-missing',
  },
};
