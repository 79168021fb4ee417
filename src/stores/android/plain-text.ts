import { decodeEntities } from '../html-entities.ts';

/** The text of Play's small HTML: line breaks kept, tags dropped, entities decoded once. */
export function toPlainText(html: string): string {
  const text = html.replace(/<br\s?\/?>|<\/p>/gi, '\n').replace(/<[^<>]{0,2000}>/g, '');
  return decodeEntities(text).trim();
}
