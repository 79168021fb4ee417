import { answer, type Answer } from '../http/answer.ts';
import type { AnswerContext } from '../http/answer-context.ts';
import { languageOf } from '../world/countries.ts';

/** Country and language of a Play request; both in any letter case, `hl` with or without a region. */
export function readPlace(context: AnswerContext): { country: string; language: string } {
  const country = (context.url.searchParams.get('gl') ?? 'us').toLowerCase();
  const language = (context.url.searchParams.get('hl') ?? languageOf(country))
    .slice(0, 2)
    .toLowerCase();
  return { country, language };
}

/** What Play says where there is no such page. */
export function notFound(): Answer {
  return answer(
    404,
    'html',
    "<!doctype html><html><body>We're sorry, the requested URL was not found on this server.</body></html>",
  );
}
