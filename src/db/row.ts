import type { Statements } from './statements.ts';

/** A row as PostgreSQL describes it. */
type Described<Name extends keyof Statements> = Statements[Name]['row'];

type AsDescribed = 'as described';

/**
 * The type of a statement's rows: as PostgreSQL describes them, or a type of ours with the same
 * columns. Ours may be narrower than PostgreSQL's type (never null, a closed list of texts, a shape
 * of JSON) only in columns named in `Narrowed`.
 * `Row<'count-apps'>`, `Row<'find-app', AppRow>`, `Row<'find-app', AppRow, 'store' | 'name'>`
 */
export type Row<
  Name extends keyof Statements,
  Claim extends Checked<Described<Name>, Claim, Narrowed> | AsDescribed = AsDescribed,
  Narrowed extends keyof Described<Name> = never,
> = [Claim] extends [AsDescribed] ? Described<Name> : Claim;

/** The claimed type if it fits. Each column that does not fit has the reason in the error. */
type Checked<Row, Claim, Narrowed> = {
  [Column in keyof Row]: Column extends keyof Claim
    ? CheckedColumn<Row[Column], Claim[Column], Column extends Narrowed ? true : false>
    : ['the row type lacks this column of', Row[Column]];
} & {
  [Column in Exclude<keyof Claim, keyof Row>]: ['the statement has no such column'];
};

type CheckedColumn<Column, Claim, IsNarrowed> = [Column] extends [Claim]
  ? IsNarrowed extends true
    ? ['this column need not be narrowed']
    : Claim
  : IsNarrowed extends true
    ? [Claim] extends [Column]
      ? Claim
      : ['PostgreSQL says', Column]
    : ['PostgreSQL says', Column];
