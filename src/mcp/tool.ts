import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Client } from '#client/http.ts';
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
  run(api: Client, args: z.output<In>): Promise<ToolResult<z.input<Out>>>;
}

/** A tool with its schemas erased. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  isRead: boolean;
  annotations: ToolAnnotations;
  input: LeanSchema;
  output: LeanSchema;
  run(api: Client, args: unknown): Promise<ToolResult<Record<string, unknown>>>;
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
    annotations: {
      readOnlyHint: kind === 'read',
      destructiveHint: kind === 'remove',
      idempotentHint: kind === 'read' || plan.idempotent === true,
      openWorldHint: plan.queriesStore === true,
    },
    input: leanOf(input),
    output: leanOf(output),
    run: (api, args) => plan.run(api, args as z.output<In>),
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
