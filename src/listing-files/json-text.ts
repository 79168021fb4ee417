/** JSON with the offsets of its parts, so that one value changes and every other byte stays. */
export type JsonNode =
  | { kind: 'object'; start: number; end: number; members: JsonMember[] }
  | { kind: 'array'; start: number; end: number; items: JsonNode[] }
  | { kind: 'string'; start: number; end: number; value: string }
  | { kind: 'other'; start: number; end: number };

export interface JsonMember {
  key: string;
  start: number;
  value: JsonNode;
}

const maxDepth = 64;
const space = /[ \t\n\r]*/y;
// `JSON.parse` refuses the escapes and characters that JSON does not have.
const text = /"(?:[^"\\]|\\.)*"/sy;
const other = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Throws SyntaxError with the offset in its message. */
export function parseJsonText(source: string): JsonNode {
  let at = 0;
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const fail = (expected: string): never => {
    throw new SyntaxError(`${expected} is expected at character ${at + 1}`);
  };
  const take = (mark: string): boolean => {
    skip(space);
    if (source[at] !== mark) return false;
    at += 1;
    return true;
  };
  const readString = (): string => {
    skip(space);
    const found = skip(text);
    return found === '' ? fail('a text in double quotes') : (JSON.parse(found) as string);
  };
  const readMember = (depth: number): JsonMember => {
    skip(space);
    const start = at;
    const key = readString();
    if (!take(':')) fail('":"');
    return { key, start, value: readValue(depth) };
  };
  /** The parts between an opening and a closing mark. */
  const readList = <Part>(closing: string, readPart: () => Part): Part[] => {
    const parts: Part[] = [];
    if (take(closing)) return parts;
    do parts.push(readPart());
    while (take(','));
    if (!take(closing)) fail(`"," or "${closing}"`);
    return parts;
  };
  const readValue = (depth: number): JsonNode => {
    if (depth > maxDepth) fail('a value that is nested less deeply');
    skip(space);
    const start = at;
    if (take('{')) {
      const members = readList('}', () => readMember(depth + 1));
      return { kind: 'object', start, end: at, members };
    }
    if (take('[')) {
      const items = readList(']', () => readValue(depth + 1));
      return { kind: 'array', start, end: at, items };
    }
    if (source[at] === '"') {
      const value = readString();
      return { kind: 'string', start, end: at, value };
    }
    if (skip(other) === '') fail('a value');
    return { kind: 'other', start, end: at };
  };
  const value = readValue(0);
  skip(space);
  if (at < source.length) fail('the end of the file');
  return value;
}

/** The value of a member; undefined when the node is no object or has no such member. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.find((one) => one.key === key)?.value : undefined;
}

/** New values in JSON by key; null removes a member, and a map changes those of an object. */
export type MemberChanges = ReadonlyMap<string, string | MemberChanges | null>;

interface Splice {
  start: number;
  end: number;
  text: string;
}

/**
 * The source with changed members. Everything else stays as it is; a new member is written like the
 * one before it. A map for a value that is no object changes nothing.
 */
export function setMembers(
  source: string,
  node: JsonNode & { kind: 'object' },
  changes: MemberChanges,
): string {
  let at = 0;
  const pieces = listSplices(source, node, changes).map(({ start, end, text }) => {
    const piece = source.slice(at, start) + text;
    at = end;
    return piece;
  });
  return pieces.join('') + source.slice(at);
}

/** In the order of the source, and apart from each other. */
function listSplices(
  source: string,
  { start, end, members }: JsonNode & { kind: 'object' },
  changes: MemberChanges,
): Splice[] {
  const keys = new Set(members.map(({ key }) => key));
  const added = [...changes].flatMap(([key, change]): [string, string][] => {
    const json = keys.has(key) ? null : toJson(change);
    return json === null ? [] : [[JSON.stringify(key), json]];
  });
  const last = members.at(-1);
  if (!last || members.every(({ key }) => changes.get(key) === null)) {
    if (!last && added.length === 0) return [];
    return [{ start, end, text: writeObject(added) }];
  }
  const splices: Splice[] = [];
  let hasKept = false;
  for (const [at, { key, start: keyStart, value }] of members.entries()) {
    const change = changes.get(key);
    if (change === null)
      splices.push({
        start: hasKept ? members[at - 1]!.value.end : keyStart,
        end: hasKept ? value.end : members[at + 1]!.start,
        text: '',
      });
    else hasKept = true;
    if (typeof change === 'string')
      splices.push({ start: value.start, end: value.end, text: change });
    else if (change && value.kind === 'object') splices.push(...listSplices(source, value, change));
  }
  if (added.length > 0) {
    const head = source.slice(start, last.start);
    const before = head.slice(head.trimEnd().length);
    const rest = source.slice(last.start + JSON.stringify(last.key).length);
    const colon = /:\s*/.exec(rest)?.[0] ?? ':';
    const text = added.map(([key, json]) => `,${before}${key}${colon}${json}`).join('');
    splices.push({ start: last.value.end, end: last.value.end, text });
  }
  return splices;
}

/** Null when there is nothing to add. */
function toJson(change: string | MemberChanges | null): string | null {
  if (change === null || typeof change === 'string') return change;
  const members = [...change].flatMap(([key, inner]): [string, string][] => {
    const json = toJson(inner);
    return json === null ? [] : [[JSON.stringify(key), json]];
  });
  return members.length === 0 ? null : writeObject(members);
}

const writeObject = (members: readonly (readonly [key: string, json: string])[]): string =>
  `{${members.map(([key, json]) => `${key}:${json}`).join(',')}}`;
