interface Script {
  language: string;
  characters: RegExp;
  /** The share of the letters that must be of the script. */
  share: number;
  /**
   * Other languages of the script. When the storefront's language is one of them, the text counts
   * as that language.
   */
  others?: readonly string[];
}

/**
 * Few letters decide: kana distinguishes Japanese from Chinese, and letters of its own distinguish
 * Ukrainian from Russian.
 */
const scripts: readonly Script[] = [
  { language: 'ja', characters: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, share: 0.1 },
  { language: 'ko', characters: /\p{Script=Hangul}/gu, share: 0.4 },
  { language: 'zh', characters: /\p{Script=Han}/gu, share: 0.4, others: ['ja'] },
  { language: 'ar', characters: /\p{Script=Arabic}/gu, share: 0.4, others: ['fa', 'ur'] },
  { language: 'he', characters: /\p{Script=Hebrew}/gu, share: 0.4 },
  { language: 'th', characters: /\p{Script=Thai}/gu, share: 0.4 },
  { language: 'el', characters: /\p{Script=Greek}/gu, share: 0.4 },
  { language: 'hi', characters: /\p{Script=Devanagari}/gu, share: 0.4, others: ['mr', 'ne'] },
  { language: 'uk', characters: /[іїєґ]/giu, share: 0.02, others: ['be', 'kk'] },
  {
    language: 'ru',
    characters: /\p{Script=Cyrillic}/gu,
    share: 0.4,
    others: ['uk', 'be', 'bg', 'sr', 'mk', 'kk', 'ky', 'mn'],
  },
];

/**
 * Frequent function words, which nearly every sentence contains. A word that two languages share
 * counts for both.
 */
const smallWords: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en: 'the and is it to of you this that for with my not have was are but can on so very app',
    de: 'der die das und ist nicht ich ein eine mit zu es auf für sehr auch den aber nur wird bei',
    fr: 'le la les et est je pas de des un une pour très avec que ne sur mais cette il depuis',
    es: 'el la los y es no de que una muy para con por me lo pero está desde esta cuando más',
    pt: 'o a os e é não de que uma muito para com por eu mas está desde isso quando mais do',
    it: 'il la gli e è non di che una molto per con mi ma sono dopo questa quando più si della',
    nl: 'de het een en is niet ik van op met voor dat maar zeer deze ook heb te er nog',
    tr: 've bir bu çok için ama değil ile da de ne var yok gibi daha en iyi olarak',
    pl: 'i nie jest się na to w z do że jak ale bardzo od po jest mi przez już tylko',
    sv: 'och är det inte att jag en som på för med men mycket den till har av kan om så',
    id: 'yang dan ini di tidak saya bisa untuk dengan sangat ada dari sudah aplikasi lagi tapi',
    vi: 'và là của không có này được cho một rất với tôi thì mà như khi',
  }).map(([language, words]) => [language, new Set(words.split(' '))]),
);

/**
 * Languages without a list, whose sentences contain the small words of another. When the
 * storefront's language is one of them, the text counts as that language.
 */
const sharedWith: Readonly<Record<string, readonly string[]>> = {
  de: ['da', 'no'],
  fr: ['ca', 'ro'],
  es: ['ca', 'ro'],
  pt: ['ca', 'ro'],
  it: ['ca', 'ro', 'fil'],
  nl: ['da', 'no', 'is', 'hu'],
  tr: ['az'],
  pl: ['cs', 'sk', 'hr', 'sl', 'sr', 'lt', 'fil'],
  sv: ['da', 'no'],
  id: ['ms'],
};

const examined = 1_000;
const fewestWords = 2;

/**
 * The language of a text by its script or by its function words, or else the storefront's. ISO 639,
 * two or three characters; null when it is unknown.
 */
export function detectLanguage(text: string, storefrontLanguage: string | null): string | null {
  const part = text.slice(0, examined);
  const storefront = storefrontLanguage?.split(/[-_]/)[0]!.toLowerCase() ?? null;
  const characters = countOf(part, /\p{L}/gu);
  const script = scripts.find(
    (candidate) => countOf(part, candidate.characters) >= Math.max(1, characters * candidate.share),
  );
  const found = script?.language ?? readSmallWords(part);
  if (found === null) return storefront;
  const others = script ? script.others : sharedWith[found];
  return storefront !== null && others?.includes(storefront) ? storefront : found;
}

function readSmallWords(text: string): string | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const [best, second] = Object.entries(smallWords)
    .map(([language, known]) => ({
      language,
      count: words.filter((word) => known.has(word)).length,
    }))
    .toSorted((a, b) => b.count - a.count);
  return best && best.count >= fewestWords && best.count > (second?.count ?? 0)
    ? best.language
    : null;
}

function countOf(text: string, characters: RegExp): number {
  return text.match(characters)?.length ?? 0;
}
