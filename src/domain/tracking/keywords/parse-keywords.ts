import type { z } from 'zod';
import type { addKeywordsBody } from '#contract/keywords.ts';
import { isStorable } from '#lib/text.ts';
import { findDeviceIssue } from '#domain/base/device.ts';
import { AppError } from '#domain/base/errors.ts';
import { findCountryError, findPhraseError, type Fault } from '#domain/base/text/phrase.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';

export type AddKeywordsBody = z.output<typeof addKeywordsBody>;

export interface RequestedKeyword {
  phrase: string;
  country: string;
  device: string;
  depth: number;
  tags: string[];
  /** The removed keyword that is restored. It stays paused if it was. */
  removed?: { id: number; paused: boolean };
}

/** For keywords that do not say it. */
export interface KeywordDefaults {
  depth: number;
  /** The devices of the app's store; the first one is the default. */
  devices: readonly string[];
}

export const maxKeywordsPerRequest = 200;
export const defaultDepth = 200;
const maxIssues = 100;

/**
 * Parses the keywords of a request: normalised, in order, duplicates included. One error rejects
 * all.
 */
export function parseKeywords(
  body: AddKeywordsBody,
  defaults: KeywordDefaults,
): RequestedKeyword[] {
  requireFewKeywords(body);
  const faults =
    'keywords' in body
      ? listItemErrors(body.keywords, defaults)
      : listProductErrors(body, defaults);
  if (faults.length > 0) refuse(faults);
  return expand(body, defaults);
}

function requireFewKeywords(body: AddKeywordsBody): void {
  const factors =
    'keywords' in body
      ? { keywords: body.keywords }
      : {
          phrases: body.phrases,
          countries: body.countries,
          ...(body.devices && { devices: body.devices }),
        };
  const count = Object.values(factors).reduce((product, { length }) => product * length, 1);
  if (count <= maxKeywordsPerRequest) return;
  const path = Object.keys(factors).join(' × ');
  const message = 'keywords in a request';
  refuse([
    {
      code: 'too_many_keywords',
      issue: { path, message, limit: maxKeywordsPerRequest, actual: count },
    },
  ]);
}

function expand(body: AddKeywordsBody, defaults: KeywordDefaults): RequestedKeyword[] {
  return listItems(body).map((item) => ({
    phrase: normalisePhrase(item.phrase),
    country: item.country,
    device: item.device ?? defaults.devices[0]!,
    depth: item.depth ?? defaults.depth,
    tags: [...new Set(item.tags)],
  }));
}

function listItems(body: AddKeywordsBody) {
  if ('keywords' in body) return body.keywords;
  const { phrases, countries, devices = [undefined], depth, tags } = body;
  return phrases.flatMap((phrase) =>
    countries.flatMap((country) =>
      devices.map((device) => ({ phrase, country, device, depth, tags })),
    ),
  );
}

function listItemErrors(
  items: {
    phrase: string;
    country: string;
    device?: string | undefined;
    tags?: string[] | undefined;
  }[],
  { devices }: KeywordDefaults,
): Fault[] {
  return items.flatMap((item, index) => [
    ...present(findPhraseError(`keywords.${index}.phrase`, item.phrase)),
    ...present(findCountryError(`keywords.${index}.country`, item.country)),
    ...present(findDeviceError(`keywords.${index}.device`, item.device, devices)),
    ...listTagErrors(`keywords.${index}.tags`, item.tags),
  ]);
}

function listProductErrors(
  body: {
    phrases: string[];
    countries: string[];
    devices?: string[] | undefined;
    tags?: string[] | undefined;
  },
  { devices }: KeywordDefaults,
): Fault[] {
  return [
    ...body.phrases.flatMap((phrase, index) =>
      present(findPhraseError(`phrases.${index}`, phrase)),
    ),
    ...body.countries.flatMap((country, index) =>
      present(findCountryError(`countries.${index}`, country)),
    ),
    ...(body.devices ?? []).flatMap((device, index) =>
      present(findDeviceError(`devices.${index}`, device, devices)),
    ),
    ...listTagErrors('tags', body.tags),
  ];
}

export function findDeviceError(
  path: string,
  device: string | undefined,
  devices: readonly string[],
): Fault | null {
  const issue = findDeviceIssue(path, device, devices);
  return issue && { code: 'invalid_request', issue };
}

export function listTagErrors(path: string, tags: readonly string[] | undefined): Fault[] {
  return (tags ?? []).flatMap((tag, index) =>
    isStorable(tag) ? [] : [unstorable(`${path}.${index}`)],
  );
}

export function unstorable(path: string): Fault {
  return {
    code: 'invalid_request',
    issue: { path, message: 'no NUL and no lone surrogates', limit: null, actual: null },
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
  const message = `${first!.issue.path}: ${first!.issue.message}`;
  throw new AppError(first!.code, message, {
    issues: faults.slice(0, maxIssues).map((fault) => fault.issue),
  });
}

function present(fault: Fault | null): Fault[] {
  return fault ? [fault] : [];
}
