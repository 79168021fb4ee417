import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Client } from '#client/http.ts';
import { sharedApiNames } from './api-names.ts';
import { slimSchema, type JsonSchema } from './slim-schema.ts';
import { cut } from './text-format.ts';

export const toolsets = [
  'apps',
  'keywords',
  'rankings',
  'competitors',
  'metadata',
  'reviews',
  'actions',
  'ops',
] as const;
export type Toolset = (typeof toolsets)[number];

/**
 * A tool's result: the first line of the text is the answer, `data` matches the tool's `output`.
 */
export interface ToolResult<Data> {
  text: string;
  data: Data;
}

export interface ToolPlan<In extends z.ZodObject, Out extends z.ZodObject> {
  name: string;
  title: string;
  /** Says when the tool uses store capacity. */
  description: string;
  /** `read` changes nothing, `write` changes or adds, `remove` deletes. */
  kind: 'read' | 'write' | 'remove';
  /** Queries a store. */
  queriesStore?: true;
  /** For writes: a repetition changes nothing more. */
  idempotent?: true;
  input: In;
  output: Out;
  /** Arguments by the API's name of the parameter, where the names differ. */
  apiNames?: Readonly<Record<string, keyof z.input<In> & string>>;
  run(
    api: Client,
    args: z.output<In>,
    describeError: DescribeError,
  ): Promise<ToolResult<z.input<Out>>>;
}

/** The text of an error of this tool; null for an unexpected one. */
export type DescribeError = (error: unknown) => string | null;

/** A tool with its schemas erased. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  isRead: boolean;
  annotations: ToolAnnotations;
  input: LeanSchema;
  output: LeanSchema;
  arguments: ReadonlySet<string>;
  apiNames: Readonly<Record<string, string>>;
  run(
    api: Client,
    args: unknown,
    describeError: DescribeError,
  ): Promise<ToolResult<Record<string, unknown>>>;
}

/** zod validates; the listed schema is shorter. */
interface LeanSchema {
  '~standard': z.ZodType['~standard'] & {
    jsonSchema: { input(): JsonSchema; output(): JsonSchema };
  };
}

/**
 * An error in the arguments that only the tool can detect. It is reported like an error of the API.
 */
export class ToolError extends Error {}

export function defineTool<In extends z.ZodObject, Out extends z.ZodObject>(
  plan: ToolPlan<In, Out>,
): Tool {
  const { name, title, description, kind, input, output } = plan;
  return {
    name,
    title,
    description,
    isRead: kind === 'read',
    annotations: annotate(plan),
    input: leanOf(input),
    output: leanOf(output),
    arguments: new Set(Object.keys(input.shape)),
    apiNames: { ...sharedApiNames, ...plan.apiNames },
    run: (api, args, describeError) => plan.run(api, args as z.output<In>, describeError),
  };
}

/** The protocol gives the hints about changes a meaning only for tools that write. */
function annotate({
  kind,
  idempotent,
  queriesStore,
}: Pick<ToolPlan<z.ZodObject, z.ZodObject>, 'kind' | 'idempotent' | 'queriesStore'>) {
  const openWorldHint = queriesStore === true;
  if (kind === 'read') return { readOnlyHint: true, openWorldHint };
  return {
    readOnlyHint: false,
    destructiveHint: kind === 'remove',
    idempotentHint: idempotent === true,
    openWorldHint,
  };
}

/** Created for the first listing and cached, because a server lives for one request. */
function leanOf(schema: z.ZodObject): LeanSchema {
  const made: Partial<Record<'input' | 'output', JsonSchema>> = {};
  const make = (io: 'input' | 'output') => () =>
    (made[io] ??= slimSchema(z.toJSONSchema(schema, { io }), io));
  const jsonSchema = { input: make('input'), output: make('output') };
  return {
    '~standard': {
      ...schema['~standard'],
      validate: (value) => validateBriefly(schema, value),
      jsonSchema,
    },
  };
}

const issuesMax = 5;

/**
 * zod reports every member and repeats every unknown key, so a hostile input would produce a
 * response many times as long.
 */
async function validateBriefly(
  schema: z.ZodObject,
  value: unknown,
): Promise<Awaited<ReturnType<z.ZodObject['~standard']['validate']>>> {
  const result = await schema['~standard'].validate(value);
  return result.issues
    ? {
        issues: result.issues
          .slice(0, issuesMax)
          .map((issue) => ({ ...issue, message: cut(issue.message, 200) })),
      }
    : result;
}
