/** Scripts that are one language's own, or as good as. Kana before Han: Japanese is written in both. */
const scripts: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['uk', /[іїєґ]/giu],
  ['ru', /\p{Script=Cyrillic}/gu],
];

/** The smallest words, which nobody writes a sentence without; of two languages that share one, both count it. */
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

const examined = 1_000;
const fewestLetters = 2;
const fewestWords = 2;

/** The language of a text by its script, or by its smallest words; null when neither says. Two letters, ISO 639-1. */
export function detectLanguage(text: string): string | null {
  const part = text.slice(0, examined);
  const letters = part.match(/\p{L}/gu)?.length ?? 0;
  const written = scripts.find(([language, script]) => {
    const count = part.match(script)?.length ?? 0;
    // A letter or two of Ukrainian or of kana decides; a name in another script does not make a text that language.
    return count >= fewestLetters && count >= letters * (language === 'uk' || language === 'ja' ? 0.03 : 0.4);
  });
  if (written) return written[0];
  const words = part.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(smallWords)
    .map(([language, known]) => ({ language, count: words.filter((word) => known.has(word)).length }))
    .toSorted((a, b) => b.count - a.count);
  const [best, second] = counts;
  return best && best.count >= fewestWords && best.count > (second?.count ?? 0) ? best.language : null;
}
