import { decodeEntities } from '../html-entities.ts';
import { unreadable } from '../store-errors.ts';

/**
 * An element of an XML document; names keep their prefix. `text` is its own text, entities decoded
 * once.
 */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const maxElements = 20_000;
const maxNesting = 40;
// A comment or section without an end matches only its first character, so that no text is searched
// twice.
const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(?:\?|!(?!--|\[))[^<>]*>|<(\/?)([\w:.-]{1,60})([^<>]*)>|([^<]+)|</g;
const attribute = /([\w:.-]{1,60})\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Parses the small XML documents that Apple sends, plists and feeds, into their root element.
 * Entities that a document defines itself are not expanded, so no document can grow. Throws
 * StoreError `unreadable` when the tags do not match or there are too many.
 */
export function readXml(text: string): XmlElement {
  const root = createElement('', '');
  const open = [root];
  let elements = 0;
  for (const [whole, cdata, slash, name, rest = '', characters] of text.matchAll(token)) {
    const inside = open.at(-1)!;
    if (characters !== undefined) inside.text += decodeEntities(characters);
    else if (cdata !== undefined) inside.text += cdata;
    else if (whole === '<') throw unreadable('ios', 'xml', 'a tag that does not end');
    else if (name === undefined) continue;
    else if (slash === '/') {
      if (inside.name !== name || open.length === 1)
        throw unreadable('ios', 'xml', `a closing ${name} out of place`);
      open.pop();
    } else {
      const element = createElement(name, rest);
      inside.children.push(element);
      if (!rest.endsWith('/')) open.push(element);
      if (++elements > maxElements || open.length > maxNesting)
        throw unreadable('ios', 'xml', 'too many elements');
    }
  }
  const [first] = root.children;
  if (first === undefined || open.length !== 1) throw unreadable('ios', 'xml', 'no whole document');
  return first;
}

function createElement(name: string, rest: string): XmlElement {
  const attributes: Record<string, string> = {};
  for (const [, key, double, single] of rest.matchAll(attribute)) {
    if (key !== '__proto__') attributes[key!] = decodeEntities(double ?? single ?? '');
  }
  return { name, attributes, children: [], text: '' };
}

export function childOf(element: XmlElement, name: string): XmlElement | null {
  return element.children.find((child) => child.name === name) ?? null;
}
