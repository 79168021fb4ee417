export type JsonSchema = Record<string, unknown>;

const plainTypes = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/**
 * The same schema in fewer tokens, since every client pays for every tool in every conversation: no
 * safe-integer bounds, type lists instead of unions; responses have exactly their members, which is
 * not repeated for each.
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

/** `anyOf` a string or null becomes one `type` of two. */
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
