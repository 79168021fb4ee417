import { z } from 'zod';
import { eventTypes } from '#contract/choices.ts';
import type { EventObject, EventType } from '#contract/events.ts';
import { eventDefinitions } from '#contract/events/event-definitions.ts';
import type { Ctx } from '#domain/base/context.ts';
import { toEventObject } from './event-object.ts';

/** A test event of the type, marked as such, with sequence number 0. */
export function sampleEvent(
  ctx: Pick<Ctx, 'workspaceId' | 'clock' | 'settings'>,
  type: EventType,
  id: string,
): EventObject {
  const { sample, samplePath, isOfWorkspace } = eventDefinitions[type];
  const app = isOfWorkspace
    ? null
    : { id: 3, store: 'ios' as const, storeAppId: '1500000001', name: 'Lumen Habits' };
  const event = {
    workspaceId: ctx.workspaceId,
    type,
    occurredAt: ctx.clock.now(),
    data: sample,
    links: { about: samplePath },
  };
  return {
    ...toEventObject(event, { id, sequence: 0, app, publicUrl: ctx.settings.publicUrl }),
    test: true,
  };
}

/** Every event type with its description, the JSON Schema of its data, and a sample. */
export function describeEventTypes(ctx: Ctx): {
  type: EventType;
  description: string;
  schema: Record<string, unknown>;
  sample: EventObject;
}[] {
  return eventTypes.map((type) => ({
    type,
    description: eventDefinitions[type].description,
    schema: z.toJSONSchema(eventDefinitions[type].data, {
      io: 'output',
      unrepresentable: 'any',
    }) as Record<string, unknown>,
    sample: sampleEvent(ctx, type, 'evt_sample_0000'),
  }));
}
