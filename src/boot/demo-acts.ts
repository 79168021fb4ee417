import { addAnnotation } from '../domain/annotations/write-annotation.ts';
import { addCompetitor } from '../domain/competitors/add-competitor.ts';
import { suggestCompetitors } from '../domain/competitors/suggest-competitors.ts';
import type { Ctx } from '../domain/context.ts';
import { saveField } from '../domain/keyword-field/save-field.ts';
import type { UtcDay } from '../lib/dates.ts';

/** Something that people who keep an eye on their app do now and then. */
export type DemoAct = { day: UtcDay } & (
  | { kind: 'keyword-field'; text: string }
  | { kind: 'note'; text: string }
  /** Compares with the first that the product suggests. */
  | { kind: 'competitors'; count: number; relationship: string }
);

/** Does it through the product's own verbs. */
export async function actOn(ctx: Ctx, appId: number, act: DemoAct): Promise<void> {
  switch (act.kind) {
    case 'keyword-field':
      await saveField(ctx, appId, { text: act.text, locale: 'en-US' });
      return;
    case 'note':
      await addAnnotation(ctx, appId, { date: act.day, text: act.text });
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
