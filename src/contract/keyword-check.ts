import { z } from 'zod';
import { id } from './common.ts';

/** A response to a request for checks of keywords, with its job or without one. */
export const keywordCheckOf = <Job extends z.ZodType>(job: Job) =>
  z.strictObject({
    job,
    poll: z.string(),
    skipped: z
      .array(
        z.strictObject({
          keywordId: id,
          reason: z.enum(['paused', 'over_limit', 'checked_today']),
        }),
      )
      .meta({ description: 'The requested keywords that the job does not check.' }),
  });
