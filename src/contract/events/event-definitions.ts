import type { z } from 'zod';
import { eventTypes, type EventType } from '../choices.ts';
import type { Language } from '../languages.ts';
import { actionOpened } from './action-opened.ts';
import { digestWeekly } from './digest-weekly.ts';
import { metadataChanged } from './metadata-changed.ts';
import { rankDropped } from './rank-dropped.ts';
import { rankImproved } from './rank-improved.ts';
import { reviewNegative } from './review-negative.ts';
import { serpEntrant } from './serp-entrant.ts';

/** Every event type by its name. */
export const eventDefinitions = {
  'rank.dropped': rankDropped,
  'rank.improved': rankImproved,
  'serp.entrant': serpEntrant,
  'metadata.changed': metadataChanged,
  'review.negative': reviewNegative,
  'digest.weekly': digestWeekly,
  'action.opened': actionOpened,
} as const satisfies { [Type in EventType]: { type: Type } };

type Definitions = typeof eventDefinitions;

/** The shape of `data` by type. */
export const eventData = collect('data');
export type EventData = { [Type in EventType]: z.input<Definitions[Type]['data']> };

/** The data that POST /webhooks/{id}/test sends and GET /events/types shows. */
export const eventSamples: EventData = collect('sample');

type TextKeyOf<Type extends EventType> =
  `event.${Type}.${keyof Definitions[Type]['texts']['en'] & string}`;
export type EventTextKey = { [Type in EventType]: TextKeyOf<Type> }[EventType];

/** The dashboard's texts of all event types in a language: `event.rank.dropped.title`. */
export function collectEventTexts(language: Language): Record<string, string> {
  return Object.fromEntries(
    eventTypes.flatMap((type) =>
      Object.entries(eventDefinitions[type].texts[language]).map(([name, text]) => [
        `event.${type}.${name}`,
        text,
      ]),
    ),
  );
}

function collect<Member extends 'data' | 'sample'>(
  member: Member,
): { [Type in EventType]: Definitions[Type][Member] } {
  return Object.fromEntries(
    eventTypes.map((type) => [type, eventDefinitions[type][member]]),
  ) as never;
}
