import type { TFunction } from 'i18next';

/** The wording of the API. */
const causes = {
  'in the title': 'inTitle',
  'in the subtitle': 'inSubtitle',
  'a duplicate': 'duplicate',
  'differs only by its plural': 'plural',
  'the brand': 'brand',
  'a stop word': 'stopword',
} as const;

/**
 * Why a word adds nothing, in the language of the page. Unknown causes are shown as the API sends
 * them.
 */
export function formatCause(because: string | null, t: TFunction): string | null {
  return because !== null && Object.hasOwn(causes, because)
    ? t(`actions.because.${causes[because as keyof typeof causes]}`)
    : because;
}
