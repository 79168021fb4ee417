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

/**
 * The source with one member set to a value in JSON, or removed by null. Everything else stays as
 * it is; a new member is written like the one before it.
 */
export function setMember(
  source: string,
  node: JsonNode & { kind: 'object' },
  key: string,
  json: string | null,
): string {
  const at = node.members.findIndex((one) => one.key === key);
  const member = node.members[at];
  if (member && json !== null)
    return source.slice(0, member.value.start) + json + source.slice(member.value.end);
  if (member) return removeMember(source, node, at);
  if (json === null) return source;
  const last = node.members.at(-1);
  if (!last)
    return `${source.slice(0, node.start)}{${JSON.stringify(key)}:${json}}${source.slice(node.end)}`;
  const start = source.slice(node.start, last.start);
  const before = start.slice(start.trimEnd().length);
  const colon = /:\s*/.exec(source.slice(last.start + JSON.stringify(last.key).length))?.[0] ?? ':';
  const added = `,${before}${JSON.stringify(key)}${colon}${json}`;
  return source.slice(0, last.value.end) + added + source.slice(last.value.end);
}

function removeMember(
  source: string,
  { members, start, end }: JsonNode & { kind: 'object' },
  at: number,
): string {
  const [previous, next] = [members[at - 1], members[at + 1]];
  if (previous) return source.slice(0, previous.value.end) + source.slice(members[at]!.value.end);
  if (next) return source.slice(0, members[at]!.start) + source.slice(next.start);
  return `${source.slice(0, start)}{}${source.slice(end)}`;
}
