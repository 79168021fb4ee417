/** The kinds of expressions in a query file that the text of its statements depends on. */
import type ts from 'typescript';

/** A piece of SQL, or null for a value that becomes a parameter. */
export type SqlPart = string | null;

export type SqlValue =
  /** The result of the `sql` tag. */
  | { kind: 'sql'; parts: readonly SqlPart[] }
  /** An array that the code writes out; it may be pushed to. */
  | { kind: 'list'; items: SqlValue[] }
  | { kind: 'record'; members: ReadonlyMap<string, SqlValue> }
  | { kind: 'function'; node: FunctionNode; scope: Scope }
  /** A string or number that the code writes out. */
  | { kind: 'text'; text: string; isNumber: boolean }
  /** Known only when the code runs. */
  | { kind: 'unknown' };

export type FunctionNode = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression;

export const unknown: SqlValue = { kind: 'unknown' };

/** The names that a piece of code sees: its own, then those around it. */
export class Scope {
  readonly file: string;
  private readonly around: Scope | null;
  private readonly names = new Map<string, SqlValue>();

  constructor(file: string, around: Scope | null) {
    this.file = file;
    this.around = around;
  }

  set(name: string, value: SqlValue): void {
    this.names.set(name, value);
  }

  get(name: string): SqlValue | undefined {
    return this.names.get(name) ?? this.around?.get(name);
  }
}

/** True for what affects the text of a statement. */
export function isSqlLike(value: SqlValue): boolean {
  switch (value.kind) {
    case 'sql':
    case 'function':
      return true;
    case 'list':
      return value.items.some(isSqlLike);
    case 'record':
      return [...value.members.values()].some(isSqlLike);
    default:
      return false;
  }
}

export function toParts(value: SqlValue): readonly SqlPart[] {
  return value.kind === 'sql' ? value.parts : [null];
}

/** The text as the driver gets it: parameters are $1, $2 and so on. */
export function toText(parts: readonly SqlPart[]): string {
  let parameters = 0;
  return parts.map((part) => part ?? `$${(parameters += 1)}`).join('');
}
