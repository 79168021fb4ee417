/**
 * Lower case by Unicode's default rule except for the Turkish İ, which that rule turns into an i
 * with a second dot: two characters that nobody types and no store returns. Here it is a plain i.
 */
export function toLowerCase(text: string): string {
  return text.toLowerCase().replaceAll(/i\u0307+/g, 'i');
}
