import { answer, type Answer } from '../http/answer.ts';

/** What iTunes says to a value it cannot read: still 200, and no results key. */
export function invalidValue(key: string): Answer {
  const queryParameters = {
    output: 'json',
    callback: 'A javascript function to handle your search results',
    country: 'ISO-2A country code',
    limit: 'The number of search results to return',
    term: 'A search string',
    lang: 'ISO-2A language code',
  };
  const body = { errorMessage: `Invalid value(s) for key(s): [${key}]`, queryParameters };
  return answer(200, 'script', `\n\n\n${JSON.stringify(body, null, 1)}\n`);
}
