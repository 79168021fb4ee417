/** Responses in the stores' formats, with no more than what every response has. */

export function itunesResult(
  trackId: number,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    kind: 'software',
    wrapperType: 'software',
    trackId,
    trackName: `App ${trackId}`,
    bundleId: `com.app${trackId}`,
    trackViewUrl: `https://apps.apple.com/us/app/id${trackId}`,
    artworkUrl512: 'https://a.b/512.png',
    artistId: 77,
    artistName: 'Somebody',
    artistViewUrl: 'https://apps.apple.com/us/developer/id77',
    primaryGenreId: 6013,
    primaryGenreName: 'Health & Fitness',
    currency: 'USD',
    version: '1.0',
    releaseDate: '2020-01-02T08:00:00Z',
    currentVersionReleaseDate: '2026-01-02T08:00:00Z',
    trackContentRating: '4+',
    fileSizeBytes: '1000',
    minimumOsVersion: '15.0',
    languageCodesISO2A: ['EN'],
    screenshotUrls: [],
    ipadScreenshotUrls: [],
    description: 'Text',
    ...more,
  };
}

export function itunesBody(results: unknown[], more: Record<string, unknown> = {}): string {
  return `\n\n\n${JSON.stringify({ resultCount: results.length, results, ...more })}\n`;
}

export function sparse(positions: Record<number, unknown>): unknown[] {
  const last = Math.max(...Object.keys(positions).map(Number));
  return Array.from({ length: last + 1 }, (_, index) => positions[index] ?? null);
}

const picture = (width: number, height: number) => [
  null,
  2,
  [width, height],
  [null, null, 'https://a.b/picture'],
];
const icon = picture(512, 512);

export function playItem(id: string, more: Record<number, unknown> = {}): unknown[] {
  const facts = { 0: [id, 7], 1: icon, 3: `Name of ${id}`, 4: ['4.2', 4.2], 14: 'Somebody' };
  return [sparse({ ...facts, ...more })];
}

export function clusterItem(id: string): unknown[] {
  return sparse({ 1: [null, [icon]], 2: `Name of ${id}`, 4: [[['Somebody']]], 12: [id, 7] });
}

const script = (value: unknown) =>
  JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');

/** A page with one data block per rpc. `request` is the request that the page repeats. */
export function islandPage(
  islands: { rpc: string; data: unknown; key?: string; request?: unknown; json?: string }[],
): string {
  const keyed = islands.map((island, index) => ({ key: `ds:${index}`, request: [], ...island }));
  const services = keyed
    .map(({ key, rpc, request }) => `'${key}' : {id:'${rpc}',request:${script(request)}}`)
    .join(',');
  const callbacks = keyed.map(
    ({ key, data, json }) =>
      `<script>AF_initDataCallback({key: '${key}', hash: '1', data:${json ?? script(data)}, ` +
      'sideChannel: {}});</script>',
  );
  return (
    `<!doctype html><html><head><script>; var AF_dataServiceRequests = {${services}}; var ` +
    `AF_initDataChunkQueue = [];</script>${callbacks.join('')}</head></html>`
  );
}

export function searchData(ids: string[], token: string | null = null): unknown {
  const end = token === null ? [''] : ['', null, null, [null, token]];
  return [[null, [sparse({ 3: [], 22: [ids.map((id) => playItem(id)), end] })]]];
}

export function searchPage(ids: string[], token: string | null = null): string {
  return islandPage([{ rpc: 'lGYRle', data: searchData(ids, token) }]);
}

export function continuation(ids: string[], token: string | null = null): string {
  const items = ids.map(clusterItem);
  const payload = JSON.stringify([
    [[items, null, null, null, null, null, null, token === null ? null : [null, token]]],
  ]);
  return continuationFrame(payload);
}

export function continuationFrame(payload: string | null, rpc = 'qnKhOb'): string {
  return `)]}'\n\n${JSON.stringify([
    ['wrb.fr', rpc, payload, null, null, null, 'generic'],
    ['di', 23],
  ])}`;
}

export function detailsPage(id: string, more: Record<number, unknown> = {}): string {
  const record = sparse({
    0: [`Name of ${id}`],
    9: ['Everyone'],
    13: ['1,000+', 1000, 1234, '1K+'],
    57: [[[[[null, [[0, 'USD', '']]]]]]],
    68: ['Somebody', [null, null, null, null, [null, null, '/store/apps/dev?id=77']]],
    72: [[null, 'Text']],
    73: [[null, 'Short text']],
    77: [id],
    78: [[picture(1080, 1920)]],
    79: [[['Tools', null, 'TOOLS']]],
    95: [icon],
    145: [['Jul 6, 2026', [1_783_355_190, 0]]],
    ...more,
  });
  return islandPage([
    { rpc: 'Ws7gDc', data: [[[]], [null, null, [{ 52: [['4.3', 4.3]] }]]] },
    { rpc: 'Ws7gDc', data: [[[]], [null, null, record]] },
  ]);
}

export const ids = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `com.example.a${from + index}`);
