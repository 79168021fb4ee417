import { storeNames } from '#stores/profiles.ts';

export type JsonSchema = Record<string, unknown>;

const plainTypes = new Set(['string', 'number', 'integer', 'boolean', 'null']);
/** Keywords that say nothing about values of another type. */
const structuralKeywords = new Set(['items', 'properties']);

/** Not listed: descriptions have an example. */
export const countryPattern = /^[a-z]{2}$/;
/** A UTC day. It is listed as the format `date`. */
export const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** More choices are not listed: the error about a wrong one names them. */
const listedChoicesMax = 10;

/** Members of many results. The server's instructions and the argument `cursor` explain them. */
const unlistedMembers = ['notice', 'total', 'nextCursor'];

/**
 * Writes a schema in fewer tokens, because every client pays for every tool in every conversation:
 * without safe-integer bounds and lower bounds of 1, with type lists instead of unions, and without
 * repeating for each response that it has exactly its members.
 */
export function slimSchema(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const slimmed = slim(schema, io) as JsonSchema;
  if (io === 'input') return slimmed;
  const members = Object.entries(slimmed.properties as JsonSchema);
  const listed = members.filter(([name]) => !unlistedMembers.includes(name));
  return { ...slimmed, properties: Object.fromEntries(listed) };
}

function slim(node: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(node)) return node.map((item) => slim(item, io));
  if (typeof node !== 'object' || node === null) return node;
  const { $schema: _dialect, ...rest } = node as JsonSchema;
  if (rest.pattern === countryPattern.source) delete rest.pattern;
  if (rest.pattern === dayPattern.source) {
    delete rest.pattern;
    rest.format = 'date';
  }
  if (Array.isArray(rest.enum) && rest.enum.length > listedChoicesMax) delete rest.enum;
  if (rest.minItems === 1) delete rest.minItems;
  if (rest.minimum === 1 || rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum;
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum;
  if (io === 'output') omitFromOutput(rest);
  return mergeTypes(
    Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, slim(member, io)])),
  );
}

/** Results have all members and no others, and arguments name the stores. */
function omitFromOutput(node: JsonSchema): void {
  if (typeof node.properties === 'object') {
    delete node.additionalProperties;
    delete node.required;
  }
  if (JSON.stringify(node.enum) === JSON.stringify(storeNames)) delete node.enum;
  if (node.type !== undefined) delete node.const;
}

/**
 * Merges an `anyOf` of a string and null into one `type` of two, and of an array or object and null
 * too: their keywords mean nothing for null.
 */
function mergeTypes(node: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = node;
  const choices = Array.isArray(anyOf) ? (anyOf as JsonSchema[]) : [];
  if (choices.length === 0 || !choices.every(isMergeable)) return node;
  const withKeywords = choices.filter((choice) => Object.keys(choice).length > 1);
  if (withKeywords.length > 1) return node;
  return { ...withKeywords[0], ...rest, type: choices.map((choice) => choice.type) };
}

function isMergeable({ type, ...keywords }: JsonSchema): boolean {
  const names = Object.keys(keywords);
  if (plainTypes.has(String(type))) return names.length === 0;
  return (
    (type === 'array' || type === 'object') && names.every((name) => structuralKeywords.has(name))
  );
}
