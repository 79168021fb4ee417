import { stringifyExact } from '#lib/json.ts';
import { mix } from '../world/hash.ts';

/** One `AF_initDataCallback` of a page. */
export interface Island {
  /** The number of its `ds:` key without a shift. */
  key: number;
  rpc: string;
  request: unknown;
  /** Written by `scriptJson`, so it is safe inside a script. */
  json: string;
}

export interface IslandPageOptions {
  title: string;
  islands: readonly Island[];
  /** Decides the order of the callbacks, which is random on the real pages. */
  seed: number;
  /** Added to the number of every `ds:` key. */
  shift: number;
  renameRpc: boolean;
}

/**
 * A page of play.google.com, reduced to its data islands. The regular expressions of old libraries
 * need exactly this form.
 */
export function renderIslandPage(options: IslandPageOptions): string {
  const { islands, shift, renameRpc, title, seed } = options;
  const keyOf = (island: Island) => `ds:${island.key + shift}`;
  const requests = islands.map((island) => {
    const rpc = renameRpc ? `x${island.rpc.slice(1).split('').reverse().join('')}` : island.rpc;
    return `'${keyOf(island)}' : {id:'${rpc}',request:${scriptJson(island.request)}}`;
  });
  const callbacks = [...islands]
    .sort((a, b) => mix(seed, a.key) - mix(seed, b.key))
    .map((island, index) => {
      return (
        `<script class="${keyOf(island)}">AF_initDataCallback({key: '${keyOf(island)}', hash: ` +
        `'${index + 1}', data:${island.json}, sideChannel: {}});</script>`
      );
    });
  const names = JSON.stringify(islands.map(keyOf));
  return [
    `<!doctype html><html lang="en"><head><title>${escapeHtml(title)}</title>`,
    `<script>var AF_initDataKeys = ${names}; var AF_dataServiceRequests = ` +
      `{${requests.join(',')}}; var AF_initDataChunkQueue = []; var ` +
      'AF_initDataCallback;</script>',
    `</head><body>${callbacks.join('')}</body></html>`,
  ].join('');
}

/** JSON that cannot end the script around it. */
export function scriptJson(value: unknown): string {
  return stringifyExact(value)
    .replace(/</g, '\\u003c')
    .replace(/>/g, '\\u003e')
    .replace(/&/g, '\\u0026');
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
