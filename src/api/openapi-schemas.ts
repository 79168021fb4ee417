import { z } from 'zod';

export type Json = Record<string, unknown>;

/** The JSON Schema of a part. Named schemas move to the components. */
export function schemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Record<string, Json>,
): Json {
  const {
    $defs = {},
    $schema: _dialect,
    ...rest
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) =>
      simplify(zodSchema as unknown as z.ZodType, jsonSchema as Json),
  }) as Json & { $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries($defs))
    addComponent(components, name, definition);
  const { id, ...own } = rest as Json & { id?: string };
  if (id === undefined) return pointToComponents(own) as Json;
  addComponent(components, id, own);
  return { $ref: `#/components/schemas/${id}` };
}

function addComponent(components: Record<string, Json>, name: string, definition: Json): void {
  const { id: _id, ...described } = pointToComponents(definition) as Json;
  const known = components[name];
  if (known && JSON.stringify(known) !== JSON.stringify(described))
    throw new Error(`Two different schemas have the name ${name}`);
  components[name] = described;
}

/**
 * The parser reads an integer in an address as text, but clients send an integer. A big one has no
 * format.
 */
function simplify(schema: z.ZodType, json: Json): void {
  const meta = z.globalRegistry.get(schema) as
    | { id?: string; integer?: { minimum: number; maximum: number }; stated?: Json }
    | undefined;
  if (meta?.integer) replace(json, { type: 'integer', ...meta.integer });
  // Zod omits the default of a transformed schema because input and output could differ. Ours do
  // not.
  if (schema instanceof z.ZodDefault && json.type === 'integer')
    json.default = schema.def.defaultValue;
  if (meta?.id === 'BigInteger')
    replace(json, { id: meta.id, type: 'integer', description: json.description });
  // The domain refuses what exceeds the stated limits, with an error code of its own.
  Object.assign(json, meta?.stated);
  delete json.stated;
  delete json.integer;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
}

function replace(json: Json, by: Json): void {
  for (const name of Object.keys(json)) delete json[name];
  Object.assign(json, by);
}

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string'
        ? member.replace('#/$defs/', '#/components/schemas/')
        : pointToComponents(member),
    ]),
  );
}
