import { invalid } from '#domain/base/errors.ts';

const bytesMin = 12;
const bytesMax = 128;

/**
 * Words from which common passwords are made. Nearly every entry of twelve bytes or more in public
 * lists is one of these words repeated, joined or decorated with digits and symbols, or a keyboard
 * walk or a sequence. So the rule is shipped instead of the list.
 */
const commonWords = (
  'password passwort passw0rd motdepasse contrasena contraseña wachtwoord senha parola ' +
  'qwerty qwertz azerty welcome willkommen bienvenue ' +
  'letmein iloveyou loveyou iloveu ilove love admin administrator root user guest login ' +
  'default changeme temporary secret master ' +
  'football baseball basketball soccer hockey monkey dragon shadow sunshine princess ' +
  'superman batman spiderman starwars pokemon ' +
  'michael jennifer jessica ashley daniel charlie thomas jordan hunter ranger killer trustno ' +
  'trustnoone whatever computer internet ' +
  'samsung google facebook microsoft windows liverpool arsenal chelsea barcelona realmadrid ' +
  'mustang ferrari mercedes corvette harley ' +
  'cheese banana chocolate cookie pepper ginger summer winter spring autumn monday friday ' +
  'january december family forever friends ' +
  'freedom hello helloworld test testing tester example sample demo company business server ' +
  'system access database security ' +
  'toprung keyword ranking appstore playstore android iphone abc abcd abcdef pass my new old ' +
  'the one two me you is not'
).split(' ');

const walks = [
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '012345678901234567890',
  '098765432109876543210',
  '!@#$%^&*()_+',
];
const leet: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const known = new Set(commonWords);
/** From the first character to the last that is no digit and no mark. */
const withoutDecoration = /[^\d\p{P}\p{S}](?:.*[^\d\p{P}\p{S}])?/su;

/** Rejects passwords that are too short, too long or easy to guess. */
export function checkPassword(path: string, password: string, email: string): void {
  const bytes = Buffer.byteLength(password);
  if (bytes < bytesMin) throw invalid(path, `at least ${bytesMin} bytes`, bytes, bytesMin);
  if (bytes > bytesMax) throw invalid(path, `at most ${bytesMax} bytes`, bytes, bytesMax);
  if (isCommonPassword(password) || isAbout(password, email))
    throw invalid(path, 'not one of the common passwords');
}

export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  if (isRun(text)) return true;
  const [undecorated = ''] = withoutDecoration.exec(text) ?? [];
  return [text, toCharacters(text), toCharacters(undecorated)].some((form) =>
    isWordsAndDecoration(form),
  );
}

/** A repeated piece, a keyboard walk, or a sequence. */
function isRun(text: string): boolean {
  return isRepeated(text) || isWalk(text) || isSequence(text);
}

function toCharacters(text: string): string {
  return [...text].map((sign) => leet[sign] ?? sign).join('');
}

/** `aaaaaaaaaaaa`, `abc123abc123`: a repeated piece of up to half the text. */
function isRepeated(text: string): boolean {
  for (let size = 1; size <= text.length / 2; size += 1) {
    const piece = text.slice(0, size);
    if (piece.repeat(Math.ceil(text.length / size)).slice(0, text.length) === text) return true;
  }
  return false;
}

function isWalk(text: string): boolean {
  return walks.some(
    (walk) => (walk + walk).includes(text) || [...(walk + walk)].reverse().join('').includes(text),
  );
}

/**
 * `112233445566`, `123456654321`, `111111222222`: the steps between characters repeat or hardly
 * change.
 */
function isSequence(text: string): boolean {
  const signs = [...text].map((sign) => sign.codePointAt(0)!);
  const steps = signs.slice(1).map((sign, index) => sign - signs[index]!);
  const changes = steps.filter((step, index) => index > 0 && step !== steps[index - 1]).length;
  return (
    steps.length >= 9 &&
    (changes <= 2 || isRepeated(steps.map((step) => String.fromCodePoint(Math.abs(step))).join('')))
  );
}

/** At most two common words surrounded by digits and symbols. */
function isWordsAndDecoration(text: string): boolean {
  const words = text.split(/[^\p{L}]+/u).filter(Boolean);
  if (words.length === 0)
    return (
      text !== '' &&
      (text.match(/\d+|\D+/g) ?? []).every((piece) => piece.length === 1 || isRun(piece))
    );
  if (words.length > 2) return false;
  return words.every(
    (word) => known.has(word) || isWalk(word) || isRepeated(word) || isTwoWords(word),
  );
}

function isTwoWords(word: string): boolean {
  for (let at = 1; at < word.length; at += 1) {
    if (known.has(word.slice(0, at)) && known.has(word.slice(at))) return true;
  }
  return false;
}

function isAbout(password: string, email: string): boolean {
  const text = password.toLowerCase();
  const person = email.slice(0, email.indexOf('@'));
  const rest = text.replace(email, '').replace(person, '');
  return rest !== text && /^[\d\p{P}\p{S}]*$/u.test(rest) && person.length >= 4;
}
