import { z } from 'zod';
import { bigId, country, device, flagText, id, idParam, integerText, utcDay } from './common.ts';
import { changedField } from './changes.ts';
import { causeKinds } from './choices.ts';
import { locatedWords } from './located-words.ts';
import { operationsOf } from './operation.ts';
import { rankPair } from './rankings.ts';

const position = z.int().min(1).max(200).nullable();

/** An app of the results that explains a move. */
const causeApp = z.strictObject({
  storeAppId: z.string(),
  name: z.string().nullable(),
  iconUrl: z.string().nullable(),
  competitorId: id.nullable().meta({ description: 'Null unless it is a competitor of the app.' }),
  from: position.meta({ description: 'Null: not in the stored results of that day.' }),
  to: position,
});

const cause = z
  .strictObject({
    kind: z.enum(causeKinds).meta({
      description:
        '`own_change`: a text of the app gained or lost words of the phrase. `reranking`: the ' +
        'store moved many apps in most of the results of the country. `competitor_change`: ' +
        'competitors passed the app, or fell behind it, after they gained or lost words of the ' +
        'phrase. `entrants`: apps that were not in the results before are above the app. ' +
        '`leavers`: apps above it are no longer in the results.',
    }),
    explained: z.int().min(0).meta({
      description: 'Of the positions gained or lost, those that these apps explain; 0 if unknown.',
    }),
    apps: z.array(causeApp).max(5).meta({ description: 'The highest ones first.' }),
    changes: z
      .array(z.strictObject({ id: bigId, field: changedField, detectedOn: utcDay }))
      .max(5)
      .meta({ description: 'The listing changes behind it.' }),
    fieldSavedOn: utcDay.nullable().meta({
      description: 'The day of a version of the keyword field with or without the words.',
    }),
    words: z
      .array(z.string())
      .max(20)
      .meta({ description: 'Words of the phrase that the texts gained or lost.' }),
  })
  .meta({ id: 'Cause' });

const briefingMover = z
  .strictObject({
    keywordId: id,
    phrase: z.string(),
    words: locatedWords,
    country,
    device,
    traffic: z.int().min(0).max(100).nullable(),
    from: rankPair,
    to: rankPair,
    change: z.int().nullable().meta({
      description:
        'Positions gained (positive) or lost (negative); null when one side was not found.',
    }),
    cause: cause.nullable().meta({ description: 'The likeliest one; null if none is known.' }),
    hasResults: z
      .boolean()
      .meta({ description: 'The results of both days are stored, so that they can be compared.' }),
  })
  .meta({ id: 'BriefingMover' });

export const briefing = z
  .strictObject({
    appId: id,
    from: utcDay.nullable().meta({ description: 'Null without a checked day.' }),
    to: utcDay.nullable().meta({ description: 'The newest checked day.' }),
    isSinceVisit: z
      .boolean()
      .meta({ description: '`from` is the day of the caller’s visit before today.' }),
    keywords: z.int().min(0).meta({ description: 'Tracked keywords, without paused ones.' }),
    compared: z.int().min(0),
    gained: z.int().min(0),
    lost: z.int().min(0),
    entered: z.int().min(0),
    left: z.int().min(0),
    unchanged: z.int().min(0),
    notChecked: z.int().min(0).meta({ description: 'Tracked on `to`, and not checked then.' }),
    movers: z.array(briefingMover).meta({
      description:
        'Moves of at least `thresholds.movePositions`, moves across the top 3, 10 or 50, and ' +
        'keywords that entered or left the results. The most important first: by the value of ' +
        'the positions and the traffic.',
    }),
    otherMovers: z.int().min(0).meta({ description: 'Such moves that the limit leaves out.' }),
  })
  .meta({ id: 'Briefing' });

export const briefingOperations = operationsOf({
  'GET /apps/{id}/briefing': {
    summary: 'Get an app’s briefing',
    description:
      'Compares the newest checked day with the day of the caller’s last visit, or with the ' +
      'day before, and names the likely cause of each move that has a known one.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      since: utcDay.optional().meta({
        description:
          'Compares with this day, at most 30 days back. By default the caller’s last visit ' +
          'before today, or the day before the newest checked day.',
      }),
      yesterday: flagText
        .optional()
        .meta({ description: 'true compares with the day before, whatever was visited.' }),
      limit: integerText(1, 100).default(20),
    }),
    responses: { 200: briefing },
  },
  'POST /briefing/visit': {
    summary: 'Record a visit',
    description:
      'Records that the caller has seen the briefing today. Later visits of the day change ' +
      'nothing.',
    rateClass: 'write',
    readOnlyToken: false,
    responses: {
      200: z.strictObject({
        on: utcDay,
        previousOn: utcDay.nullable().meta({ description: 'The last visit before today.' }),
      }),
    },
  },
});
