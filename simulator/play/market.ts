import type { AnswerContext } from '../http/answer-context.ts';
import { languageOf } from '../world/countries.ts';

/** Country and language of a Play request; both in any letter case, `hl` with or without a region. */
export function readPlace(context: AnswerContext): { country: string; language: string } {
  const country = (context.url.searchParams.get('gl') ?? 'us').toLowerCase();
  const language = (context.url.searchParams.get('hl') ?? languageOf(country)).slice(0, 2).toLowerCase();
  return { country, language };
}
