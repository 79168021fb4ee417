export type JsonSchema = Record<string, unknown>;

const plainTypes = new Set(['string', 'number', 'integer', 'boolean', 'null']);

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
 * without safe-integer bounds, with type lists instead of unions, and without repeating for each
 * response that it has exactly its members.
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
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum;
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum;
  if (io === 'output' && typeof rest.properties === 'object') {
    delete rest.additionalProperties;
    delete rest.required;
  }
  return mergeTypes(
    Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, slim(member, io)])),
  );
}

/** Merges an `anyOf` of a string and null into one `type` of two. */
function mergeTypes(node: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = node;
  const choices = Array.isArray(anyOf) ? (anyOf as JsonSchema[]) : [];
  const isPlain =
    choices.length > 0 &&
    choices.every(
      (choice) => Object.keys(choice).length === 1 && plainTypes.has(String(choice.type)),
    );
  return isPlain ? { ...rest, type: choices.map((choice) => choice.type) } : node;
}
