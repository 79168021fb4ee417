import type { z } from 'zod';
import type { addKeywordsBody } from '#contract/keywords.ts';
import { isStorable } from '#lib/text.ts';
import { AppError } from '#domain/base/errors.ts';
import {
  findCountryError,
  findPhraseError,
  normalisePhrase,
  type Fault,
} from '#domain/base/text/phrase.ts';

export type AddKeywordsBody = z.output<typeof addKeywordsBody>;

export interface RequestedKeyword {
  phrase: string;
  country: string;
  depth: number;
  tags: string[];
}

export const maxKeywordsPerRequest = 200;
export const defaultDepth = 200;
const maxIssues = 100;

/**
 * Parses the keywords of a request: normalised, in order, duplicates included; `usualDepth` is the
 * default depth. One error rejects all.
 */
export function parseKeywords(
  body: AddKeywordsBody,
  usualDepth: number = defaultDepth,
): RequestedKeyword[] {
  const count =
    'keywords' in body ? body.keywords.length : body.phrases.length * body.countries.length;
  if (count > maxKeywordsPerRequest) {
    const path = 'keywords' in body ? 'keywords' : 'phrases × countries';
    refuse([
      {
        code: 'too_many_keywords',
        issue: { path, rule: 'keywords in a request', limit: maxKeywordsPerRequest, actual: count },
      },
    ]);
  }
  const faults = 'keywords' in body ? listItemErrors(body.keywords) : listProductErrors(body);
  if (faults.length > 0) refuse(faults);
  return expand(body, usualDepth);
}

function expand(body: AddKeywordsBody, usualDepth: number): RequestedKeyword[] {
  const items =
    'keywords' in body
      ? body.keywords
      : body.phrases.flatMap((phrase) =>
          body.countries.map((country) => ({
            phrase,
            country,
            depth: body.depth,
            tags: body.tags,
          })),
        );
  return items.map((item) => ({
    phrase: normalisePhrase(item.phrase),
    country: item.country,
    depth: item.depth ?? usualDepth,
    tags: [...new Set(item.tags)],
  }));
}

function listItemErrors(
  items: { phrase: string; country: string; tags?: string[] | undefined }[],
): Fault[] {
  return items.flatMap((item, index) => [
    ...present(findPhraseError(`keywords.${index}.phrase`, item.phrase)),
    ...present(findCountryError(`keywords.${index}.country`, item.country)),
    ...listTagErrors(`keywords.${index}.tags`, item.tags),
  ]);
}

function listProductErrors(body: {
  phrases: string[];
  countries: string[];
  tags?: string[] | undefined;
}): Fault[] {
  return [
    ...body.phrases.flatMap((phrase, index) =>
      present(findPhraseError(`phrases.${index}`, phrase)),
    ),
    ...body.countries.flatMap((country, index) =>
      present(findCountryError(`countries.${index}`, country)),
    ),
    ...listTagErrors('tags', body.tags),
  ];
}

export function listTagErrors(path: string, tags: readonly string[] | undefined): Fault[] {
  return (tags ?? []).flatMap((tag, index) =>
    isStorable(tag) ? [] : [unstorable(`${path}.${index}`)],
  );
}

export function unstorable(path: string): Fault {
  return {
    code: 'invalid_request',
    issue: { path, rule: 'no NUL and no lone surrogates', limit: null, actual: null },
  };
}

/** One normalised phrase. Throws phrase_too_long, too_many_words, invalid_request. */
export function readPhrase(path: string, text: string): string {
  const fault = findPhraseError(path, text);
  if (fault) refuse([fault]);
  return normalisePhrase(text);
}

/** The whole request is rejected with the code of its first error and an issue for each. */
export function refuse(faults: Fault[]): never {
  const [first] = faults;
  const message = `${first!.issue.path}: ${first!.issue.rule}`;
  throw new AppError(first!.code, message, {
    issues: faults.slice(0, maxIssues).map((fault) => fault.issue),
  });
}

function present(fault: Fault | null): Fault[] {
  return fault ? [fault] : [];
}
