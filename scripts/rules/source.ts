/** What may not stand in the code, wherever it is imported. */
import ts from 'typescript';
import { roomOf } from './walls.ts';
import { isIn, isScript, lineOf, parse, walk, type Finding, type SourceText } from './tree.ts';

const localTime =
  /^(get|set)(FullYear|Year|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds)$|^getTimezoneOffset$|^to(Date|Time)String$|^toLocale(Date|Time)?String$/;
/** The first word decides; a sentence begins with a capital letter and a small one. */
const looksLikeSql =
  /^\s*(\/\* [a-z-]+ \*\/\s*)?((select|SELECT)\s+(\d|\w+\(|[^;]*\s(from|FROM)\s)|(insert|INSERT) (into|INTO)\s|(update|UPDATE)\s+\w+\s+(set|SET)\s|(delete|DELETE) (from|FROM)\s|(with|WITH)\s+(recursive\s+)?\w+\s+(\([^)]*\)\s+)?(as|AS)\s|(create|alter|drop|CREATE|ALTER|DROP)\s+(table|database|role|schema|index|view|function)\b|(notify|listen)\s)/;
/** BullMQ's own schema is looked after where BullMQ is. */
const sqlBesideDb = ['src/queue/postgres.ts'];

interface Ban {
  /** A file whose text has nothing of this need not be parsed. */
  hint: RegExp;
  problem: (node: ts.Node, file: SourceText) => string | null;
  where: (file: SourceText) => boolean;
}

const shipped = (file: SourceText): boolean => isIn(file, 'src', 'simulator', 'web/src');

const bans: readonly Ban[] = [
  {
    hint: /\benv\b/,
    where: (file) =>
      shipped(file) && !isIn(file, 'src/config') && file.path !== 'simulator/main.ts',
    problem: (node) =>
      ts.isPropertyAccessExpression(node) && node.getText() === 'process.env'
        ? 'process.env is read in src/config alone'
        : null,
  },
  {
    hint: /['"`]/,
    where: (file) =>
      isIn(file, 'src') && roomOf(file.path) !== 'db' && !sqlBesideDb.includes(file.path),
    problem: (node) =>
      isText(node) && looksLikeSql.test(node.getText().slice(1))
        ? 'SQL lives in src/db alone'
        : null,
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

/** The local-time parts of Date and Intl: what they answer depends on where the server stands. */
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

/** A promise in a comment is work that is not done. This file, and the test that plants them, have to name them. */
export function findPromises(files: readonly SourceText[]): Finding[] {
  return files
    .filter(
      (file) =>
        /\.(ts|tsx|sql|css|html)$/.test(file.path) &&
        file.path !== 'scripts/rules/source.ts' &&
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
