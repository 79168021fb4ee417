/** Code reads the profile of a store; it never compares the store's name. */
import ts from 'typescript';
import { storeNames } from '#stores/profiles.ts';
import {
  isIn,
  isScript,
  lineOf,
  parse,
  walk,
  type Finding,
  type SourceText,
} from './source-tree.ts';

const names: readonly string[] = storeNames;
const quotedName = new RegExp(`['"](${names.join('|')})['"]`);
const comparedName = new RegExp(`(=|<>|!=|\\bin \\()\\s*'(${names.join('|')})'`);
const problem =
  'a store is named: read its profile (src/stores/profile.ts) or join the table stores';

/** The stores themselves know their names, and the simulator serves them. */
const isOutside = (file: SourceText): boolean =>
  isIn(file, 'src', 'web/src') && !isIn(file, 'src/stores');

export function findStoreNames(files: readonly SourceText[]): Finding[] {
  return files.flatMap((file) => {
    if (isScript(file) && isOutside(file)) return findInScript(file, isNamed);
    if (isScript(file) && isIn(file, 'bench', 'scripts')) return findInScript(file, isCompared);
    return /\.(sql|css)$/.test(file.path) && isOutside(file) ? findInText(file) : [];
  });
}

function findInScript(file: SourceText, test: (node: ts.Node) => boolean): Finding[] {
  if (!names.some((name) => file.text.includes(name))) return [];
  return walk(parse(file))
    .filter(test)
    .map((node) => ({ path: file.path, line: lineOf(file, node), problem }));
}

function findInText(file: SourceText): Finding[] {
  return file.text
    .split('\n')
    .flatMap((text, index) =>
      quotedName.test(text.replace(/--.*$/, ''))
        ? [{ path: file.path, line: index + 1, problem }]
        : [],
    );
}

/** In any form but the value of a member `store`, as samples have it. */
function isNamed(node: ts.Node): boolean {
  if (ts.isStringLiteralLike(node) && names.includes(node.text)) return !isSample(node);
  if (isText(node)) return quotedName.test(node.text);
  return ts.isIdentifier(node) && names.includes(node.text) && isMember(node);
}

function isSample(node: ts.Node): boolean {
  const parent = ts.isAsExpression(node.parent) ? node.parent.parent : node.parent;
  return ts.isPropertyAssignment(parent) && parent.name.getText() === 'store';
}

function isMember(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent)) &&
    parent.name === node
  );
}

function isCompared(node: ts.Node): boolean {
  if (isText(node) && comparedName.test(node.text)) return true;
  if (!ts.isStringLiteralLike(node) || !names.includes(node.text)) return false;
  const { parent } = node;
  return (
    ts.isCaseClause(parent) ||
    (ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText()))
  );
}

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddle(node) ||
  ts.isTemplateTail(node);

/** A folder with a profile is a row of the list. */
export function findUnlistedStores(files: readonly SourceText[]): Finding[] {
  const list = files.find((file) => file.path === 'src/stores/profiles.ts');
  return files
    .map((file) => ({ file, folder: /^src\/stores\/([^/]+)\/profile\.ts$/.exec(file.path)?.[1] }))
    .filter(
      ({ folder }) => folder !== undefined && !list?.text.includes(`'./${folder}/profile.ts'`),
    )
    .map(({ file, folder }) => ({
      path: file.path,
      line: 1,
      problem: `${folder} is not in the list of src/stores/profiles.ts`,
    }));
}
