/** Finds every statement of the query files, with the text that PostgreSQL gets. */
import { createHash } from 'node:crypto';
import ts from 'typescript';
import { isIn, isScript, lineOf, parse, walk, type SourceText } from '../rules/source-tree.ts';
import { Branches } from './branches.ts';
import { Evaluator } from './evaluate.ts';
import {
  isSqlLike,
  Scope,
  toText,
  unknown,
  type FunctionNode,
  type SqlValue,
} from './sql-values.ts';

export interface Statement {
  /** Unique. Stated by `Row<'name'>` or by the comment it begins with, else after its function. */
  name: string;
  path: string;
  line: number;
  /** One for each way in which the code puts it together. */
  texts: string[];
  /** Over all texts. */
  hash: string;
  /** The type of its rows as the code states it; undefined where it states none. */
  claim: string | undefined;
}

interface Found {
  path: string;
  line: number;
  functionName: string;
  statedName: string | undefined;
  claim: string | undefined;
  texts: string[];
}

export function findStatements(tree: readonly SourceText[]): Statement[] {
  const files = tree.filter((file) => isIn(file, 'src/db') && isScript(file));
  const code = new QueryFiles(files);
  const found = files
    .filter((file) => isIn(file, 'src/db/queries'))
    .flatMap((file) => code.findIn(file));
  return nameAll(found);
}

function nameAll(found: readonly Found[]): Statement[] {
  const taken = new Set(found.flatMap((one) => one.statedName ?? []));
  const used = new Set<string>();
  return found.map(({ functionName, statedName, texts, ...rest }) => {
    const base = kebab(functionName);
    let name = statedName ?? base;
    for (let n = 2; !statedName && (taken.has(name) || used.has(name)); n += 1)
      name = `${base}-${n}`;
    if (used.has(name)) throw new Error(`two statements are named ${name}: ${rest.path}`);
    used.add(name);
    const hash = createHash('sha256').update(normalize(texts)).digest('hex').slice(0, 16);
    return { ...rest, name, texts, hash };
  });
}

/** Line breaks and indentation change nothing. */
const normalize = (texts: readonly string[]): string =>
  texts.map((text) => text.trim().replaceAll(/\s+/g, ' ')).join('\0');

class QueryFiles {
  private readonly files: ReadonlyMap<string, SourceText>;
  private readonly callers = new Map<string, { file: SourceText; call: ts.CallExpression }[]>();

  constructor(files: readonly SourceText[]) {
    this.files = new Map(files.map((file) => [file.path, file]));
    for (const file of files)
      for (const call of walk(parse(file))) {
        if (!ts.isCallExpression(call) || !ts.isIdentifier(call.expression)) continue;
        const known = this.callers.get(call.expression.text) ?? [];
        this.callers.set(call.expression.text, [...known, { file, call }]);
      }
  }

  findIn(file: SourceText): Found[] {
    return walk(parse(file)).flatMap((node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
      const { name, expression } = node.expression;
      if (name.text === 'execute') return this.executed(file, node, expression);
      return name.text === 'query' ? this.queried(file, node) : [];
    });
  }

  /** A template that is executed. Statements of the query builder have types already. */
  private executed(file: SourceText, node: ts.Node, statement: ts.Expression): Found[] {
    const variants = Branches.readAll((branches) => {
      const evaluator = this.evaluatorFor(branches);
      const value = evaluator.evaluate(statement, this.scopeAt(node, file, evaluator));
      return value.kind === 'sql' ? toText(value.parts) : undefined;
    });
    const texts = [...new Set(variants.flatMap((text) => text ?? []))];
    if (texts.length === 0) return usesBuilder(statement) ? [] : unreadable(file, node);
    const found = this.locate(file, node, texts);
    const claim = claimOf(statement);
    const stated = nameInClaim(claim) ?? found.statedName;
    if (found.statedName && stated !== found.statedName)
      throw new Error(`${file.path}: ${found.statedName} is called ${stated} in its row type`);
    return [{ ...found, claim, statedName: stated }];
  }

  /** A text that is passed to the driver unchanged. */
  private queried(file: SourceText, node: ts.CallExpression): Found[] {
    const argument = node.arguments[0];
    const scopeOf = (evaluator: Evaluator) => this.scopeAt(node, file, evaluator);
    const variants = Branches.readAll((branches) => {
      const evaluator = this.evaluatorFor(branches);
      const value = argument ? evaluator.evaluate(argument, scopeOf(evaluator)) : unknown;
      const text = value.kind === 'record' ? value.members.get('text') : value;
      const name = value.kind === 'record' ? value.members.get('name') : undefined;
      if (text?.kind !== 'text') return unreadable(file, node);
      return { text: text.text, name: name?.kind === 'text' ? name.text : undefined };
    });
    const found = this.locate(file, node, [...new Set(variants.map(({ text }) => text))]);
    const claim = node.typeArguments?.[0]?.getText();
    const names = new Set(variants.map(({ name }) => name));
    const statedName = nameInClaim(claim) ?? (names.size === 1 ? [...names][0] : undefined);
    return [{ ...found, claim, statedName }];
  }

  private locate(file: SourceText, node: ts.Node, texts: string[]): Found {
    const statedNames = new Set(texts.map((text) => /^\/\* ([a-z0-9-]+) \*\//.exec(text)?.[1]));
    return {
      path: file.path,
      line: lineOf(file, node),
      functionName: nameOfFunction(node),
      statedName: statedNames.size === 1 ? [...statedNames][0] : undefined,
      claim: undefined,
      texts,
    };
  }

  private evaluatorFor(branches: Branches): Evaluator {
    const known = new Map<string, SqlValue | undefined>();
    const findDeclared = (path: string, name: string): SqlValue | undefined => {
      const key = `${path} ${name}`;
      if (!known.has(key)) {
        known.set(key, undefined);
        known.set(key, this.declared(path, name, evaluator));
      }
      return known.get(key);
    };
    const evaluator: Evaluator = new Evaluator(findDeclared, branches);
    return evaluator;
  }

  private declared(path: string, name: string, evaluator: Evaluator): SqlValue | undefined {
    const file = this.files.get(path);
    if (!file) return undefined;
    const scope = new Scope(path, null);
    for (const statement of parse(file).statements) {
      if (ts.isFunctionDeclaration(statement) && statement.name?.text === name)
        return { kind: 'function', node: statement, scope };
      if (ts.isVariableStatement(statement))
        for (const declaration of statement.declarationList.declarations)
          if (declaration.name.getText() === name && declaration.initializer)
            return evaluator.evaluate(declaration.initializer, scope);
      if (ts.isImportDeclaration(statement) && imports(statement, name))
        return this.declared(pathOf(path, statement), name, evaluator);
    }
    return undefined;
  }

  /** The names that a node sees in the functions around it, as they are when it runs. */
  private scopeAt(node: ts.Node, file: SourceText, evaluator: Evaluator): Scope {
    const around: ts.Node[] = [];
    for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) around.unshift(at);
    let scope = new Scope(file.path, null);
    for (const outer of around) {
      if (ts.isFunctionLike(outer)) {
        scope = new Scope(file.path, scope);
        this.bindParameters(outer as FunctionNode, scope, evaluator);
      } else if (ts.isForOfStatement(outer)) {
        scope = new Scope(file.path, scope);
        bindItem(outer, scope, evaluator);
      } else if (ts.isBlock(outer)) {
        scope = new Scope(file.path, scope);
        const before = outer.statements.filter((statement) => statement.end <= node.pos);
        evaluator.run(
          before.filter((statement) => !endsFunction(statement)),
          scope,
        );
      }
    }
    return scope;
  }

  /** SQL that a function is given comes from the calls of it, one way each. */
  private bindParameters(node: FunctionNode, scope: Scope, evaluator: Evaluator): void {
    const takesSql = node.parameters.some((parameter) => /RawBuilder/.test(parameter.getText()));
    const calls = takesSql && node.name ? (this.callers.get(node.name.getText()) ?? []) : [];
    const chosen = calls[evaluator.choose(node, calls.length)];
    const given = chosen && this.scopeAt(chosen.call, chosen.file, evaluator);
    node.parameters.forEach((parameter, index) => {
      const argument = chosen?.call.arguments[index];
      const value = argument && given ? evaluator.evaluate(argument, given) : unknown;
      evaluator.bind(parameter.name, isSqlLike(value) ? value : unknown, scope);
    });
  }
}

/** A chain that begins with a call, such as `db.selectFrom('apps')`. */
const usesBuilder = (node: ts.Expression): boolean =>
  /\.(selectFrom|insertInto|updateTable|deleteFrom|transaction|connection)\(|\bquery\b/.test(
    node.getText(),
  );

function unreadable(file: SourceText, node: ts.Node): never {
  throw new Error(
    `${file.path}:${lineOf(file, node)} is a statement whose text cannot be read from the code: ` +
      'write it as one template with fragments of src/db',
  );
}

function bindItem(node: ts.ForOfStatement, scope: Scope, evaluator: Evaluator): void {
  if (!ts.isVariableDeclarationList(node.initializer)) return;
  const over = evaluator.evaluate(node.expression, scope);
  const item = over.kind === 'list' ? evaluator.either(node, over.items) : unknown;
  evaluator.bind(node.initializer.declarations[0]!.name, item, scope);
}

const endsFunction = (statement: ts.Statement): boolean =>
  ts.isReturnStatement(statement) ||
  (ts.isIfStatement(statement) && /\breturn\b/.test(statement.getText()));

/** The row type of a template, or of a parameter that is given one. */
function claimOf(statement: ts.Expression): string | undefined {
  if (ts.isTaggedTemplateExpression(statement)) return statement.typeArguments?.[0]?.getText();
  for (let at: ts.Node = statement; !ts.isSourceFile(at); at = at.parent)
    if (ts.isFunctionLike(at))
      for (const { name, type } of at.parameters)
        if (name.getText() === statement.getText() && type && ts.isTypeReferenceNode(type))
          return type.typeArguments?.[0]?.getText();
  return undefined;
}

const nameInClaim = (claim: string | undefined): string | undefined =>
  /^Row<\s*'([a-z0-9-]+)'/.exec(claim ?? '')?.[1];

function imports(statement: ts.ImportDeclaration, name: string): boolean {
  const named = statement.importClause?.namedBindings;
  return (
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.some((element) => element.name.text === name)
  );
}

function pathOf(from: string, statement: ts.ImportDeclaration): string {
  const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
  return specifier.startsWith('#')
    ? `src/${specifier.slice(1)}`
    : new URL(specifier, `file:///${from}`).pathname.slice(1);
}

function nameOfFunction(node: ts.Node): string {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if ((ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at)) && at.name)
      return at.name.getText();
    if (ts.isVariableDeclaration(at) && ts.isSourceFile(at.parent.parent.parent))
      return at.name.getText();
  }
  throw new Error('a statement outside of every function');
}

const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
