import { pushNumber, readNumber, type NumberReader } from '../serp-chains/varint.ts';

// The provenance of a score as bytes: any JSON value, in which usual objects, texts and numbers are
// short. A byte with the version, then the value, which begins with a byte of its kind:
//   0 null, 1 false, 2 true, 3 an array with its length, 4 an object with its length,
//   5 a text with its bytes, 6 a double, 7 a day as its number since 1970,
//   8 to 10 a number without sign and with 0, 2 or 4 decimals,
//   32 and more: an object with usual names; 128 and more: a usual text.
// The lists of a version never change: a longer one is another version.

const version = 1;
const [nothing, no, yes, array, object, text, double, day, number] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const [firstShape, firstWord] = [32, 128];
const factors = [1, 100, 10_000];

const inputs = `
  serpDate serpSize medianRatingCount exactTitles brand hintsDate hintPrefix hintPosition
  chartingApps continuations plural published popularityBound`
  .trim()
  .split(/\s+/);

const shapes: readonly (readonly string[])[] = [
  ['score', 'signal', 'value', 'weight', 'points'],
  ['low', 'high'],
  ['traffic', 'difficulty'],
  ['top5', 'top20'],
  ['score', 'range', 'confidence', 'evidence', 'missing'],
  ['traffic', 'range', 'evidence'],
  ['popularity', 'genre', 'period'],
  ['genre', 'granularity', 'period', 'source'],
  inputs,
  [...inputs, 'publishedList'],
  [
    'formula',
    'store',
    'country',
    'observedAt',
    'evidence',
    'inputs',
    'missing',
    'confidence',
    'confidences',
    'ranges',
    'estimate',
    'difficulties',
  ],
];

const words: readonly string[] = `
  traffic difficulty high medium low strength leaders titles quality age brand early rank
  continuations length charts serp traffic.early traffic.rank traffic.continuations traffic.length
  traffic.charts traffic.serp difficulty.strength difficulty.leaders difficulty.titles
  difficulty.quality difficulty.age traffic.ios@2+difficulty.ios@2
  traffic.android@2+difficulty.android@2 published bound month week file api`
  .trim()
  .split(/\s+/);

const shapeOf = new Map(shapes.map((names, at) => [names.toSorted().join(), at]));
const wordOf = new Map(words.map((word, at) => [word, at]));
const dayMs = 86_400_000;

/** A JSON value; members that are undefined are left out. The same value has the same bytes. */
export function packProvenance(value: unknown): Buffer {
  const bytes = [version];
  pushValue(bytes, value);
  return Buffer.from(bytes);
}

/** Throws for bytes that no `packProvenance` of this version wrote. */
export function unpackProvenance(packed: Buffer): unknown {
  if (packed[0] !== version) throw new RangeError(`unknown version ${packed[0]} of a provenance`);
  return readValue({ bytes: packed, at: 1 });
}

function pushValue(bytes: number[], value: unknown): void {
  if (value === null) bytes.push(nothing);
  else if (typeof value === 'boolean') bytes.push(value ? yes : no);
  else if (typeof value === 'number') pushDecimal(bytes, value);
  else if (typeof value === 'string') pushText(bytes, value);
  else if (Array.isArray(value)) {
    bytes.push(array);
    pushNumber(bytes, value.length);
    for (const item of value) pushValue(bytes, item);
  } else pushObject(bytes, value as Record<string, unknown>);
}

function pushObject(bytes: number[], value: Record<string, unknown>): void {
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .toSorted();
  const shape = shapeOf.get(names.join());
  if (shape !== undefined) {
    bytes.push(firstShape + shape);
    for (const name of shapes[shape]!) pushValue(bytes, value[name]);
    return;
  }
  bytes.push(object);
  pushNumber(bytes, names.length);
  for (const name of names) {
    pushText(bytes, name);
    pushValue(bytes, value[name]);
  }
}

function pushText(bytes: number[], value: string): void {
  const word = wordOf.get(value);
  if (word !== undefined) {
    bytes.push(firstWord + word);
    return;
  }
  const number = dayNumberOf(value);
  if (number !== null) {
    bytes.push(day);
    pushNumber(bytes, number);
    return;
  }
  const written = Buffer.from(value);
  bytes.push(text);
  pushNumber(bytes, written.length);
  bytes.push(...written);
}

/** Null for a text that is not read back as it is. */
function dayNumberOf(value: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return null;
  const days = Date.parse(`${value}T00:00:00Z`) / dayMs;
  return days >= 0 && dayOf(days) === value ? days : null;
}

const dayOf = (days: number): string => new Date(days * dayMs).toISOString().slice(0, 10);

function pushDecimal(bytes: number[], value: number): void {
  for (const [at, factor] of factors.entries()) {
    const scaled = Math.round(value * factor);
    if (!Number.isSafeInteger(scaled) || !Object.is(scaled / factor, value) || value < 0) continue;
    bytes.push(number + at);
    pushNumber(bytes, scaled);
    return;
  }
  const written = Buffer.alloc(8);
  written.writeDoubleBE(value);
  bytes.push(double, ...written);
}

function readValue(reader: NumberReader): unknown {
  const kind = reader.bytes.readUInt8(reader.at);
  reader.at += 1;
  if (kind >= firstWord) return required(words[kind - firstWord]);
  if (kind >= firstShape) return readShape(required(shapes[kind - firstShape]), reader);
  if (kind >= number) return readNumber(reader) / required(factors[kind - number]);
  switch (kind) {
    case nothing:
      return null;
    case no:
      return false;
    case yes:
      return true;
    case array:
      return Array.from({ length: readNumber(reader) }, () => readValue(reader));
    case object:
      return Object.fromEntries(
        Array.from({ length: readNumber(reader) }, () => [readValue(reader), readValue(reader)]),
      ) as object;
    case text:
      return readText(reader);
    case double:
      reader.at += 8;
      return reader.bytes.readDoubleBE(reader.at - 8);
    default:
      return dayOf(readNumber(reader));
  }
}

const readShape = (names: readonly string[], reader: NumberReader): object =>
  Object.fromEntries(names.map((name) => [name, readValue(reader)]));

function readText(reader: NumberReader): string {
  const length = readNumber(reader);
  reader.at += length;
  if (reader.at > reader.bytes.length) throw new RangeError('a provenance ends too early');
  return reader.bytes.toString('utf8', reader.at - length, reader.at);
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new RangeError('a provenance of an unknown form');
  return value;
}
