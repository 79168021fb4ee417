import { posix } from 'node:path';
import ts from 'typescript';
import { lineOf, parse, walk, type SourceText } from './tree.ts';

export interface Import {
  /** A path from the repository's root, or a package, or `node:…`. */
  target: string;
  isOurs: boolean;
  /** Nothing of it is left when the file runs. */
  isTypeOnly: boolean;
  line: number;
}

/** What a file imports, re-exports, loads while it runs, or names in a type. */
export function listImports(file: SourceText): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean, node: ts.Node) => {
    const isOurs = specifier.startsWith('.');
    const target = isOurs ? posix.join(posix.dirname(file.path), specifier) : specifier;
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
