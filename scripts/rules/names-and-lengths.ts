/** Names and lengths: files are found by name, and one that keeps growing has two topics. */
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

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;
const upperCaseNames = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'LICENSE',
  'OFL.txt',
];
const vagueNames = /^(utils?|helpers?|types?|manager|misc|stuff)$/;

export function findBadNames(files: readonly SourceText[]): Finding[] {
  return files.flatMap((file) => {
    const parts = file.path.split('/');
    const name = parts.at(-1)!;
    const problems: string[] = [];
    if (
      !name.startsWith('.') &&
      !upperCaseNames.includes(name) &&
      !kebab.test(name.replace(/^\d{4}_([a-z0-9_]+)\.sql$/, 'migration.sql'))
    )
      problems.push(`${name} is not kebab-case`);
    const empty = parts.map((part) => part.split('.')[0]!).find((part) => vagueNames.test(part));
    if (empty)
      problems.push(`"${empty}" says nothing about what is inside: name the noun or the verb`);
    return problems.map((problem) => ({ path: file.path, line: 1, problem }));
  });
}

/**
 * Lines of a file: from `long` on it is a warning, above `most` an error. The first row that fits
 * decides.
 */
export const lengthLimits: readonly { files: RegExp; long: number; most: number }[] = [
  { files: /^src\/db\/(tables|statements)\.ts$/, long: Infinity, most: Infinity },
  { files: /^src\/db\/queries\//, long: 300, most: 450 },
  { files: /^src\/(stores|queue)\//, long: 320, most: 450 },
  { files: /^src\/api\/routes\//, long: 260, most: 350 },
  { files: /^src\/api\//, long: 220, most: 300 },
  { files: /^src\/jobs\//, long: 120, most: 200 },
  { files: /^src\/contract\//, long: 320, most: 450 },
  { files: /^src\//, long: 200, most: 300 },
  { files: /^(web|simulator|scripts|bench)\//, long: 320, most: 450 },
  { files: /^tests\//, long: 450, most: 800 },
];

const longFunctionLines = 55;
const maxFunctionLines = 95;
/** Markup is long without being difficult. */
const maxComponentLines = 170;

export function findLong(files: readonly SourceText[]): Finding[] {
  return files
    .filter(isScript)
    .flatMap((file) => [
      ...checkFile(file),
      ...(isIn(file, 'src', 'simulator', 'web/src') ? checkFunctions(file) : []),
    ]);
}

function checkFile(file: SourceText): Finding[] {
  const limit = lengthLimits.find((row) => row.files.test(file.path));
  const lines = file.text.split('\n').length - 1;
  if (!limit || lines <= limit.long) return [];
  return [
    {
      path: file.path,
      line: 1,
      problem: `${lines} lines; ${limit.most} at most`,
      ...(lines <= limit.most && { warning: true as const }),
    },
  ];
}

function checkFunctions(file: SourceText): Finding[] {
  if (/^src\/db\/(tables|statements)\.ts$/.test(file.path)) return [];
  const most = file.path.endsWith('.tsx') ? maxComponentLines : maxFunctionLines;
  return walk(parse(file))
    .filter(ts.isFunctionLike)
    .flatMap((node) => {
      const lines = countOwnLines(file, node);
      if (lines <= longFunctionLines) return [];
      const name = node.name?.getText() ?? 'a function';
      const problem = `${name} has ${lines} lines of its own; ${most} at most`;
      return [
        {
          path: file.path,
          line: lineOf(file, node),
          problem,
          ...(lines <= most && { warning: true as const }),
        },
      ];
    });
}

/**
 * Without the functions inside it: a factory that returns ten short methods is ten short functions.
 */
function countOwnLines(file: SourceText, node: ts.Node): number {
  const tree = parse(file);
  const linesOf = (part: ts.Node) =>
    tree.getLineAndCharacterOfPosition(part.end).line -
    tree.getLineAndCharacterOfPosition(part.getStart(tree)).line;
  return (
    linesOf(node) + 1 - outermostFunctions(node).reduce((sum, inner) => sum + linesOf(inner), 0)
  );
}

function outermostFunctions(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  ts.forEachChild(
    node,
    (child) => void found.push(...(ts.isFunctionLike(child) ? [child] : outermostFunctions(child))),
  );
  return found;
}
