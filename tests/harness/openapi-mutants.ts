import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

type Mutant =
  | { body: string; invalid: string | null }
  | { mediaType: string | null; invalid: string | null };

/** Replacements for a number, a text or a list, from careless clients and careful attackers. */
const strangers: string[] = [
  'null',
  'true',
  '"5"',
  '5',
  '5.5',
  '-1',
  '0',
  '-0',
  '1e400',
  '1e308',
  '9007199254740993',
  '99999999999999999999',
  '""',
  '" "',
  '"NaN"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"a":1}',
  JSON.stringify('x'.repeat(10_000)),
  JSON.stringify('é😀'.repeat(700)),
  JSON.stringify(Array.from({ length: 6_000 }, (_, index) => index)),
  '"2026-02-30"',
  '"../../etc/passwd"',
  '"\'; drop table apps; --"',
  '"\\u202e\\u0301"',
];

/** No text may contain these, and no JSON may have this form: refused anywhere. */
const refused: [string, string][] = [
  ['"\\u0000"', 'NUL'],
  ['"a\\ud800b"', 'half of a surrogate pair'],
  ['"\\udfff"', 'half of a surrogate pair'],
  [`${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'too deep'],
  [`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, 'too deep'],
  ['{"__proto__":{"readOnly":false}}', '__proto__'],
  ['NaN', 'not JSON'],
  ['01', 'not JSON'],
  ["'x'", 'not JSON'],
  ['undefined', 'not JSON'],
];

/** The body with one value changed; most are invalid in a way that only the document defines. */
export function bodyMutants(text: string): fc.Arbitrary<Mutant> {
  const value = JSON.parse(text) as unknown;
  const paths = pathsIn(value);
  const anyPath = fc.nat(paths.length - 1).map((at) => paths[at]!);
  const put = (literal: fc.Arbitrary<readonly [string, string | null]>) =>
    fc
      .tuple(anyPath, literal)
      .map(([at, [stranger, invalid]]) => ({ body: write(value, at, stranger), invalid }));
  const members = pathsIn(value).filter((path) => isObject(at(value, path)));
  const inObjects =
    members.length === 0
      ? []
      : [fc.nat(members.length - 1).chain((index) => objectMutants(value, members[index]!))];
  return fc.oneof(
    {
      arbitrary: put(fc.constantFrom(...strangers).map((stranger) => [stranger, null] as const)),
      weight: 5,
    },
    { arbitrary: put(fc.constantFrom(...refused)), weight: 2 },
    { arbitrary: fc.constantFrom<Mutant>(...brokenTexts(text)), weight: 1 },
    ...inObjects.map((arbitrary) => ({ arbitrary, weight: 4 })),
  );
}

/** One member too many, one too few, one twice. */
function objectMutants(whole: unknown, path: Path): fc.Arbitrary<Mutant> {
  const object = at(whole, path) as Record<string, unknown>;
  const names = Object.keys(object);
  const inner = JSON.stringify(object).slice(1, -1);
  const rewrite = (literal: string, invalid: string | null): Mutant => ({
    body: write(whole, path, literal),
    invalid,
  });
  const join = (extra: string) => `{${[inner, extra].filter(Boolean).join(',')}}`;
  const mutants = [
    rewrite(join('"surely_unknown":1'), null),
    rewrite(join('"__proto__":{}'), '__proto__'),
    rewrite(join('"constructor":{}'), null),
    ...names.map((name) =>
      rewrite(join(`${JSON.stringify(name)}:${JSON.stringify(object[name])}`), 'a member twice'),
    ),
    ...names.map((name) => rewrite(JSON.stringify({ ...object, [name]: undefined }), null)),
    ...names.map((name) =>
      rewrite(JSON.stringify({ ...object, [`${name} `]: object[name], [name]: undefined }), null),
    ),
  ];
  return fc.constantFrom(...mutants);
}

const brokenTexts = (text: string): Mutant[] => [
  { body: text.slice(0, -1), invalid: 'not JSON' },
  { body: `${text},`, invalid: 'not JSON' },
  { body: `${text}${text}`, invalid: 'not JSON' },
  { body: `\uFEFF${text}`, invalid: 'not JSON' },
  { body: JSON.stringify(text), invalid: null },
  { body: `[${text}]`, invalid: null },
];

/** Never JSON, whatever the body contains. */
export const mediaMutants: fc.Arbitrary<Mutant> = fc
  .constantFrom(
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'json',
    'application/json-patch+json',
    '',
    ' ',
    'application/\tjson',
  )
  .map((mediaType) => ({ mediaType, invalid: 'not application/json' }));

/** In an address. */
export const textMutants: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '+5',
    '05',
    '5.0',
    '1e3',
    '0x10',
    '5 ',
    '9007199254740992',
    '99999999999999999999',
    'null',
    'undefined',
    'NaN',
    'true',
    '2026-02-30',
    '2026-13-01',
    '0000-00-00',
    '9999-12-31',
    '../..',
    '%00',
    '\0',
    '\ud800',
    "'",
    '"',
    '😀',
    '[object Object]',
    'x'.repeat(5_000),
  ),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
);

type Path = (string | number)[];
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every path into a value, the whole first; only the start of a long list. */
function pathsIn(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Object.entries(value)
    .slice(0, 6)
    .flatMap(([name, member]) =>
      pathsIn(member).map((path): Path => [Array.isArray(value) ? Number(name) : name, ...path]),
    );
  return [[], ...inner];
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value);

/** The value as text, with this literal at that path. */
function write(value: unknown, path: Path, literal: string): string {
  const [name, ...rest] = path;
  if (name === undefined) return literal;
  const parts = Object.entries(value as object).map(([key, member]) => {
    const text = String(name) === key ? write(member, rest, literal) : JSON.stringify(member);
    return Array.isArray(value) ? text : `${JSON.stringify(key)}:${text}`;
  });
  return Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`;
}
