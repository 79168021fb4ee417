import type { BodyTree, Path } from './body-tree.ts';
import {
  changes,
  isList,
  isUniform,
  type Draw,
  type Item,
  type MutationClass,
  type Parent,
} from './mutation-kinds.ts';

export interface Mutation {
  kind: string;
  is: MutationClass;
  path: Path;
  before: unknown;
  after: unknown;
  body: string;
  /** The changed tree; null for a truncated body. */
  root: unknown;
}

const kinds = Object.keys(changes);
/** Then another kind is drawn, as the body may have nothing for this one. */
const maxTries = 60;
/** XML has only texts, and its elements have no keys. */
const typedKinds = new Set(['retyped', 'renamed', 'moved', 'shifted', 'split beside']);

export interface Targets {
  /** Paths that the parser reads, in groups of which each holds the same field of all items. */
  read: Path[][];
  readKeys: ReadonlySet<string>;
  all: Path[];
}

/** Mutates a body once; every kind of mutation is as likely as any other. */
export function mutateBody(body: string, tree: BodyTree, targets: Targets, draw: Draw): Mutation {
  if (draw(24) === 0) {
    const at = draw(body.length);
    const path = [`at ${at}`];
    const changed = body.slice(0, at);
    const root = null;
    return { kind: 'truncated', is: 'malformed', path, before: '', after: '', body: changed, root };
  }
  for (;;) {
    const kind = kinds[draw(kinds.length)]!;
    if (!tree.isTyped && typedKinds.has(kind)) continue;
    for (let tries = 0; tries < maxTries; tries++) {
      const mutation = tryMutation(kind, drawPath(targets, draw), { tree, targets, draw });
      if (mutation !== null) return mutation;
    }
  }
}

/** Most paths are those that the parser reads, and every field is as likely as any other. */
function drawPath({ read, all }: Targets, draw: Draw): Path {
  const paths = draw(6) === 0 ? all : (read[draw(read.length)] ?? all);
  return paths[draw(paths.length)]!;
}

function tryMutation(
  kind: string,
  path: Path,
  { tree, targets, draw }: { tree: BodyTree; targets: Targets; draw: Draw },
): Mutation | null {
  const [is, change] = changes[kind]!;
  const { root, parent, value } = copyTo(tree.root, path);
  const isRead = (key: number) => targets.readKeys.has([...path.slice(0, -1), key].join(' '));
  const done = change({ parent, key: path.at(-1)!, value, isRead }, draw);
  if (done === null) return null;
  return { kind, is, path, before: value, after: done.after, body: tree.write(root), root };
}

/** The tree with own copies of everything on the way to a path. */
function copyTo(tree: unknown, path: Path): { root: unknown; parent: Parent; value: unknown } {
  const copy = (value: unknown) => (isList(value) ? [...value] : { ...(value as Item) });
  const root = copy(tree);
  let parent: Parent = root;
  for (const key of path.slice(0, -1)) parent = (parent as Item)[key] = copy((parent as Item)[key]);
  return { root, parent, value: (parent as Item)[path.at(-1)!] };
}

/** All paths of a tree, and those that were read in groups by field. */
export function listTargets(tree: BodyTree, read: readonly Path[]): Targets {
  const all: Path[] = [];
  const walk = (value: unknown, path: Path) => {
    if (path.length > 0) all.push(path);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value))
      walk(member, [...path, isList(value) ? Number(key) : key]);
  };
  walk(tree.root, []);
  const groups = Map.groupBy(
    read.filter((path) => path.length > 0),
    (path) => groupOf(tree.root, path),
  );
  const readKeys = new Set(read.map((path) => path.join(' ')));
  return { read: [...groups.values()], readKeys, all };
}

/** The path with a star for the index in a list of things of one kind. */
function groupOf(tree: unknown, path: Path): string {
  let value = tree;
  return path
    .map((key) => {
      const shown = isUniform(value) ? '*' : String(key);
      value = (value as Item)[key];
      return shown;
    })
    .join(' ');
}
