/**
 * Reads the expressions that query files put statements together with: constants, functions that
 * return SQL, lists of conditions, alternatives. Whatever it does not know is a value that becomes
 * a parameter; a mistake about that shows as a statement that PostgreSQL does not accept.
 */
import ts from 'typescript';
import type { Branches } from './branches.ts';
import {
  isSqlLike,
  Scope,
  toParts,
  unknown,
  type FunctionNode,
  type SqlPart,
  type SqlValue,
} from './sql-values.ts';

/** The value of a name that a file declares or imports. */
export type FindDeclared = (file: string, name: string) => SqlValue | undefined;

const maxDepth = 40;

export class Evaluator {
  private readonly findDeclared: FindDeclared;
  private readonly branches: Branches;
  /** The calls that lead here: a function's alternatives are chosen anew in each of them. */
  private readonly calls: number[] = [];

  constructor(findDeclared: FindDeclared, branches: Branches) {
    this.findDeclared = findDeclared;
    this.branches = branches;
  }

  evaluate(node: ts.Expression, scope: Scope): SqlValue {
    if (ts.isTaggedTemplateExpression(node)) return this.template(node, scope);
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
      return { kind: 'text', text: node.text, isNumber: false };
    if (ts.isNumericLiteral(node)) return { kind: 'text', text: node.text, isNumber: true };
    if (ts.isTemplateExpression(node)) return this.interpolated(node, scope);
    if (ts.isIdentifier(node)) return this.name(node.text, scope);
    if (ts.isArrayLiteralExpression(node)) return this.list(node, scope);
    if (ts.isObjectLiteralExpression(node)) return this.record(node, scope);
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node))
      return { kind: 'function', node, scope };
    if (ts.isPropertyAccessExpression(node)) {
      const from = this.evaluate(node.expression, scope);
      return from.kind === 'record' ? (from.members.get(node.name.text) ?? unknown) : unknown;
    }
    if (ts.isElementAccessExpression(node)) return this.element(node, scope);
    if (ts.isConditionalExpression(node))
      return this.either(node, [
        this.evaluate(node.whenTrue, scope),
        this.evaluate(node.whenFalse, scope),
      ]);
    if (ts.isBinaryExpression(node)) return this.binary(node, scope);
    if (ts.isCallExpression(node)) return this.call(node, scope);
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isSatisfiesExpression(node)
    )
      return this.evaluate(node.expression, scope);
    return unknown;
  }

  private template(node: ts.TaggedTemplateExpression, scope: Scope): SqlValue {
    if (node.tag.getText() !== 'sql') return unknown;
    const { template } = node;
    if (ts.isNoSubstitutionTemplateLiteral(template))
      return { kind: 'sql', parts: [template.text] };
    const spans = template.templateSpans.flatMap((span): SqlPart[] => [
      ...toParts(this.evaluate(span.expression, scope)),
      span.literal.text,
    ]);
    return { kind: 'sql', parts: [template.head.text, ...spans] };
  }

  /** `a ?? b` and its like, or two texts in a row. */
  private binary(node: ts.BinaryExpression, scope: Scope): SqlValue {
    const [left, right] = [node.left, node.right].map((side) => this.evaluate(side, scope));
    const isSum = node.operatorToken.kind === ts.SyntaxKind.PlusToken;
    return isSum && left!.kind === 'text' && right!.kind === 'text'
      ? { kind: 'text', text: left!.text + right!.text, isNumber: false }
      : this.either(node, [left!, right!]);
  }

  private interpolated(node: ts.TemplateExpression, scope: Scope): SqlValue {
    let text = node.head.text;
    for (const span of node.templateSpans) {
      const value = this.evaluate(span.expression, scope);
      if (value.kind !== 'text') return unknown;
      text += value.text + span.literal.text;
    }
    return { kind: 'text', text, isNumber: false };
  }

  private name(name: string, scope: Scope): SqlValue {
    return scope.get(name) ?? this.findDeclared(scope.file, name) ?? unknown;
  }

  private list(node: ts.ArrayLiteralExpression, scope: Scope): SqlValue {
    const items = node.elements.flatMap((element): SqlValue[] => {
      if (!ts.isSpreadElement(element)) return [this.evaluate(element, scope)];
      const spread = this.evaluate(element.expression, scope);
      return spread.kind === 'list' ? spread.items : [unknown];
    });
    return { kind: 'list', items };
  }

  private record(node: ts.ObjectLiteralExpression, scope: Scope): SqlValue {
    const members = new Map<string, SqlValue>();
    for (const property of node.properties) {
      if (ts.isPropertyAssignment(property))
        members.set(property.name.getText(), this.evaluate(property.initializer, scope));
      else if (ts.isShorthandPropertyAssignment(property))
        members.set(property.name.text, this.name(property.name.text, scope));
    }
    return { kind: 'record', members };
  }

  private element(node: ts.ElementAccessExpression, scope: Scope): SqlValue {
    const from = this.evaluate(node.expression, scope);
    const key = this.evaluate(node.argumentExpression, scope);
    if (from.kind === 'record')
      return key.kind === 'text'
        ? (from.members.get(key.text) ?? unknown)
        : this.either(node, [...from.members.values()]);
    return from.kind === 'list' ? this.either(node, from.items) : unknown;
  }

  /** One of several values, if the text depends on which. */
  either(node: ts.Node, values: readonly SqlValue[]): SqlValue {
    if (!values.some((value) => isSqlLike(value) || value.kind === 'text')) return unknown;
    return values[this.choose(node, values.length)]!;
  }

  choose(node: ts.Node, count: number): number {
    const { fileName } = node.getSourceFile();
    return this.branches.choose(`${this.calls.join()} ${fileName} ${node.pos}`, count);
  }

  private call(node: ts.CallExpression, scope: Scope): SqlValue {
    const callee = node.expression;
    if (ts.isPropertyAccessExpression(callee)) {
      if (callee.expression.getText() === 'sql') return this.member(callee.name.text, node, scope);
      if (callee.name.text === 'map') return this.map(node, callee, scope);
      return unknown;
    }
    const called = this.evaluate(callee, scope);
    if (called.kind !== 'function') return unknown;
    return this.apply(
      called,
      node.arguments.map((argument) => this.evaluate(argument, scope)),
      node,
    );
  }

  /** `sql.join` and the others that make SQL without a template. */
  private member(name: string, node: ts.CallExpression, scope: Scope): SqlValue {
    const [first, second] = node.arguments.map((argument) => this.evaluate(argument, scope));
    if (name === 'join' && first?.kind === 'list') {
      const separator = second ? toParts(second) : [', '];
      const parts = first.items.flatMap((item, index) =>
        index === 0 ? toParts(item) : [...separator, ...toParts(item)],
      );
      return { kind: 'sql', parts };
    }
    if (first?.kind !== 'text') return name === 'val' ? { kind: 'sql', parts: [null] } : unknown;
    const quoted = first.text.split('.').map((part) => `"${part}"`);
    const literal = first.isNumber ? first.text : `'${first.text.replaceAll("'", "''")}'`;
    const texts: Record<string, string> = {
      lit: literal,
      raw: first.text,
      ref: quoted.join('.'),
      id: quoted.join('.'),
      table: quoted.join('.'),
    };
    return { kind: 'sql', parts: [texts[name] ?? null] };
  }

  private map(
    node: ts.CallExpression,
    callee: ts.PropertyAccessExpression,
    scope: Scope,
  ): SqlValue {
    const over = this.evaluate(callee.expression, scope);
    const apply = this.evaluate(node.arguments[0]!, scope);
    if (apply.kind !== 'function') return unknown;
    const items = over.kind === 'list' ? over.items : [unknown];
    const mapped = items.map((item) => this.apply(apply, [item], node));
    return mapped.some(isSqlLike) ? { kind: 'list', items: mapped } : unknown;
  }

  private apply(
    { node, scope }: { node: FunctionNode; scope: Scope },
    given: readonly SqlValue[],
    call: ts.Node,
  ): SqlValue {
    if (this.calls.length > maxDepth || !node.body || !mentionsSql(node)) return unknown;
    this.calls.push(call.pos);
    const inner = new Scope(scope.file, scope);
    node.parameters.forEach((parameter, index) =>
      this.bind(parameter.name, given[index] ?? unknown, inner),
    );
    const result = ts.isBlock(node.body)
      ? (this.run(node.body.statements, inner) ?? unknown)
      : this.evaluate(node.body, inner);
    this.calls.pop();
    return result;
  }

  bind(name: ts.BindingName, value: SqlValue, scope: Scope): void {
    if (ts.isIdentifier(name)) return scope.set(name.text, value);
    name.elements.forEach((element, index) => {
      if (ts.isOmittedExpression(element)) return;
      const key = (element.propertyName ?? element.name).getText();
      const member =
        value.kind === 'list'
          ? value.items[index]
          : value.kind === 'record'
            ? value.members.get(key)
            : undefined;
      this.bind(element.name, member ?? unknown, scope);
    });
  }

  /** Evaluates statements as far as they affect SQL; returns the value that they return, if any. */
  run(statements: readonly ts.Statement[], scope: Scope): SqlValue | undefined {
    for (const statement of statements) {
      const returned = this.runOne(statement, scope);
      if (returned) return returned;
    }
    return undefined;
  }

  private runOne(statement: ts.Statement, scope: Scope): SqlValue | undefined {
    if (ts.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations)
        this.bind(name, initializer ? this.evaluate(initializer, scope) : unknown, scope);
    if (ts.isExpressionStatement(statement)) this.push(statement.expression, scope);
    if (ts.isBlock(statement)) return this.run(statement.statements, new Scope(scope.file, scope));
    if (ts.isIfStatement(statement) && mentionsSql(statement)) {
      const isTaken = this.choose(statement, 2) === 0;
      if (isTaken) return this.runOne(statement.thenStatement, scope);
      return statement.elseStatement && this.runOne(statement.elseStatement, scope);
    }
    if (ts.isReturnStatement(statement) && statement.expression)
      return this.evaluate(statement.expression, scope);
    return undefined;
  }

  private push(node: ts.Expression, scope: Scope): void {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    if (node.expression.name.text !== 'push') return;
    const list = this.evaluate(node.expression.expression, scope);
    if (list.kind === 'list')
      list.items.push(...node.arguments.map((argument) => this.evaluate(argument, scope)));
  }
}

/** Skips functions that only compute values. */
function mentionsSql(node: ts.Node): boolean {
  return (
    /\bsql\b|RawBuilder/.test(node.getText()) ||
    (ts.isArrowFunction(node) && ts.isTemplateExpression(node.body))
  );
}
