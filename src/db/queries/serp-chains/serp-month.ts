import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { addDays, dayIndexInMonth } from '#lib/dates.ts';
import type { KeptSerp } from './kept-serps.ts';
import { applyDifference, findSmallerDifference, type SerpLists } from './serp-difference.ts';
import { pushNumber, readNumber, type NumberReader } from './varint.ts';

/** The results of a market in a month, all of one provider. */
export interface MonthOfProvider {
  marketId: number;
  /** Its first day. */
  month: string;
  provider: string;
}

/**
 * A byte with the version, then deflated, for each day from the oldest: its index in the month;
 * flags; the facts of the day, if they differ from those of the day before; and the two lists, each
 * with its length, whole or as the difference from the day before.
 */
const version = 1;
const [newFacts, isDifference] = [1, 2];
const endings: readonly KeptSerp['ended'][] = ['depth', 'exhausted', 'truncated'];
/** Thirty-one whole lists of 200 results take a twentieth of it. */
const maxBytes = 1 << 20;

/** The results have different days of one month, oldest first, and one market and provider. */
export function packSerpMonth(serps: readonly KeptSerp[]): Buffer {
  const bytes: number[] = [];
  let last: KeptSerp | undefined;
  let lastFacts = '';
  for (const serp of serps) {
    const difference = last ? findSmallerDifference(last, serp) : null;
    const facts = writeFacts(serp);
    const hasNewFacts = facts.join() !== lastFacts;
    bytes.push(dayIndexInMonth(serp.date));
    bytes.push((hasNewFacts ? newFacts : 0) + (difference ? isDifference : 0));
    if (hasNewFacts) bytes.push(...facts);
    pushLists(bytes, difference ?? serp);
    [last, lastFacts] = [serp, facts.join()];
  }
  return Buffer.concat([Buffer.of(version), deflateRawSync(Buffer.from(bytes))]);
}

/** By day. Throws for bytes that no `packSerpMonth` of this version wrote. */
export function unpackSerpMonth(of: MonthOfProvider, packed: Buffer): KeptSerp[] {
  if (packed[0] !== version) throw new RangeError(`unknown version ${packed[0]} of packed results`);
  const bytes = inflateRawSync(packed.subarray(1), { maxOutputLength: maxBytes });
  const reader: NumberReader = { bytes, at: 0 };
  const serps: KeptSerp[] = [];
  let facts: Facts | undefined;
  while (reader.at < bytes.length) {
    const date = addDays(of.month, readNumber(reader));
    const flags = readNumber(reader);
    if (flags & newFacts) facts = readFacts(reader);
    const lists: SerpLists = { ids: readBytes(reader), strengths: readBytes(reader) };
    const whole = flags & isDifference ? applyDifference(serps.at(-1)!, lists) : lists;
    serps.push({
      marketId: of.marketId,
      date,
      provider: of.provider,
      ...facts!,
      ids: whole.ids,
      strengths: whole.strengths,
    });
  }
  return serps;
}

type Facts = Pick<KeptSerp, 'depth' | 'resultCount' | 'ended' | 'language' | 'ads'>;

function writeFacts({ depth, resultCount, ended, language, ads }: Facts): number[] {
  const bytes: number[] = [];
  pushNumber(bytes, depth);
  pushNumber(bytes, resultCount);
  pushNumber(bytes, endings.indexOf(ended));
  const text = language === null ? null : Buffer.from(language);
  pushNumber(bytes, text === null ? 0 : text.length + 1);
  bytes.push(...(text ?? []));
  pushNumber(bytes, ads === null ? 0 : ads.length + 1);
  for (const position of ads ?? []) pushNumber(bytes, position);
  return bytes;
}

function readFacts(reader: NumberReader): Facts {
  const depth = readNumber(reader);
  const resultCount = readNumber(reader);
  const ended = endings[readNumber(reader)]!;
  const length = readNumber(reader);
  const language = length === 0 ? null : takeBytes(reader, length - 1).toString();
  const count = readNumber(reader);
  const ads = count === 0 ? null : Array.from({ length: count - 1 }, () => readNumber(reader));
  return { depth, resultCount, ended, language, ads };
}

function pushLists(bytes: number[], { ids, strengths }: SerpLists): void {
  for (const list of [ids, strengths]) {
    pushNumber(bytes, list.length);
    bytes.push(...list);
  }
}

const readBytes = (reader: NumberReader): Buffer => takeBytes(reader, readNumber(reader));

function takeBytes(reader: NumberReader, length: number): Buffer {
  const start = reader.at;
  reader.at += length;
  if (reader.at > reader.bytes.length) throw new RangeError('packed results end too early');
  return reader.bytes.subarray(start, reader.at);
}
