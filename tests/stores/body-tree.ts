import { parseExact, stringifyExact } from '#lib/json.ts';
import { readXml, type XmlElement } from '#stores/ios/xml.ts';

export type Path = readonly (string | number)[];

/** A body as a tree of data that can be changed and written back. */
export interface BodyTree {
  root: unknown;
  write(root: unknown): string;
  /** False where every value is a text. */
  isTyped: boolean;
  /** The JSON texts inside the body, each with the path of its data in the tree. */
  texts: ReadonlyMap<string, Path>;
}

/** A body that is JSON, with blank lines around it. */
export function readJsonTree(body: string): BodyTree {
  const text = body.trim();
  const [before = '', after = ''] = body.split(text);
  const write = (root: unknown) => `${before}${stringifyExact(root)}${after}`;
  return { root: parseExact(text), write, isTyped: true, texts: new Map([[text, []]]) };
}

/** A page of apps.apple.com, with one island of JSON, which may be escaped. */
export function readAppleTree(body: string): BodyTree {
  const [, before, text, after] =
    /^([\s\S]*id="serialized-server-data">)([\s\S]*?)(<\/script>[\s\S]*)$/.exec(body)!;
  const isEscaped = text!.includes('&quot;');
  const json = isEscaped ? text!.replaceAll('&quot;', '"').replaceAll('&amp;', '&') : text!;
  const write = (root: unknown) => {
    const written = scriptJson(root);
    const escaped = written.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    return `${before}${isEscaped ? escaped : written}${after}`;
  };
  return { root: JSON.parse(json), write, isTyped: true, texts: new Map([[json.trim(), []]]) };
}

const scriptJson = (value: unknown) => (stringifyExact(value) ?? 'null').replaceAll('<', '\\u003c');

/** A page of Play: the data of the given rpcs, by the keys of their callbacks. */
export function readPlayTree(body: string, rpcs: readonly string[]): BodyTree {
  const keys = [...body.matchAll(/'(ds:\d+)'\s?:\s?\{\s?id\s?:\s?'(\w+)'/g)]
    .filter(([, , rpc]) => rpcs.includes(rpc!))
    .map(([, key]) => key!);
  const islands = keys.map((key) => {
    const from = body.indexOf('data:', body.indexOf(`AF_initDataCallback({key: '${key}'`)) + 5;
    return { key, from, to: body.indexOf(', sideChannel:', from) };
  });
  const texts = new Map(islands.map(({ key, from, to }) => [body.slice(from, to), [key]]));
  const root = Object.fromEntries(
    islands.map(({ key, from, to }) => [key, parseExact(body.slice(from, to))]),
  );
  const write = (changed: unknown) => {
    let at = 0;
    const parts = islands
      .toSorted((a, b) => a.from - b.from)
      .map(({ key, from, to }) => {
        const before = body.slice(at, from);
        at = to;
        return before + scriptJson((changed as Record<string, unknown>)[key]);
      });
    return parts.join('') + body.slice(at);
  };
  return { root, write, isTyped: true, texts };
}

const guard = ")]}'";

/**
 * A response of batchexecute: frames, and in place of the text of each payload its data. Chunks of
 * a length and a line of frames become one list of frames.
 */
export function readFramesTree(body: string): BodyTree {
  const text = body.slice(body.indexOf(guard) + guard.length).trim();
  const isChunked = /^\d/.test(text);
  const chunk = isChunked ? text.split('\n').find((line) => line.startsWith('['))! : text;
  const texts = new Map<string, Path>([[chunk, []]]);
  const root = (JSON.parse(chunk) as unknown[][]).map((frame, index) =>
    frame.map((part, at) => {
      if (frame[0] !== 'wrb.fr' || at !== 2 || typeof part !== 'string') return part;
      texts.set(part, [index, at]);
      return JSON.parse(part) as unknown;
    }),
  );
  const write = (changed: unknown) => {
    const frames = (changed as unknown[]).map((frame) =>
      Array.isArray(frame) && frame[0] === 'wrb.fr'
        ? frame.map((part, at) => (isData(part) && at !== statusAt ? JSON.stringify(part) : part))
        : frame,
    );
    const json = JSON.stringify(frames);
    return `${guard}\n\n${isChunked ? `${json.length + 2}\n${json}\n` : json}`;
  };
  return { root, write, isTyped: true, texts };
}

const statusAt = 5;
const isData = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** An XML document as the tree of its elements. */
export function readXmlTree(body: string): BodyTree {
  return { root: readXml(body), write: writeElement, isTyped: false, texts: new Map() };
}

function writeElement(element: unknown): string {
  if (typeof element !== 'object' || element === null) return escapeXml(element);
  const { name, attributes, children, text } = element as Partial<XmlElement>;
  const pairs = Object.entries(attributes ?? {}).map(
    ([key, value]) => ` ${key}="${escapeXml(value)}"`,
  );
  const inside = [children ?? []].flat(3).map(writeElement).join('');
  const tag = typeof name === 'string' && name !== '' ? name : 'unnamed';
  return `<${tag}${pairs.join('')}>${escapeXml(text ?? '')}${inside}</${tag}>`;
}

function escapeXml(text: unknown): string {
  const plain = typeof text === 'string' ? text : JSON.stringify(text);
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
