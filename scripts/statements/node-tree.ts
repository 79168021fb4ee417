/**
 * The tree in which PostgreSQL keeps an analyzed statement (`pg_node_tree`), as text such as
 * `{VAR :varno 1 :varnullingrels (b 3)}`.
 */

/** A word, a list in parentheses, or a node in braces. */
export type TreeValue = string | TreeValue[] | TreeNode;

export class TreeNode {
  readonly type: string;
  private readonly fields: ReadonlyMap<string, TreeValue>;

  constructor(type: string, fields: ReadonlyMap<string, TreeValue>) {
    this.type = type;
    this.fields = fields;
  }

  /** Throws where the field holds something else, as a newer PostgreSQL may write it. */
  text(field: string): string {
    const value = this.fields.get(field);
    if (typeof value !== 'string') throw new Error(`${this.type} has no ${field}`);
    return value;
  }

  number(field: string): number {
    return Number(this.text(field));
  }

  /** Undefined where the field is empty. */
  node(field: string): TreeNode | undefined {
    const value = this.fields.get(field);
    return value instanceof TreeNode ? value : undefined;
  }

  /** An empty list where the field is empty. */
  list(field: string): TreeValue[] {
    const value = this.fields.get(field);
    return Array.isArray(value) ? value : [];
  }

  nodes(field: string): TreeNode[] {
    return this.list(field).filter((item) => item instanceof TreeNode);
  }
}

const token = /[{}()]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s{}()\\])+/gs;

export function parseTree(text: string): TreeValue {
  const tokens = text.match(token) ?? [];
  let at = 0;

  const readValue = (): TreeValue => {
    const next = tokens[at++]!;
    if (next === '(') {
      const items: TreeValue[] = [];
      while (tokens[at] !== ')') items.push(readValue());
      at += 1;
      return items;
    }
    return next === '{' ? readNode() : unescape(next);
  };

  const readNode = (): TreeNode => {
    const type = tokens[at++]!;
    const fields = new Map<string, TreeValue>();
    while (tokens[at] !== '}') {
      const name = tokens[at++]!.slice(1);
      fields.set(name, readValue());
      // A constant's bytes follow its length as further words.
      while (!tokens[at]!.startsWith(':') && tokens[at] !== '}') readValue();
    }
    at += 1;
    return new TreeNode(type, fields);
  };

  return readValue();
}

const unescape = (word: string): string =>
  word.replace(/^"(.*)"$/s, '$1').replaceAll(/\\(.)/gs, '$1');
