import { z } from 'zod';
import type { ErrorCode, Issue } from '#contract/errors.ts';
import { eventTypes } from '#contract/choices.ts';
import type { Operation } from '#contract/operation.ts';
import { AppError } from '#domain/base/errors.ts';
import { countCharacters } from '#lib/text.ts';
import { isStorableText } from './read-json.ts';

const issuesMax = 20;
const nothing = z.strictObject({});
const noBody = z.union([z.undefined(), nothing]);

export interface Parts {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** Parses all three parts as the operation specifies, or throws with every issue. */
export function validateParts(operation: Operation, given: Parts): Parts {
  const read = {
    params: (operation.params ?? nothing).safeParse(given.params),
    query: (operation.query ?? nothing).safeParse(given.query),
    body: (operation.body ?? noBody).safeParse(given.body),
  };
  const issues = Object.values(given.params as object).every((value) =>
    isStorableText(String(value)),
  )
    ? Object.entries(read).flatMap(([part, result]) =>
        result.error
          ? result.error.issues.flatMap((issue) =>
              describeIssue(part, issue, given[part as keyof Parts]),
            )
          : [],
      )
    : [
        {
          path: 'params',
          code: 'wrong_form' as const,
          message: 'text without NUL',
          limit: null,
          actual: null,
        },
      ];
  if (issues.length > 0) {
    const [first] = issues;
    throw new AppError(codeOf(issues), `${first!.path || 'request'}: ${first!.message}`, {
      issues: issues.slice(0, issuesMax),
    });
  }
  return {
    params: operation.params && read.params.data,
    query: operation.query && read.query.data,
    body: operation.body && read.body.data,
  };
}

function codeOf(issues: Issue[]): ErrorCode {
  if (issues.every(isAboutCountry)) return 'invalid_country';
  return issues.every((issue) => issue.limit === eventNames) ? 'unknown_event' : 'invalid_request';
}

const eventNames = eventTypes.join('|');

/**
 * Detects text where a country code belongs. A missing value or one that is not text is an
 * ordinary shape error.
 */
function isAboutCountry({ path, actual }: Issue): boolean {
  return (
    actual === 'string' && /(^|\.)(country|lookupCountry|primaryCountry|countries\.\d+)$/.test(path)
  );
}

type ZodIssue = z.core.$ZodIssue;

/** `keywords.0.phrase` for the body, `query.limit` and `params.id` for the others. */
function describeIssue(part: string, issue: ZodIssue, given: unknown): Issue[] {
  const closest =
    issue.code === 'invalid_union' ? closestBranch(issue.errors as ZodIssue[][]) : null;
  if (closest)
    return closest.flatMap((inner) =>
      describeIssue(part, { ...inner, path: [...issue.path, ...inner.path] }, given),
    );
  const names = issue.path.map(String);
  const path = [...(part === 'body' ? [] : [part]), ...names].join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, issuesMax).map((key) => ({
      path: [path, key].filter(Boolean).join('.').slice(0, 200),
      code: 'unknown_member' as const,
      message: 'not a member of this request',
      limit: null,
      actual: null,
    }));
  }
  return [
    {
      path: path || part,
      code: codeOfIssue(issue, valueAt(given, issue.path)),
      message: issue.message,
      limit: limitOf(issue),
      actual: actualOf(issue, valueAt(given, issue.path)),
    },
  ];
}

const sizes: Record<string, readonly [tooBig: Issue['code'], tooSmall: Issue['code']]> = {
  string: ['too_long', 'too_short'],
  array: ['too_many', 'too_few'],
};

function codeOfIssue(issue: ZodIssue, value: unknown): Issue['code'] {
  if (value === undefined) return 'missing';
  if (issue.code === 'too_big' || issue.code === 'too_small') {
    const [tooBig, tooSmall] = sizes[issue.origin] ?? ['too_large', 'too_small'];
    return issue.code === 'too_big' ? tooBig : tooSmall;
  }
  if (issue.code === 'invalid_type') return 'wrong_type';
  if (issue.code === 'invalid_value') return 'not_one_of';
  return issue.code === 'invalid_format' ? 'wrong_form' : 'invalid';
}

/** The union branch that fits best explains the most. */
function closestBranch(branches: ZodIssue[][]): ZodIssue[] | null {
  const weight = (branch: ZodIssue[]) =>
    branch.reduce(
      (sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1),
      0,
    );
  return (
    branches.filter((branch) => branch.length > 0).toSorted((a, b) => weight(a) - weight(b))[0] ??
    null
  );
}

function limitOf(issue: ZodIssue): number | string | null {
  if (issue.code === 'too_big') return Number(issue.maximum);
  if (issue.code === 'too_small') return Number(issue.minimum);
  if (issue.code === 'invalid_value') return issue.values.map(String).join('|').slice(0, 200);
  return null;
}

/** A length, a number or a type name. The caller's text is never returned. */
function actualOf(issue: ZodIssue, value: unknown): number | string | null {
  const measured = issue.code === 'too_big' || issue.code === 'too_small';
  // A number in an address is text.
  if (measured && issue.origin !== 'string' && typeof value === 'string') return Number(value);
  if (measured && typeof value === 'string') return lengthOf(value, limitOf(issue));
  if (measured && Array.isArray(value)) return value.length;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === null) return 'null';
  return value === undefined ? null : Array.isArray(value) ? 'array' : typeof value;
}

/** In characters, or in UTF-16 units when only those exceed the limit. */
function lengthOf(text: string, limit: number | string | null): number {
  const characters = countCharacters(text);
  return typeof limit === 'number' && characters <= limit ? text.length : characters;
}

function valueAt(given: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    given,
  );
}
