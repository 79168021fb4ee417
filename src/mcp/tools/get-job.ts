import { z } from 'zod';
import type { CallOutput } from '#client/http.ts';
import { defineTool } from '../tool.ts';
import { lines } from '../text-format.ts';

const jobPart = z.object({
  kind: z.string(),
  total: z.int(),
  done: z.int(),
  missing: z.int(),
  awaited: z.int(),
  reason: z.string().nullable(),
  awaitedUntil: z.string().nullable(),
});

export const getJob = defineTool({
  name: 'get_job',
  title: 'State of a job',
  description: 'What of accepted work is done, missing or awaited, and why.',
  kind: 'read',
  input: z.strictObject({ jobId: z.int().describe('From another tool.') }),
  output: z.object({
    kind: z.string(),
    state: z.string(),
    done: z.int(),
    total: z.int(),
    error: z.string().nullable(),
    parts: z.array(jobPart),
  }),
  async run(api, { jobId }) {
    const { kind, state, progress, error, parts } = await api('GET /jobs/{jobId}', {
      params: { jobId },
    });
    const text = lines(
      `Job ${jobId} (${kind}) is ${state}: ${progress.done} of ${progress.total} done.`,
      error !== null && `Error: ${error}.`,
      parts.map(formatPart),
    );
    return { text, data: { kind, state, ...progress, error, parts } };
  },
});

type Part = CallOutput<'GET /jobs/{jobId}'>['parts'][number];

function formatPart(part: Part): string {
  const { kind, total, done, missing, awaited, reason, awaitedUntil } = part;
  const because = reason === null ? '' : ` (${reason})`;
  const until = awaitedUntil === null ? '' : ` until ${awaitedUntil}`;
  return [
    `- ${kind}: ${done} of ${total} done`,
    missing > 0 && `${missing} missing${because}`,
    awaited > 0 && `${awaited} awaited${until}${because}`,
  ]
    .filter(Boolean)
    .join(', ');
}
