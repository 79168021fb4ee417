import type { TFunction } from 'i18next';

/** As the API says it. */
const causes = {
  'in the title': 'inTitle',
  'in the subtitle': 'inSubtitle',
  'twice in the field': 'duplicate',
  'differs only by its plural': 'plural',
  'the brand': 'brand',
  'a stop word': 'stopword',
} as const;

/** Why a word adds nothing, in the language of the page; what is not among these as it stands. */
export function tellBecause(because: string | null, t: TFunction): string | null {
  return because !== null && Object.hasOwn(causes, because)
    ? t(`actions.because.${causes[because as keyof typeof causes]}`)
    : because;
}
