/** A page loads every text that it uses, and none of a noun that it does not use. */
import { posix } from 'node:path';
import ts from 'typescript';
import { addEventTexts } from '../../web/event-texts.ts';
import { listImports } from './imports.ts';
import {
  isIn,
  isScript,
  lineOf,
  parse,
  walk,
  type Finding,
  type SourceText,
} from './source-tree.ts';

const texts = 'web/src/locales/en/';
const entryPoint = 'web/src/main.tsx';

export interface Part {
  /** The file that is fetched with its texts. */
  entry: string;
  nouns: string[];
  /** The importer, and its line. */
  path: string;
  line: number;
}

interface Said {
  noun: string;
  key: string;
  line: number;
}

/**
 * All that loads after the first load: each call that names nouns and, next to them, `() =>
 * import(entry)`.
 */
export function listParts(files: readonly SourceText[]): Part[] {
  return files.filter(isWeb).flatMap((file) =>
    walk(parse(file)).flatMap((node): Part[] => {
      if (!ts.isCallExpression(node)) return [];
      const at = node.arguments.findIndex(ts.isArrayLiteralExpression);
      const fetched = readImported(node.arguments[at + 1]);
      if (at < 0 || fetched === null) return [];
      const entry = posix.join(posix.dirname(file.path), fetched);
      return [
        {
          entry,
          nouns: readStrings(node.arguments[at]!),
          path: file.path,
          line: lineOf(file, node),
        },
      ];
    }),
  );
}

function readImported(code: ts.Node | undefined): string | null {
  if (!code || !ts.isArrowFunction(code) || !ts.isCallExpression(code.body)) return null;
  const [target] = code.body.arguments;
  return code.body.expression.kind === ts.SyntaxKind.ImportKeyword &&
    target &&
    ts.isStringLiteralLike(target)
    ? target.text
    : null;
}

export function findStrayTexts(files: readonly SourceText[]): Finding[] {
  const web = new Map(files.filter(isWeb).map((file) => [file.path, file]));
  const nounOf = readKeys(files);
  const first = listInitialNamespaces(web.get('web/src/i18n.ts'));
  const parts = listParts(files);
  const entries = new Set(parts.map(({ entry }) => entry));
  const front = { entry: entryPoint, nouns: first, path: entryPoint, line: 1 };
  return [front, ...parts].flatMap((part) =>
    checkPart(part, first, listUsedKeys(part.entry, entries, web, nounOf)),
  );
}

function checkPart(
  part: Part,
  first: readonly string[],
  said: readonly (Said & { path: string })[],
): Finding[] {
  const given = new Set([...first, ...part.nouns]);
  const strays = said
    .filter(({ noun }) => !given.has(noun))
    .map(({ path, line, key, noun }): Finding => ({
      path,
      line,
      problem: `${key} is a text of ${noun}, which ${part.entry} does not bring`,
    }));
  const unused = part.nouns
    .filter((noun) => part.entry !== entryPoint && !said.some((one) => one.noun === noun))
    .map((noun): Finding => ({
      path: part.path,
      line: part.line,
      problem: `${part.entry} brings ${noun} and says nothing of it`,
    }));
  return [...strays, ...unused];
}

const isWeb = (file: SourceText): boolean => isScript(file) && isIn(file, 'web/src');
const stemOf = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, '');
const readStrings = (node: ts.Node): string[] =>
  ts.isArrayLiteralExpression(node)
    ? node.elements.filter(ts.isStringLiteral).map(({ text }) => text)
    : [];

/** The noun of every key, of plurals without their forms. */
function readKeys(files: readonly SourceText[]): Map<string, string> {
  const english = files.filter(({ path }) => path.startsWith(texts) && path.endsWith('.json'));
  return new Map(
    english.flatMap(({ path, text }) =>
      Object.keys(JSON.parse(addEventTexts(path, text)) as object).map((key): [string, string] => [
        stemOf(key),
        path.slice(texts.length, -'.json'.length),
      ]),
    ),
  );
}

/** Namespaces that are loaded before any page. */
export function listInitialNamespaces(i18n: SourceText | undefined): string[] {
  const declared =
    i18n &&
    walk(parse(i18n)).find(
      (node) => ts.isVariableDeclaration(node) && node.name.getText() === 'initialNamespaces',
    );
  return declared && ts.isVariableDeclaration(declared) && declared.initializer
    ? readStrings(declared.initializer)
    : [];
}

/**
 * The texts used by files that come with an entry: its imports, at once or later, up to the next
 * part with texts of its own.
 */
function listUsedKeys(
  entry: string,
  entries: ReadonlySet<string>,
  web: ReadonlyMap<string, SourceText>,
  nounOf: ReadonlyMap<string, string>,
): (Said & { path: string })[] {
  const seen = new Set([entry]);
  for (const path of seen)
    for (const { target, isTypeOnly } of web.has(path) ? listImports(web.get(path)!) : [])
      if (!isTypeOnly && web.has(target) && !entries.has(target)) seen.add(target);
  return [...seen].flatMap((path) =>
    web.has(path) ? findUsedKeys(web.get(path)!, nounOf).map((said) => ({ ...said, path })) : [],
  );
}

const known = new WeakMap<SourceText, Said[]>();

function findUsedKeys(file: SourceText, nounOf: ReadonlyMap<string, string>): Said[] {
  const found =
    known.get(file) ??
    walk(parse(file)).flatMap((node) =>
      keysIn(node, nounOf).map((said) => ({ ...said, line: lineOf(file, node) })),
    );
  known.set(file, found);
  return found;
}

/** A whole key, or the beginning of one that ends in a value; the name of a property is no text. */
function keysIn(node: ts.Node, nounOf: ReadonlyMap<string, string>): Omit<Said, 'line'>[] {
  if (ts.isTemplateHead(node)) {
    const fitting = [...nounOf].filter(
      ([key]) => node.text.includes('.') && key.startsWith(node.text),
    );
    return fitting.map(([key, noun]) => ({ key, noun }));
  }
  if (
    !ts.isStringLiteralLike(node) ||
    (ts.isPropertyAssignment(node.parent) && node.parent.name === node)
  )
    return [];
  const noun = nounOf.get(node.text);
  return noun === undefined ? [] : [{ key: node.text, noun }];
}
