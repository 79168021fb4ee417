/**
 * Converts to lower case by Unicode's default rule, except for the Turkish İ. That rule makes it an
 * i with a second dot, two characters that nobody types and no store returns. Here it becomes a
 * plain i.
 */
export function toLowerCase(text: string): string {
  return text.toLowerCase().replaceAll(/i\u0307+/g, 'i');
}
