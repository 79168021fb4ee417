import { respond, type SimulatedResponse } from '../http/response.ts';

/** iTunes' response to an unreadable value: still 200, without a results key. */
export function invalidValue(key: string): SimulatedResponse {
  const queryParameters = {
    output: 'json',
    callback: 'A javascript function to handle your search results',
    country: 'ISO-2A country code',
    limit: 'The number of search results to return',
    term: 'A search string',
    lang: 'ISO-2A language code',
  };
  const body = { errorMessage: `Invalid value(s) for key(s): [${key}]`, queryParameters };
  return respond(200, 'script', `\n\n\n${JSON.stringify(body, null, 1)}\n`);
}
