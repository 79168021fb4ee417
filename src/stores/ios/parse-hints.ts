import { refused, unreadable } from '../store-errors.ts';
import { readText } from '../value-readers.ts';
import { readXml, type XmlElement } from './xml.ts';

const maxHints = 50;

/**
 * Reads the plist of `MZSearchHints.woa/wa/hints` into its terms, in store order. Checked on the
 * shape as described in 2026-08; no recording of known origin exists. Terms are in dicts, or plain
 * in older variants. Throws StoreError `refused` or `unreadable`.
 */
export function parseItunesHints(body: string): string[] {
  const text = body.trim();
  if (text === '') throw refused('ios', 'empty');
  if (/^<(!doctype )?html/i.test(text)) throw refused('ios', 'html');
  const plist = readXml(text);
  const [dict] = plist.children;
  if (plist.name !== 'plist' || dict?.name !== 'dict')
    throw unreadable('ios', 'plist', 'no plist with a dict');
  const hints = valueOf(dict, 'hints');
  if (hints?.name !== 'array') throw unreadable('ios', 'hints', 'no array of hints');
  const terms = hints.children.slice(0, maxHints).map((entry) => {
    const value = entry.name === 'dict' ? valueOf(entry, 'term') : entry;
    const term = readText(value?.text, 500);
    // The address of a hint is in its dict too.
    if (value?.name !== 'string' || typeof term !== 'string' || /^https?:\/\//.test(term))
      throw unreadable('ios', 'hint', 'a hint without a term');
    return term.trim();
  });
  return [...new Set(terms)];
}

/** A dict's value: the element after the key. Its elements are keys and values in turn. */
function valueOf(dict: XmlElement, key: string): XmlElement | null {
  if (dict.children.some((child, index) => (child.name === 'key') !== (index % 2 === 0)))
    throw unreadable('ios', 'dict', 'a dict of other parts than keys and values');
  const at = dict.children.findIndex((child) => child.name === 'key' && child.text === key);
  return at < 0 ? null : (dict.children[at + 1] ?? null);
}
