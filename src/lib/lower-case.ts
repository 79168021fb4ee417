/**
 * Lower case by Unicode's default rule, but for the Turkish İ: that rule makes it an i with a second dot, two characters
 * that nobody types and no store offers. It is a plain i here, as the simple rule has it.
 */
export function toLowerCase(text: string): string {
  return text.toLowerCase().replaceAll(/i\u0307+/g, 'i');
}
