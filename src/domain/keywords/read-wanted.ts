import type { z } from 'zod';
import type { addKeywordsBody } from '../../contract/keywords.ts';
import { isStorable } from '../../lib/text.ts';
import { AppError } from '../errors.ts';
import { findCountryFault, findPhraseFault, normalisePhrase, type Fault } from './phrase.ts';

export type AddKeywordsBody = z.output<typeof addKeywordsBody>;

export interface WantedKeyword {
  phrase: string;
  country: string;
  depth: number;
  tags: string[];
}

export const maxKeywordsARequest = 200;
export const defaultDepth = 200;
const maxIssues = 100;

/** The keywords of a request, normalised, in its order, doubles included; `usualDepth` for those without one. One fault refuses all of it. */
export function readWanted(
  body: AddKeywordsBody,
  usualDepth: number = defaultDepth,
): WantedKeyword[] {
  const count =
    'keywords' in body ? body.keywords.length : body.phrases.length * body.countries.length;
  if (count > maxKeywordsARequest) {
    const path = 'keywords' in body ? 'keywords' : 'phrases × countries';
    refuse([
      {
        code: 'too_many_keywords',
        issue: { path, rule: 'keywords in a request', limit: maxKeywordsARequest, actual: count },
      },
    ]);
  }
  const faults = 'keywords' in body ? listItemFaults(body.keywords) : listProductFaults(body);
  if (faults.length > 0) refuse(faults);
  return expand(body, usualDepth);
}

function expand(body: AddKeywordsBody, usualDepth: number): WantedKeyword[] {
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

function listItemFaults(
  items: { phrase: string; country: string; tags?: string[] | undefined }[],
): Fault[] {
  return items.flatMap((item, index) => [
    ...present(findPhraseFault(`keywords.${index}.phrase`, item.phrase)),
    ...present(findCountryFault(`keywords.${index}.country`, item.country)),
    ...listTagFaults(`keywords.${index}.tags`, item.tags),
  ]);
}

function listProductFaults(body: {
  phrases: string[];
  countries: string[];
  tags?: string[] | undefined;
}): Fault[] {
  return [
    ...body.phrases.flatMap((phrase, index) =>
      present(findPhraseFault(`phrases.${index}`, phrase)),
    ),
    ...body.countries.flatMap((country, index) =>
      present(findCountryFault(`countries.${index}`, country)),
    ),
    ...listTagFaults('tags', body.tags),
  ];
}

export function listTagFaults(path: string, tags: readonly string[] | undefined): Fault[] {
  return (tags ?? []).flatMap((tag, index) =>
    isStorable(tag) ? [] : [unstorable(`${path}.${index}`)],
  );
}

export function unstorable(path: string): Fault {
  return {
    code: 'invalid_request',
    issue: { path, rule: 'no NUL and no halves of surrogate pairs', limit: null, actual: null },
  };
}

/** One phrase, normalised. Throws phrase_too_long, too_many_words, invalid_request. */
export function readPhrase(path: string, text: string): string {
  const fault = findPhraseFault(path, text);
  if (fault) refuse([fault]);
  return normalisePhrase(text);
}

/** The whole request is refused with the code of its first fault and an issue for each. */
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
