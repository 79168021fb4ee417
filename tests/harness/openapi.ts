import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { buildOpenApi } from '#api/openapi.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

export interface Described {
  /** `GET /apps/{id}`, as in the contract. */
  key: string;
  method: string;
  path: string;
  rateClass: string;
  readOnlyToken: boolean;
  parameters: Parameter[];
  body: Schema | null;
  bodyRequired: boolean;
  /** By status, then by type. */
  responses: Record<string, Record<string, Schema>>;
}

export interface Description {
  operations: Described[];
  schemas: Record<string, Schema>;
  /** Whether a value matches a schema of the document, by an independent validator. */
  isValid(schema: Schema, value: unknown): boolean;
}

type Content = Record<string, { schema: Schema }>;
interface RawOperation {
  'x-rate-class': string;
  'x-read-only-token': boolean;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { $ref?: string; content?: Content }>;
}

let description: Description | undefined;

/** The document as its readers get it, with one validator for all files of the process. */
export function readDescription(): Description {
  return (description ??= describeDocument());
}

function describeDocument(): Description {
  const document = buildOpenApi() as unknown as {
    paths: Record<string, Record<string, RawOperation>>;
    components: {
      schemas: Record<string, Schema>;
      responses: Record<string, { content: Content }>;
    };
  };
  const responseSchemasOf = (response: {
    $ref?: string;
    content?: Content;
  }): Record<string, Schema> => {
    const { content = {} } =
      response.$ref === undefined
        ? response
        : document.components.responses[response.$ref.split('/').at(-1)!]!;
    return Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema]));
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      key: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      rateClass: operation['x-rate-class'],
      readOnlyToken: operation['x-read-only-token'],
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content['application/json']?.schema ?? null,
      bodyRequired: operation.requestBody?.required === true,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          responseSchemasOf(response),
        ]),
      ),
    })),
  );
  return {
    operations,
    schemas: document.components.schemas,
    isValid: createSchemaValidator(document.components),
  };
}

function createSchemaValidator(components: object): Description['isValid'] {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    validateFormats: false,
    // Most of these functions run once.
    code: { optimize: false },
  });
  ajv.addSchema({ $id: 'document', components });
  const compiled = new Map<Schema, ValidateFunction>();
  return (schema, value) => {
    const known =
      compiled.get(schema) ??
      ajv.compile(
        JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')),
      );
    compiled.set(schema, known);
    return known(value);
  };
}
