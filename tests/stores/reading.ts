/** One app, review or term of a reading, or the facts of the whole page. */
export interface Facts {
  key: string;
  values: Record<string, unknown>;
  unread: readonly string[];
}

export interface Reading {
  head: Facts;
  items: Facts[];
}

export type Difference = { is: 'lost' | 'allowed' | 'wrong'; what: string };

/**
 * - `absent`: real bodies leave the field out.
 * - `blank`: people may leave the text empty.
 * - `other`: the body has a second source of the field.
 * - `decimal`, `large`: a fraction, or a number beyond 2^53, is a value like any other.
 * - `seconds`: an instant on a whole second has no fraction.
 * - `fewer`: the list may be shorter or empty.
 * - `order`: the order itself is the fact.
 * - `elsewhere`: other parts of the page name items too.
 * - `follows`: the value counts or places the items.
 * - `cautious`: without the value the reader asks for more, and believes less.
 */
export type Allowance =
  | 'absent'
  | 'other'
  | 'decimal'
  | 'large'
  | 'seconds'
  | 'fewer'
  | 'order'
  | 'follows'
  | 'blank'
  | 'elsewhere'
  | 'cautious';

/** Allowances by field; `items` stands for the list of items. */
export type Allowances = Readonly<Record<string, readonly [reason: string, ...Allowance[]]>>;

export function allowedFor(allowances: Allowances, field: string): Allowance[] {
  const [, ...allowed] = allowances[field] ?? ['nothing is allowed'];
  return allowed;
}
