export type JsonSchema = Record<string, unknown>;

const plainTypes = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/**
 * Writes a schema in fewer tokens, because every client pays for every tool in every conversation:
 * without safe-integer bounds, with type lists instead of unions, and without repeating for each
 * response that it has exactly its members.
 */
export function slimSchema(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  return slim(schema, io) as JsonSchema;
}

function slim(node: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(node)) return node.map((item) => slim(item, io));
  if (typeof node !== 'object' || node === null) return node;
  const { $schema: _dialect, ...rest } = node as JsonSchema;
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
