import type { Path } from './body-tree.ts';

/**
 * The paths of the data that a parser reads, so that mutations hit what matters: most of a page is
 * never read. JSON.parse returns data that note each access while the parser runs.
 */
export function findReadPaths(texts: ReadonlyMap<string, Path>, parse: () => unknown): Path[] {
  const paths = new Map<string, Path>();
  const { parse: parseJson, stringify } = JSON;
  let isPaused = false;
  const watch = (value: unknown, path: Path): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    return new Proxy(value, {
      get(target, key, receiver) {
        const member: unknown = Reflect.get(target, key, receiver);
        if (typeof key === 'symbol' || !Object.hasOwn(target, key) || key === 'length')
          return member;
        const at = [...path, Array.isArray(target) ? Number(key) : key];
        if (!isPaused) paths.set(at.join(' '), at);
        return watch(member, at);
      },
    });
  };
  const watched = (text: string, reviver?: never): unknown => {
    const value: unknown = parseJson(text, reviver);
    const path = texts.get(text);
    return path === undefined ? value : watch(value, path);
  };
  try {
    JSON.parse = watched;
    // A search in the whole data reads none of its fields.
    JSON.stringify = ((value: unknown) => {
      isPaused = true;
      const text = stringify(value);
      isPaused = false;
      return text;
    }) as typeof stringify;
    parse();
  } finally {
    Object.assign(JSON, { parse: parseJson, stringify });
  }
  return [...paths.values()];
}
