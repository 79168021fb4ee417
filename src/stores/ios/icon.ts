import { readHttpUrl } from '../value-readers.ts';

/** `…/{w}x{h}{c}.{f}`: the reader chooses size, crop and format. */
export function fillIconTemplate(template: unknown): string | null {
  if (typeof template !== 'string') return null;
  const chosen = template
    .replaceAll('{w}', '512')
    .replaceAll('{h}', '512')
    .replaceAll('{c}', 'bb')
    .replaceAll('{f}', 'jpg');
  return readHttpUrl(chosen) ?? null;
}
