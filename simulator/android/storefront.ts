import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { languageOf } from '../world/countries.ts';

/** The country and language of a request, in any letter case; `hl` may have a region. */
export function readStorefront(context: ResponseContext): { country: string; language: string } {
  const country = (context.url.searchParams.get('gl') ?? 'us').toLowerCase();
  const language = (context.url.searchParams.get('hl') ?? languageOf(country))
    .slice(0, 2)
    .toLowerCase();
  return { country, language };
}

/** Play's response for an unknown page. */
export function notFound(): SimulatedResponse {
  return respond(
    404,
    'html',
    "<!doctype html><html><body>We're sorry, the requested URL was not found on this " +
      'server.</body></html>',
  );
}
