import { z } from 'zod';
import { eventTypes } from '../../contract/choices.ts';
import {
  eventData,
  eventSamples,
  type EventObject,
  type EventType,
} from '../../contract/events.ts';
import type { Ctx } from '../context.ts';
import { toEventObject } from './event-object.ts';

export const eventMeanings: Record<EventType, string> = {
  'metadata.changed':
    'A listing differs from the snapshot before: an app’s own, or a competitor’s.',
  'rank.dropped':
    'A keyword fell by 5 places or more, across 1, 3, 10 or 50, or out of the depth that was examined.',
  'rank.improved':
    'A keyword rose by 5 places or more, across 1, 3, 10 or 50, or came into the depth that was examined.',
  'review.negative': 'A review of 2 stars or less was written in the last 7 days.',
  'digest.weekly': 'The week in figures, once an ISO week, also when nothing happened.',
  'serp.entrant':
    'An app stands in the top 10 of a tracked market where it stood nowhere in the last 7 checked days.',
  'action.opened': 'A new suggested action.',
};

const samplePaths: Partial<Record<EventType, string>> = {
  'metadata.changed': '/apps/3/timeline',
  'rank.dropped': '/keywords/481/rankings',
  'rank.improved': '/keywords/481/rankings',
  'review.negative': '/apps/3/reviews',
  'digest.weekly': '/digests/weekly?week=2026-11-16',
  'serp.entrant': '/keywords/481/serp',
  'action.opened': '/actions/77',
};

/** An event of the type that did not happen: marked as a test, with the number 0. */
export function sampleEvent(
  ctx: Pick<Ctx, 'workspaceId' | 'clock' | 'settings'>,
  type: EventType,
  id: string,
): EventObject {
  const app =
    type === 'digest.weekly'
      ? null
      : { id: 3, store: 'ios' as const, storeAppId: '1500000001', name: 'Lumen Habits' };
  const links = { about: samplePaths[type]! };
  const event = {
    workspaceId: ctx.workspaceId,
    type,
    occurredAt: ctx.clock.now(),
    data: eventSamples[type],
    links,
  };
  return {
    ...toEventObject(event, { id, sequence: 0, app, publicUrl: ctx.settings.publicUrl }),
    test: true,
  };
}

/** The seven types with what makes them, the JSON Schema of their data, and a sample. */
export function describeEventTypes(
  ctx: Ctx,
): {
  type: EventType;
  description: string;
  schema: Record<string, unknown>;
  sample: EventObject;
}[] {
  return eventTypes.map((type) => ({
    type,
    description: eventMeanings[type],
    schema: z.toJSONSchema(eventData[type], { io: 'output', unrepresentable: 'any' }) as Record<
      string,
      unknown
    >,
    sample: sampleEvent(ctx, type, 'evt_sample_0000'),
  }));
}
