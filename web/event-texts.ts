import type { Plugin } from 'vite';
import { languages } from '../src/contract/languages.ts';
import { collectEventTexts } from '../src/contract/events/event-definitions.ts';

/**
 * Adds the texts of the event types to `events.json` of each language. They live in
 * src/contract/events, which the browser never loads, because it would load every schema with them.
 */
export function eventTexts(): Plugin {
  return {
    name: 'toprung-event-texts',
    enforce: 'pre',
    transform(code, id) {
      const whole = addEventTexts(id, code);
      return whole === code ? undefined : { code: whole, map: null };
    },
  };
}

/** Changes only the `events.json` of a language. */
export function addEventTexts(path: string, json: string): string {
  const name = /\/locales\/(\w+)\/events\.json$/.exec(path)?.[1];
  const language = languages.find((one) => one === name);
  if (!language) return json;
  return JSON.stringify({ ...(JSON.parse(json) as object), ...collectEventTexts(language) });
}
