import { createAnnotation } from '#domain/tracking/annotations/update-annotation.ts';
import { addCompetitor } from '#domain/insights/competitors/add-competitor.ts';
import { suggestCompetitors } from '#domain/insights/competitors/suggest-competitors.ts';
import type { Ctx } from '#domain/base/context.ts';
import { saveField } from '#domain/insights/keyword-field/save-field.ts';
import type { UtcDay } from '#lib/dates.ts';

/** An action of a user in the demo's history. */
export type DemoAction = { day: UtcDay } & (
  | { kind: 'keyword-field'; text: string }
  | { kind: 'note'; text: string }
  /** Adds the first competitor that the product suggests. */
  | { kind: 'competitors'; count: number; relationship: string }
);

/** Performs the action through the product's own verbs. */
export async function runDemoAction(ctx: Ctx, appId: number, act: DemoAction): Promise<void> {
  switch (act.kind) {
    case 'keyword-field':
      await saveField(ctx, appId, { text: act.text, locale: 'en-US' });
      return;
    case 'note':
      await createAnnotation(ctx, appId, { date: act.day, text: act.text });
      return;
    case 'competitors': {
      const { items } = await suggestCompetitors(ctx, appId, { limit: act.count });
      for (const { storeAppId } of items) {
        await addCompetitor(
          ctx,
          appId,
          { storeAppId, relationship: act.relationship },
          AbortSignal.timeout(30_000),
        );
      }
    }
  }
}
