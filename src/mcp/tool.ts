import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Client } from '../client/http.ts';
import { slimSchema, type JsonSchema } from './slim-schema.ts';
import { cut } from './wording.ts';

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

/** What a tool says: the text's first line is the answer, `data` fits the tool's `output`. */
export interface Told<Data> {
  text: string;
  data: Data;
}

export interface ToolPlan<In extends z.ZodObject, Out extends z.ZodObject> {
  name: string;
  title: string;
  /** Says when it spends store capacity. */
  description: string;
  /** `read` changes nothing, `write` changes or adds, `remove` takes away. */
  kind: 'read' | 'write' | 'remove';
  /** It asks a store now. */
  asksStore?: true;
  /** Of a write: done twice it changes nothing more. */
  idempotent?: true;
  input: In;
  output: Out;
  run(api: Client, args: z.output<In>): Promise<Told<z.input<Out>>>;
}

/** A tool whose shapes nobody needs to know any more. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  isRead: boolean;
  annotations: ToolAnnotations;
  input: LeanSchema;
  output: LeanSchema;
  run(api: Client, args: unknown): Promise<Told<Record<string, unknown>>>;
}

/** zod judges; what is listed is shorter. */
interface LeanSchema {
  '~standard': z.ZodType['~standard'] & {
    jsonSchema: { input(): JsonSchema; output(): JsonSchema };
  };
}

/** Something in the arguments that only we can see; told like a refusal of the API. */
export class ToolFault extends Error {}

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
      openWorldHint: plan.asksStore === true,
    },
    input: leanOf(input),
    output: leanOf(output),
    run: (api, args) => plan.run(api, args as z.output<In>),
  };
}

/** Made at the first listing and kept: a server lives for one request. */
function leanOf(schema: z.ZodObject): LeanSchema {
  const made: Partial<Record<'input' | 'output', JsonSchema>> = {};
  const make = (io: 'input' | 'output') => () =>
    (made[io] ??= slimSchema(z.toJSONSchema(schema, { io }), io));
  const jsonSchema = { input: make('input'), output: make('output') };
  return {
    '~standard': { ...schema['~standard'], validate: (value) => judge(schema, value), jsonSchema },
  };
}

const issuesMax = 5;

/** zod tells of every member and repeats every key it does not know: what is hostile would come back many times as long. */
async function judge(
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
