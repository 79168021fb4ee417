import fc from 'fast-check';
import type { Description, Schema } from './openapi.ts';

/**
 * Values that exist in this test's data, by the name of a member or parameter; undefined to
 * generate one.
 */
export type Hints = (key: string, name: string) => readonly unknown[] | undefined;

export interface ValueContext {
  description: Description;
  hints: Hints;
  key: string;
  name: string;
}

/** Values that a schema allows, short and mostly meaningful ones first. */
export function valueOf(schema: Schema, context: ValueContext): fc.Arbitrary<unknown> {
  const made = makeUp(schema, context);
  const fitting = (context.hints(context.key, context.name) ?? []).filter((value) =>
    fits(schema, value, context),
  );
  return fitting.length === 0
    ? made
    : fc.oneof(
        { arbitrary: fc.constantFrom(...fitting), weight: 12 },
        { arbitrary: made, weight: 1 },
      );
}

const fits = (schema: Schema, value: unknown, { description }: ValueContext): boolean =>
  description.isValid(schema, value);

function makeUp(schema: Schema, context: ValueContext): fc.Arbitrary<unknown> {
  const { description } = context;
  const branches = schema.anyOf ?? schema.oneOf;
  if (schema.$ref !== undefined)
    return valueOf(description.schemas[schema.$ref.split('/').at(-1)!]!, context);
  if (branches) return fc.oneof(...branches.map((branch) => valueOf(branch, context)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return integerOf(schema);
  if (type === 'number')
    return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
  if (type === 'array') return listOf(schema, context);
  if (type === 'object') return objectOf(schema, context);
  if (type === 'string') return textOf(schema);
  return fc.constantFrom<unknown>('x', 1, null, { a: 1 });
}

function integerOf({ minimum = -1_000, maximum = 2_147_483_647 }: Schema): fc.Arbitrary<number> {
  const edges = fc.constantFrom(minimum, maximum, Math.min(maximum, minimum + 1));
  return fc.oneof(edges, fc.integer({ min: minimum, max: Math.min(maximum, minimum + 50) }));
}

function listOf(schema: Schema, context: ValueContext): fc.Arbitrary<unknown[]> {
  const { items = {}, prefixItems, minItems = 0, maxItems = 4 } = schema;
  if (prefixItems) return fc.tuple(...prefixItems.map((item) => valueOf(item, context)));
  return fc.array(valueOf(items, context), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, 3)),
  });
}

function objectOf(schema: Schema, context: ValueContext): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      name,
      valueOf(member, { ...context, name }),
    ]),
  );
  const known = fc.record(members, { requiredKeys: required });
  if (typeof additionalProperties !== 'object' || Object.keys(properties).length > 0) return known;
  return fc.dictionary(
    fc.constantFrom('a', 'b', 'phrase', 'country'),
    valueOf(additionalProperties, context),
    { maxKeys: 3 },
  );
}

function textOf({ pattern, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<string> {
  const isOfLength = (text: string) =>
    [...text].length >= minLength && [...text].length <= maxLength;
  // Patterns with lookahead (email addresses) can be matched, not generated.
  if (pattern !== undefined && pattern.includes('(?')) return fc.constant('person@example.org');
  if (pattern !== undefined) return matching(pattern).filter(isOfLength);
  const words = fc.constantFrom(
    'habit tracker',
    'mood journal',
    'привет',
    '習慣',
    'a',
    '=1+1',
    '<b>',
    '😀 e\u0301',
    '%_\\',
  );
  const edge = fc.constant('x'.repeat(Math.max(minLength, Math.min(maxLength, 10_000))));
  return fc
    .oneof(words, graphemes(minLength, Math.max(minLength, Math.min(maxLength, 20))), edge)
    .filter(isOfLength);
}

// Making one of these arbitraries takes milliseconds, and the same ones are needed all the time.
const made = new Map<string, fc.Arbitrary<string>>();

function once(key: string, make: () => fc.Arbitrary<string>): fc.Arbitrary<string> {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known;
}

const matching = (pattern: string) =>
  once(pattern, () => fc.stringMatching(new RegExp(pattern), { size: 'small' }));

const graphemes = (minLength: number, maxLength: number) =>
  once(`${minLength} to ${maxLength} graphemes`, () =>
    fc.string({ unit: 'grapheme', minLength, maxLength }),
  );
