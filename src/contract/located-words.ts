import { z } from 'zod';
import { listingTexts } from '#stores/profiles.ts';

export const locatedWord = z
  .strictObject({
    word: z.string(),
    field: z
      .enum(listingTexts)
      .nullable()
      .meta({
        description:
          'The text of the app’s own listing in this country that contains the word, of those by ' +
          'which the store searches: the first of title, subtitle, summary (short description), ' +
          'keywordField and description. Null when none of them does.',
      }),
  })
  .meta({ id: 'LocatedWord' });

/** The words of a phrase, in its order. */
export const locatedWords = z.array(locatedWord).nullable();
