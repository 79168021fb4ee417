import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { validateParts } from '#api/plugins/validate.ts';
import { bodyBytesMax } from '#contract/body-limits.ts';
import { operationList } from '#contract/index.ts';
import type { Operation } from '#contract/operation.ts';
import { cpuMsOf } from '../harness/cpu-time.ts';
import { hostileTexts } from '../harness/hostile-texts.ts';

/** Twice as long as on a quiet machine: neighbours on a core cost processor time as well. */
const limitMs = 100;
/** Node refuses a longer request line and headers. */
const addressMax = 16_384;

/**
 * The short form tries most strings at a length at which quadratic time already takes a second, and
 * the longest of each character only.
 */
const isLong = Boolean(process.env.TORTURE);
const shortMax = 32 * 1024;
const repeated = hostileTexts(bodyBytesMax, ['']);

type Schema = z.core.$ZodType;
type Path = (string | number)[];

describe('schemas of the contract', () => {
  const texts = isLong ? hostileTexts(bodyBytesMax) : [...hostileTexts(shortMax), ...repeated];
  const schemas = new Map<Schema, string>();
  for (const [key, operation] of operationList)
    for (const part of ['params', 'query', 'body'] as const)
      for (const { schema, path } of operation[part] ? findStrings(operation[part]) : [])
        if (!schemas.has(schema)) schemas.set(schema, `${key} ${part}.${path.join('.')}`);

  it('each string schema validates a hostile string within 100 ms of CPU time', () => {
    expect(schemas.size).toBeGreaterThan(80);
    const slow = [...schemas].flatMap(([schema, name]) =>
      findSlow(name, texts, (text) => (schema as z.ZodType).safeParse(text)),
    );
    expect(slow).toEqual([]);
  });

  it.each(
    operationList.filter(([, operation]) => operation.query ?? operation.body ?? operation.params),
  )(
    '%s validates hostile strings in each of its fields within 100 ms of CPU time',
    (key, operation) => {
      const slow = (['params', 'query', 'body'] as const).flatMap((part) =>
        findSlowPart(key, operation, part),
      );
      expect(slow).toEqual([]);
    },
  );

  it('the measurement detects a quadratic expression', () => {
    const quadratic = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
    expect(
      findSlow('e-mail', ['a@' + 'a.'.repeat(16_000) + '@'], (text) => quadratic.test(text)),
    ).toHaveLength(1);
  });
});

function findSlowPart(
  key: string,
  operation: Operation,
  part: 'params' | 'query' | 'body',
): string[] {
  const schema = operation[part];
  if (!schema) return [];
  const length = part === 'body' ? (operation.bodyBytesMax ?? bodyBytesMax) : addressMax;
  const texts = ['a', ' ', '.', 'a.', '😀', '\ud800', ','].map(
    (piece) => `a@${piece.repeat(length / piece.length - 2)}!`,
  );
  return findStrings(schema).flatMap(({ path }) =>
    findSlow(`${key} ${part}.${path.join('.')}`, texts, (text) => {
      const given = { params: {}, query: {}, body: undefined, [part]: nest(path, text) };
      try {
        return validateParts(operation, given);
      } catch {
        return null;
      }
    }),
  );
}

function findSlow(
  name: string,
  texts: readonly string[],
  work: (text: string) => unknown,
): string[] {
  return texts.flatMap((text) => {
    const cpuMs = cpuMsOf(() => work(text), limitMs);
    return cpuMs > limitMs
      ? [`${name}: ${Math.round(cpuMs)} ms for ${JSON.stringify(text.slice(0, 20))}…`]
      : [];
  });
}

function nest(path: Path, text: string): unknown {
  return path.reduceRight<unknown>(
    (value, step) => (typeof step === 'number' ? [value] : { [step]: value }),
    text,
  );
}

/**
 * Every path of a schema that accepts a string, through unions, optionals, transforms, lists
 * and records.
 */
function findStrings(schema: Schema, path: Path = []): { schema: Schema; path: Path }[] {
  const def = schema._zod.def as unknown as Record<string, unknown> & { type: string };
  const inner = (value: unknown, ...steps: Path) =>
    findStrings(value as Schema, [...path, ...steps]);
  if (def.type === 'string') return [{ schema, path }];
  if (def.type === 'object')
    return Object.entries(def.shape as object).flatMap(([name, value]) => inner(value, name));
  if (def.type === 'array') return inner(def.element, 0);
  if (def.type === 'union') return (def.options as Schema[]).flatMap((option) => inner(option));
  if (def.type === 'tuple') return (def.items as Schema[]).flatMap((item) => inner(item, 0));
  if (def.type === 'record') return [...inner(def.keyType), ...inner(def.valueType, 'key')];
  if (def.type === 'pipe') return [...(def.in ? inner(def.in) : [])];
  return def.innerType ? inner(def.innerType) : [];
}
