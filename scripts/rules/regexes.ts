/**
 * Regular expressions of the product are linear: they process pages and bodies that others choose.
 */
import ts from 'typescript';
import {
  isIn,
  isScript,
  lineOf,
  parse,
  walk,
  type Finding,
  type SourceText,
} from './source-tree.ts';

export interface FoundRegex {
  path: string;
  line: number;
  source: string;
  flags: string;
}

export function listRegexes(files: readonly SourceText[]): FoundRegex[] {
  return files
    .filter((file) => isScript(file) && isIn(file, 'src', 'web/src'))
    .flatMap((file) =>
      walk(parse(file))
        .filter(ts.isRegularExpressionLiteral)
        .map((node) => {
          const end = node.text.lastIndexOf('/');
          return {
            path: file.path,
            line: lineOf(file, node),
            source: node.text.slice(1, end),
            flags: node.text.slice(end + 1),
          };
        }),
    );
}

export function findSlowRegexes(files: readonly SourceText[]): Finding[] {
  return [
    ...listRegexes(files)
      .filter((regex) => repeatsAmbiguously(regex.source))
      .map(({ path, line, source }) => ({
        path,
        line,
        problem: `/${source}/ repeats a repetition: some text makes it run for ever`,
      })),
    ...files.filter((file) => isScript(file) && isIn(file, 'src')).flatMap(findBuilt),
  ];
}

/** Built from our own table of routes, once. */
const builtFromConstants = ['src/api/server.ts'];

/** One that a function builds may contain input; one at the top of a module is a constant. */
function findBuilt(file: SourceText): Finding[] {
  if (builtFromConstants.includes(file.path)) return [];
  return walk(parse(file))
    .filter(
      (node) =>
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        node.expression.getText() === 'RegExp' &&
        isInFunction(node),
    )
    .map((node) => ({
      path: file.path,
      line: lineOf(file, node),
      problem: 'RegExp() made at run time: write it out, so that it can be read and tested',
    }));
}

function isInFunction(node: ts.Node): boolean {
  return node.parent !== undefined && (ts.isFunctionLike(node.parent) || isInFunction(node.parent));
}

interface Group {
  /** Where the group's body begins. */
  start: number;
  /** An unbounded repetition is inside. */
  repeats: boolean;
}

/**
 * Star height: an unbounded repetition of a group that holds another. Allowed when each turn must
 * begin with a separator the inner repetition cannot eat, as in `(-[a-z]+)*`: there is only one way
 * to read a text then.
 */
export function repeatsAmbiguously(source: string): boolean {
  const open: Group[] = [{ start: 0, repeats: false }];
  let at = 0;
  while (at < source.length) {
    const char = source[at]!;
    if (char === '(') {
      open.push({ start: at + 1, repeats: false });
      at += 1;
      continue;
    }
    const closed = char === ')' ? open.pop()! : null;
    const end = closed ? at + 1 : endOfAtom(source, at);
    const repetition = /^(\*|\+|\{\d+,\})\??/.exec(source.slice(end, end + 12))?.[0];
    if (closed?.repeats && repetition && !beginsWithSeparator(source.slice(closed.start, at)))
      return true;
    if (repetition || closed?.repeats) open.at(-1)!.repeats = true;
    at = end + (repetition?.length ?? 0);
  }
  return false;
}

function endOfAtom(source: string, at: number): number {
  if (source[at] === '\\')
    return at + (/^\\[pPu]\{[^}]{0,60}\}/.exec(source.slice(at, at + 66))?.[0].length ?? 2);
  if (source[at] !== '[') return at + 1;
  let end = at + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** The body's first piece is one fixed character, and every repeated class inside leaves it out. */
function beginsWithSeparator(body: string): boolean {
  const text = body.replace(/^\?(:|<\w+>)/, '');
  if (text.includes('|')) return false;
  const end = endOfAtom(text, 0);
  const first = text.slice(0, end);
  const isFixed = /^(\\[^\w]|[^\\[.(^$*+?{])$/.test(first);
  if (!isFixed || /^[*+?{]/.test(text.slice(end))) return false;
  const separator = first.replace('\\', '');
  const atoms = text.slice(end).match(/(\[(\\.|[^\]\\])*\]|\\.|[^\\[])(?=[*+]|\{\d+,\})/g) ?? [];
  return atoms.every((atom) => atom !== '.' && !new RegExp(`^${atom}$`, 'u').test(separator));
}
