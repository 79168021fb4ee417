import type { z } from 'zod';
import type { Operation } from '#contract/operation.ts';
import { parameterNotes, type ParameterNote } from '#contract/parameter-notes.ts';
import { headersOf } from './openapi-headers.ts';
import { schemaOf, type Json } from './openapi-schemas.ts';

/** The parameters in the path, the query and the headers, each with its meaning and an example. */
export function parametersOf(
  key: string,
  operation: Operation,
  components: Record<string, Json>,
): Json[] {
  return [
    ...describe(key, 'path', operation.params, components),
    ...describe(key, 'query', operation.query, components),
    ...headersOf(key, operation),
  ];
}

function describe(
  key: string,
  location: 'path' | 'query',
  schema: z.ZodType | undefined,
  components: Record<string, Json>,
): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input', components) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => {
    const note: ParameterNote | undefined = parameterNotes[noteKeyOf(key, location, name)];
    return {
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      description: description ?? note?.description,
      example: note?.example,
      schema: rest,
    };
  });
}

/** The most specific of the notes on a name. */
export function noteKeyOf(key: string, location: 'path' | 'query', name: string): string {
  const path = key.slice(key.indexOf(' ') + 1);
  const member = `{${name}}`;
  const specific =
    location === 'path' ? path.slice(0, path.indexOf(member) + member.length) : `${key} ${name}`;
  return specific in parameterNotes ? specific : name;
}
