/** The repository's own files and how the rules read them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface SourceText {
  /** From the repository's root, with `/`. */
  path: string;
  text: string;
}

export interface Finding {
  path: string;
  /** 1-based. */
  line: number;
  problem: string;
  /** A warning is printed on demand and fails nothing. */
  warning?: true;
}

/** One rule over the whole tree. */
export type Rule = (files: readonly SourceText[]) => Finding[];

const readable = /\.(ts|tsx|js|sql|css|html|json|md)$|(^|\/)(\.env\.example|\.npmrc|run|LICENSE)$/;

/** Every file that git tracks or would add, read once. */
export function readTree(): SourceText[] {
  const listed = execFileSync(
    'git',
    ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const paths = [...new Set(listed.split('\0'))]
    .filter((path) => path !== '' && readable.test(path))
    .sort();
  return paths
    .filter((path) => existsSync(root + path))
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }));
}

export const isScript = (file: SourceText): boolean =>
  /\.tsx?$/.test(file.path) && !file.path.endsWith('.d.ts');
export const isIn = (file: SourceText, ...folders: string[]): boolean =>
  folders.some((folder) => file.path.startsWith(`${folder}/`));

const parsed = new WeakMap<SourceText, ts.SourceFile>();

export function parse(file: SourceText): ts.SourceFile {
  const known = parsed.get(file);
  if (known) return known;
  const kind = file.path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ESNext, true, kind);
  parsed.set(file, tree);
  return tree;
}

const walked = new WeakMap<ts.SourceFile, readonly ts.Node[]>();

/**
 * Every node of a file, parents first. Several rules ask, and one list of them is quicker than a
 * generator in each node.
 */
export function walk(tree: ts.SourceFile): readonly ts.Node[] {
  const known = walked.get(tree);
  if (known) return known;
  const nodes: ts.Node[] = [];
  const add = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, add);
  };
  add(tree);
  walked.set(tree, nodes);
  return nodes;
}

export function lineOf(file: SourceText, node: ts.Node): number {
  const tree = parse(file);
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}
