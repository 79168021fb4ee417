/** Code that is banned, wherever it is imported. */
import ts from 'typescript';
import { moduleOf } from './module-boundaries.ts';
import {
  isIn,
  isScript,
  lineOf,
  parse,
  walk,
  type Finding,
  type SourceText,
} from './source-tree.ts';

const localTime =
  /^(get|set)(FullYear|Year|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds)$|^getTimezoneOffset$|^to(Date|Time)String$|^toLocale(Date|Time)?String$/;
/** The first word decides; a sentence begins with a capital letter and a small one. */
const sqlBeginnings = [
  /^(select|SELECT)\s+(\d|\w+\(|[^;]*\s(from|FROM)\s)/,
  /^(insert|INSERT) (into|INTO)\s/,
  /^(update|UPDATE)\s+\w+\s+(set|SET)\s/,
  /^(delete|DELETE) (from|FROM)\s/,
  /^(with|WITH)\s+(recursive\s+)?\w+\s+(\([^)]*\)\s+)?(as|AS)\s/,
  /^(create|alter|drop|CREATE|ALTER|DROP)\s+(table|database|role|schema|index|view|function)\b/,
  /^(notify|listen)\s/,
];
const statementName = /^\s*(\/\* [a-z-]+ \*\/\s*)?/;
const looksLikeSql = (text: string): boolean => {
  const statement = text.replace(statementName, '');
  return sqlBeginnings.some((beginning) => beginning.test(statement));
};
/** BullMQ's own schema is managed by its adapter. */
const sqlBesideDb = [
  'src/queue/postgres.ts',
  'src/queue/postgres-jobs.ts',
  // Databases of other tools.
  'src/cli/history/astro.ts',
  'src/cli/history/database-schema.ts',
  'src/cli/history/keywordista.ts',
  'src/cli/history/serpbear.ts',
];

const computedImports = [
  // The path of a package depends on the platform; it is resolved, nothing is loaded from it.
  'src/embedded-postgres/binaries.ts',
  // It resolves paths of files that are read.
  'src/lib/resolve-source.ts',
  // It loads the build of src/cli/program.ts, whose sources obey the rules.
  'src/cli/main.js',
];

interface Ban {
  /** A file whose text does not match need not be parsed. */
  hint: RegExp;
  problem: (node: ts.Node, file: SourceText) => string | null;
  where: (file: SourceText) => boolean;
}

const shipped = (file: SourceText): boolean => isIn(file, 'src', 'simulator', 'web/src');

const bans: readonly Ban[] = [
  {
    hint: /\bprocess\b/,
    where: (file) => shipped(file) && !isIn(file, 'src/config'),
    problem: findEnvironment,
  },
  {
    hint: /\bimport\b|\bcreateRequire\b/,
    where: (file) => shipped(file) && !computedImports.includes(file.path),
    problem: findComputedImport,
  },
  {
    hint: /['"`]/,
    where: (file) =>
      isIn(file, 'src') && moduleOf(file.path) !== 'db' && !sqlBesideDb.includes(file.path),
    problem: (node) =>
      isText(node) && looksLikeSql(node.getText().slice(1)) ? 'SQL lives in src/db alone' : null,
  },
  { hint: /\b(get|set|to)[A-Z]|\bDate\b|\bIntl\b/, where: shipped, problem: findLocalTime },
  {
    hint: /\bany\b/,
    where: isScript,
    problem: (node) =>
      ts.isAsExpression(node) && node.type.kind === ts.SyntaxKind.AnyKeyword
        ? '`as any`: say what it is, or `unknown`'
        : null,
  },
  {
    hint: /\b(only|todo|skip)\b/,
    where: (file) => isIn(file, 'tests'),
    problem: (node) =>
      ts.isPropertyAccessExpression(node) &&
      /^(it|test|describe)$/.test(node.expression.getText()) &&
      /^(only|todo|skip)$/.test(node.name.text)
        ? `${node.getText()}: a test runs, or says with skipIf what it needs`
        : null,
  },
];

export function findBannedCode(files: readonly SourceText[]): Finding[] {
  return files.filter(isScript).flatMap((file) => {
    const active = bans.filter((ban) => ban.where(file) && ban.hint.test(file.text));
    const found: Finding[] = [];
    for (const node of active.length > 0 ? walk(parse(file)) : []) {
      for (const ban of active) {
        const problem = ban.problem(node, file);
        if (problem !== null) found.push({ path: file.path, line: lineOf(file, node), problem });
      }
    }
    return found;
  });
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/**
 * The environment by any name: `process` may be used by its members only, except `env`. A variable
 * of that name would hide it from this rule.
 */
function findEnvironment(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node) && isImported(node) && /^(node:)?process$/.test(node.text))
    return `${node.text} is a global: an import of it hides who reads the environment`;
  if (!ts.isIdentifier(node) || node.text !== 'process' || isMemberName(node)) return null;
  const { parent } = node;
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node)
    return '`process` by another name or as a whole may be the environment: use its members';
  return parent.name.text === 'env' ? 'process.env is read in src/config alone' : null;
}

/** `process` of something else than the global object; imports are found separately. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isImportClause(parent) || ts.isImportSpecifier(parent)) return true;
  return (
    ts.isPropertyAccessExpression(parent) &&
    parent.name === node &&
    !/^(globalThis|global|window|self)$/.test(parent.expression.getText())
  );
}

const isImported = ({ parent }: ts.Node): boolean =>
  ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || isImportCall(parent);

const isImportCall = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;

/** The rules cannot see an import whose name is computed at run time. */
function findComputedImport(node: ts.Node): string | null {
  if (isImportCall(node) && !ts.isStringLiteralLike(node.arguments[0]!))
    return 'import() of a computed name passes every boundary: name the file';
  return ts.isIdentifier(node) && node.text === 'createRequire'
    ? 'createRequire loads what no boundary sees: import it'
    : null;
}

/** The local-time parts of Date and Intl: results depend on the server's time zone. */
function findLocalTime(node: ts.Node, file: SourceText): string | null {
  if (ts.isPropertyAccessExpression(node) && localTime.test(node.name.text)) {
    const isNumber = isIn(file, 'web/src') && node.name.text === 'toLocaleString';
    return isNumber
      ? null
      : `${node.name.text}() depends on the machine's zone or language: use src/lib/dates.ts`;
  }
  if (
    ts.isNewExpression(node) &&
    node.expression.getText() === 'Date' &&
    (node.arguments?.length ?? 0) > 1
  )
    return 'new Date(year, month, …) is local time: use Date.UTC or src/lib/dates.ts';
  if (ts.isCallExpression(node) && node.expression.getText() === 'Date')
    return 'Date() is a local-time text';
  const isFormat =
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    node.expression.getText() === 'Intl.DateTimeFormat';
  return isFormat && !/timeZone\b/.test(node.getText())
    ? "Intl.DateTimeFormat without timeZone shows the machine's zone: say 'UTC'"
    : null;
}

const promises = /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck)\b|not implemented/;

/**
 * A TODO in a comment is unfinished work. This file, and the test with examples of it, have to name
 * them.
 */
export function findUnfinishedWork(files: readonly SourceText[]): Finding[] {
  return files
    .filter(
      (file) =>
        /\.(ts|tsx|sql|css|html)$/.test(file.path) &&
        file.path !== 'scripts/rules/banned-code.ts' &&
        !isIn(file, 'tests/rules'),
    )
    .flatMap((file) =>
      file.text.split('\n').flatMap((text, index) => {
        const word = promises.exec(text)?.[0];
        return word
          ? [{ path: file.path, line: index + 1, problem: `${word}: finish it, or take it out` }]
          : [];
      }),
    );
}
