/**
 * A migration runs while processes of the release before still serve requests. It therefore only
 * expands the schema: nothing that they read or write is dropped, renamed or made stricter. A later
 * release, of which no process uses the old shape any more, contracts it.
 */
import type { Finding, SourceText } from './source-tree.ts';

interface Release {
  version: string;
  /** Its newest migration. */
  schema: string;
}

const migration = /^src\/db\/migrations\/(\d{4}_\w+\.sql)$/;
const facts = /^tests\/releases\/[\d.]+\.json$/;
const reviewed = /^-- Compatible with ([\d.]+): \S/m;

export function findContractingMigrations(files: readonly SourceText[]): Finding[] {
  const release = findLastRelease(files);
  if (release === null) return [];
  const isReleased = ({ path }: SourceText) => migration.exec(path)![1]! <= release.schema;
  const migrations = files.filter(({ path }) => migration.test(path));
  const unreleased = migrations.filter((file) => !isReleased(file));
  const releasedTables = listCreatedTables(migrations.filter(isReleased));
  const ownTables = new Set(
    [...listCreatedTables(unreleased)].filter((table) => !releasedTables.has(table)),
  );
  return unreleased
    .filter(({ text }) => reviewed.exec(text)?.[1] !== release.version)
    .flatMap((file) => findContractions(file, ownTables, release.version));
}

function findLastRelease(files: readonly SourceText[]): Release | null {
  const releases = files
    .filter(({ path }) => facts.test(path))
    .map(({ text }) => JSON.parse(text) as Release);
  return releases.toSorted((a, b) => (a.schema < b.schema ? -1 : 1)).at(-1) ?? null;
}

function findContractions(
  { path, text }: SourceText,
  ownTables: ReadonlySet<string>,
  version: string,
): Finding[] {
  let line = 1;
  return blankOut(text)
    .split(';')
    .flatMap((statement) => {
      const start = line + (/^\s*/.exec(statement)![0].match(/\n/g)?.length ?? 0);
      line += statement.match(/\n/g)?.length ?? 0;
      const words = statement.trim().toLowerCase().replace(/\s+/g, ' ');
      return describeContractions(words, ownTables).map((what) => ({
        path,
        line: start,
        problem:
          `${what}, which processes of ${version} may use during the upgrade. Expand now and ` +
          'contract in a later release, or say why nothing breaks in a line ' +
          `"-- Compatible with ${version}: …"`,
      }));
    });
}

function describeContractions(statement: string, ownTables: ReadonlySet<string>): string[] {
  const dropped =
    /\bdrop (table|view|materialized view|function|procedure|routine|type|domain|sequence|schema) /;
  const kind = dropped.exec(statement)?.[1];
  if (kind !== undefined) return [`drops a ${kind}`];
  if (statement.startsWith('revoke ')) return ['revokes a right'];
  if (/\bexecute (?!function|procedure|on)/.test(statement)) return ['executes computed SQL'];
  if (/\balter (?!table)[a-z ]+ \S+ rename /.test(statement)) return ['renames an object'];
  const unique = /\bcreate unique index .*?\bon (?:only )?([\w."]+)/.exec(statement);
  if (unique) return ownTables.has(plain(unique[1]!)) ? [] : ['adds a unique index'];
  const altered = /\balter table (?:if exists )?(?:only )?([\w."]+) (.+)/.exec(statement);
  if (!altered || ownTables.has(plain(altered[1]!))) return [];
  return splitActions(altered[2]!).flatMap((action) => describeAction(action) ?? []);
}

const actions: readonly [RegExp, string][] = [
  [/^rename /, 'renames a column or table'],
  [/^drop (?!constraint )/, 'drops a column'],
  [/^alter (column )?\S+ (set data )?type /, 'changes the type of a column'],
  [/^alter (column )?\S+ set not null/, 'forbids null'],
  [/^alter (column )?\S+ drop default/, 'drops a default'],
  [/^add (constraint \S+ )?(check|unique|primary key|foreign key|exclude)\b/, 'adds a constraint'],
  [/^(enable|force) row level security/, 'hides rows'],
];

function describeAction(action: string): string | null {
  const found = actions.find(([pattern]) => pattern.test(action));
  if (found) return found[1];
  const isStrict = /^add (column )?/.test(action) && / not null\b/.test(action);
  return isStrict && !/ default | generated /.test(action) ? 'requires a new column' : null;
}

const plain = (name: string): string => name.replaceAll('"', '').replace(/^public\./, '');

const createdTable = /\bcreate (?:unlogged )?table (?:if not exists )?([\w."]+)/gi;

const listCreatedTables = (files: readonly SourceText[]): Set<string> =>
  new Set(
    files.flatMap(({ text }) =>
      [...blankOut(text).matchAll(createdTable)].map(([, name]) => plain(name!.toLowerCase())),
    ),
  );

/** At commas outside of parentheses. */
function splitActions(text: string): string[] {
  let depth = 0;
  const parts = [''];
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

const skipped = /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[^]*?\$\1\$/g;

/** Without comments, texts and bodies of functions, in as many lines. Blocks of `do` stay. */
function blankOut(sql: string): string {
  return sql.replace(skipped, (part, tag: string | undefined, at: number) => {
    const isBlock = tag !== undefined && /\bdo\s*$/i.test(sql.slice(Math.max(0, at - 20), at));
    const quote = tag === undefined ? 0 : tag.length + 2;
    return isBlock ? blankOut(part.slice(quote, -quote)) : part.replace(/[^\n]/g, ' ');
  });
}
