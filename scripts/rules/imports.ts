import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { lineOf, parse, root, walk, type SourceText } from './source-tree.ts';

export interface Import {
  /** A path from the repository's root, or a package, or `node:…`. */
  target: string;
  isOurs: boolean;
  /** An import that is erased when the file runs. */
  isTypeOnly: boolean;
  line: number;
}

const known = new WeakMap<SourceText, readonly Import[]>();

/** Everything that a file imports, re-exports, loads at run time, or names in a type. */
export function listImports(file: SourceText): readonly Import[] {
  const imports = known.get(file) ?? readImports(file);
  known.set(file, imports);
  return imports;
}

function readImports(file: SourceText): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean, node: ts.Node) => {
    const target = resolve(file.path, specifier);
    const isOurs = target !== specifier;
    found.push({ target, isOurs, isTypeOnly, line: lineOf(file, node) });
  };
  for (const node of walk(parse(file))) {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
      add(node.moduleSpecifier.text, isTypeImport(node), node);
    else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    )
      add(node.moduleSpecifier.text, node.isTypeOnly, node);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      addLiteral(node.arguments[0], false, node, add);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      addLiteral(node.argument.literal, true, node, add);
  }
  return found;
}

/** `#db/…` and the other names of package.json's `imports`, longest first. */
const aliases = Object.entries(
  (JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { imports: Record<string, string> })
    .imports,
).map(([name, path]) => ({ prefix: name.slice(0, -1), folder: path.slice(2, -1) }));

/** A path from the repository's root for a file of ours; the specifier itself for a package. */
function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const alias = aliases.find(({ prefix }) => specifier.startsWith(prefix));
  return alias ? alias.folder + specifier.slice(alias.prefix.length) : specifier;
}

function addLiteral(
  value: ts.Node | undefined,
  isTypeOnly: boolean,
  node: ts.Node,
  add: (text: string, isTypeOnly: boolean, node: ts.Node) => void,
): void {
  if (value && ts.isStringLiteralLike(value)) add(value.text, isTypeOnly, node);
}

function isTypeImport(node: ts.ImportDeclaration): boolean {
  const clause = node.importClause;
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  return (
    clause.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every((element) => element.isTypeOnly)
  );
}
